/** An encoder in the layout of the Hugging Face hub into what makes one vector a line, as MultiBoilerNet has it from BERT. */
import { encodeLines } from "../transformer/encode.js";
import type { Pooling } from "../transformer/folder.js";
import { openEncoder, type EncoderFolder } from "../transformer/library.js";
import type { LineEncoder } from "./encoder.js";

export interface TransformerPlan extends EncoderFolder {
  /** How a line's tokens become its vector; the paper takes the first. */
  readonly pooling: Pooling;
  /** A line is truncated to so many tokens, those around it included. */
  readonly maxTokens: number;
}

/** Throws UsageError when the optional package is missing or the folder cannot be used. */
export async function openTransformerEncoder(plan: TransformerPlan): Promise<LineEncoder> {
  const encoder = await openEncoder(plan);
  const { pooling: how, maxTokens } = plan;
  if (encoder.highest >= encoder.known) {
    await encoder.close();
    plan.refuse(`its tokenizer counts to ${encoder.highest}, and its encoder knows ${encoder.known} tokens`);
  }
  const encode = (texts: readonly string[]): ReturnType<typeof encodeLines> =>
    encodeLines(texts, { encoder, maxTokens, how });
  // Any line tells how wide vectors are.
  const { width } = await encode(["a"]);
  return {
    width,
    encode: async (texts) => (await encode(texts)).data,
    close: () => encoder.close(),
  };
}
