/** Lines through the encoder into one row of numbers each: their embeddings, or the logit of each line by itself. */
import { planBatches, stackLines, tokensOf } from "./batches.js";
import type { Pooling } from "./folder.js";
import type { Encoder, EncoderOutput, TokenBatch } from "./library.js";

export interface Rows {
  /** rows × width. */
  readonly data: Float32Array;
  readonly width: number;
}

/** What is made of a batch: as many values a line in every batch. */
type Reading = (outputs: Readonly<Record<string, EncoderOutput>>, batch: TokenBatch) => Rows;

/** `how`: the pooling of embeddings; undefined for the logits of the bag of lines. A line that comes again is read once. */
export async function encodeLines(
  texts: readonly string[],
  by: { readonly encoder: Encoder; readonly maxTokens: number; readonly how: Pooling | undefined },
): Promise<Rows> {
  const { encoder, maxTokens, how } = by;
  if (texts.length === 0) return { data: new Float32Array(0), width: 1 };
  const places = new Map<string, number[]>();
  for (const [at, text] of texts.entries()) {
    const known = places.get(text);
    if (known === undefined) places.set(text, [at]);
    else known.push(at);
  }
  const distinct = [...places].map(([text, at]) => ({ at, tokens: tokensOf(text, encoder, maxTokens) }));
  const read: Reading = how === undefined ? readLogits : (outputs, batch) => pool(outputs, batch, how);
  let rows: Rows | undefined;
  for (const plan of planBatches(distinct.map(({ tokens }) => tokens.length))) {
    const lines = plan.flatMap((at) => distinct[at] ?? []);
    const batch = stackLines(
      lines.map(({ tokens }) => tokens),
      encoder.padding,
    );
    const { data, width } = read(await encoder.run(batch), batch);
    rows ??= { data: new Float32Array(texts.length * width), width };
    for (const [row, { at }] of lines.entries())
      for (const place of at) rows.data.set(data.subarray(row * width, (row + 1) * width), place * width);
  }
  if (rows === undefined) throw new Error("no batch was made of lines");
  return rows;
}

function pool(
  outputs: Readonly<Record<string, EncoderOutput>>,
  { rows, tokens, mask }: TokenBatch,
  how: Pooling,
): Rows {
  const { data, dims } = outputs["last_hidden_state"] ?? { data: undefined, dims: [] };
  const width = dims[2] ?? 0;
  if (data === undefined || data.length !== rows * tokens * width || width === 0)
    throw new Error(`the encoder gave no "last_hidden_state" of ${rows} × ${tokens} tokens`);
  const pooled = new Float32Array(rows * width);
  for (let row = 0; row < rows; row++) {
    const from = row * tokens * width;
    if (how === "cls") pooled.set(data.subarray(from, from + width), row * width);
    else
      addMean(pooled.subarray(row * width, (row + 1) * width), data.subarray(from, from + tokens * width), {
        mask: mask.subarray(row * tokens, (row + 1) * tokens),
      });
  }
  return { data: pooled, width };
}

/** The mean over the tokens that are no padding. */
function addMean(mean: Float32Array, states: Float32Array, { mask }: { readonly mask: BigInt64Array }): void {
  const width = mean.length;
  let real = 0;
  for (let token = 0; token < mask.length; token++) {
    if (mask[token] !== 1n) continue;
    real += 1;
    for (let i = 0; i < width; i++) mean[i] = (mean[i] ?? 0) + (states[token * width + i] ?? 0);
  }
  for (let i = 0; i < width; i++) mean[i] = (mean[i] ?? 0) / Math.max(1, real);
}

/** Of two classes the difference of their logits; one logit is that of main content. */
function readLogits(outputs: Readonly<Record<string, EncoderOutput>>, { rows }: TokenBatch): Rows {
  const { data } = outputs["logits"] ?? {};
  if (data?.length === rows) return { data, width: 1 };
  if (data?.length !== 2 * rows)
    throw new Error(`the encoder gave no "logits" of ${rows} lines in two classes`);
  return {
    data: Float32Array.from({ length: rows }, (_, row) => (data[2 * row + 1] ?? 0) - (data[2 * row] ?? 0)),
    width: 1,
  };
}
