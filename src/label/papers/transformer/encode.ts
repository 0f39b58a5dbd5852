/** Encodes lines into one row of numbers each: their embeddings, or the logit of each line by itself. */
import { cutAfter } from "../../../cut-after.js";
import type { TimeLimit } from "../../../time/time-limit.js";
import type { Encoder, EncoderOutput, TokenBatch } from "./library.js";
import type { Pooling } from "./transformer-folder.js";

export interface Rows {
  /** rows × width. */
  readonly data: Float32Array;
  readonly width: number;
}

/** Reads the outputs for a batch as rows; the width is the same in every batch. */
type Reading = (outputs: Readonly<Record<string, EncoderOutput>>, batch: TokenBatch) => Rows;

/**
 * Encodes lines, each distinct text once. `how`: the pooling of embeddings; undefined for the logits of a bag of lines.
 * Throws TookTooLong when the time limit has passed.
 */
export async function encodeLines(
  texts: readonly string[],
  by: {
    readonly encoder: Encoder;
    readonly maxTokens: number;
    readonly how: Pooling | undefined;
    readonly limit?: TimeLimit | undefined;
  },
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
    by.limit?.check();
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
    throw new Error(`the encoder did not return a "last_hidden_state" of ${rows} × ${tokens} tokens`);
  const pooled = new Float32Array(rows * width);
  for (let row = 0; row < rows; row++) {
    const from = row * tokens * width;
    if (how === "cls") pooled.set(data.subarray(from, from + width), row * width);
    else
      addMean(
        pooled.subarray(row * width, (row + 1) * width),
        data.subarray(from, from + tokens * width),
        mask.subarray(row * tokens, (row + 1) * tokens),
      );
  }
  return { data: pooled, width };
}

/** Writes the mean over the tokens that are not padding, to `mean`, which must be zeros. */
function addMean(mean: Float32Array, states: Float32Array, mask: BigInt64Array): void {
  const width = mean.length;
  let real = 0;
  for (let token = 0; token < mask.length; token++) {
    if (mask[token] !== 1n) continue;
    real += 1;
    for (let i = 0; i < width; i++) mean[i] = (mean[i] ?? 0) + (states[token * width + i] ?? 0);
  }
  for (let i = 0; i < width; i++) mean[i] = (mean[i] ?? 0) / Math.max(1, real);
}

/** Reads the logit of main content: of two classes, the difference of their logits; otherwise the single logit. */
function readLogits(outputs: Readonly<Record<string, EncoderOutput>>, { rows }: TokenBatch): Rows {
  const { data } = outputs["logits"] ?? {};
  if (data?.length === rows) return { data, width: 1 };
  if (data?.length !== 2 * rows)
    throw new Error(`the encoder did not return "logits" of ${rows} lines in two classes`);
  return {
    data: Float32Array.from({ length: rows }, (_, row) => (data[2 * row + 1] ?? 0) - (data[2 * row] ?? 0)),
    width: 1,
  };
}

/* Token numbers of lines, and batches of lines of similar length with bounded memory. */

/**
 * A longer line is cut before tokenisation, whose time grows with the characters: 512 tokens are seldom more than half
 * of this. The training script does the same.
 */
const MOST_CHARACTERS = 4096;
/** rows × tokens: each token has a few thousand numbers between two layers. About 50 MB for XLM-RoBERTa. */
const MOST_TOKENS_A_BATCH = 4096;
/** rows × tokens²: attention compares all pairs of tokens in each head. About 50 MB for XLM-RoBERTa's twelve heads. */
const MOST_PAIRS_A_BATCH = 2 ** 20;

/** Returns the line's token numbers with the special tokens around them, truncated to `most` in all; at least one. */
export function tokensOf(
  text: string,
  encoder: Pick<Encoder, "tokenize" | "before" | "behind" | "padding">,
  most: number,
): number[] {
  const { before, behind, padding } = encoder;
  const inner = encoder.tokenize(cutAfter(text, MOST_CHARACTERS));
  const tokens = [...before, ...inner.slice(0, Math.max(0, most - before.length - behind.length)), ...behind];
  // A tokenizer may drop a whole line and add no special tokens, but attention needs at least one token.
  return tokens.length > 0 ? tokens : [padding];
}

/** Groups the indexes of lines into batches, from the shortest line to the longest. `lengths`: in tokens. */
export function planBatches(lengths: readonly number[]): number[][] {
  const order = lengths.map((_, at) => at).sort((a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0) || a - b);
  const batches: number[][] = [];
  let batch: number[] = [];
  for (const at of order) {
    // The longest line so far; the whole batch is padded to it.
    const length = lengths[at] ?? 0;
    const rows = batch.length + 1;
    const isFull = rows * length > MOST_TOKENS_A_BATCH || rows * length ** 2 > MOST_PAIRS_A_BATCH;
    if (batch.length > 0 && isFull) {
      batches.push(batch);
      batch = [];
    }
    batch.push(at);
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}

/** Stacks lines of tokens into one batch; pads the shorter ones and masks the padding. */
export function stackLines(lines: readonly (readonly number[])[], padding: number): TokenBatch {
  const rows = lines.length;
  const tokens = Math.max(...lines.map((line) => line.length));
  const ids = new BigInt64Array(rows * tokens).fill(BigInt(padding));
  const mask = new BigInt64Array(rows * tokens);
  for (const [row, line] of lines.entries())
    for (const [at, id] of line.entries()) {
      ids[row * tokens + at] = BigInt(id);
      mask[row * tokens + at] = 1n;
    }
  return { rows, tokens, ids, mask };
}
