/** Lines into token numbers, and these into batches of lines of like length within a bound of memory. */
import type { Encoder, TokenBatch } from "./library.js";

/**
 * A longer line is cut before it is tokenised, which takes time for every character: 512 tokens are seldom more than half
 * of it. The training script does the same.
 */
const MOST_CHARACTERS = 4096;
/** rows × tokens: every token has some thousand numbers between two layers. About 50 MB for XLM-RoBERTa. */
const MOST_TOKENS_A_BATCH = 4096;
/** rows × tokens²: attention compares each token with each, for each head. About 50 MB for XLM-RoBERTa's twelve. */
const MOST_PAIRS_A_BATCH = 2 ** 20;

/** Numbers of the line's tokens with the special ones around them, truncated on purpose to `most` in all; at least one. */
export function tokensOf(
  text: string,
  encoder: Pick<Encoder, "tokenize" | "before" | "behind" | "padding">,
  most: number,
): number[] {
  const { before, behind, padding } = encoder;
  const inner = encoder.tokenize(cutText(text));
  const tokens = [...before, ...inner.slice(0, Math.max(0, most - before.length - behind.length)), ...behind];
  // Where a tokenizer drops all of a line and puts nothing around it, attention would have nothing to look at.
  return tokens.length > 0 ? tokens : [padding];
}

/** Never through a surrogate pair. */
function cutText(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const last = text.charCodeAt(MOST_CHARACTERS - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? MOST_CHARACTERS - 1 : MOST_CHARACTERS);
}

/** The places of lines of these lengths, batch by batch, from the shortest to the longest; each place once. */
export function planBatches(lengths: readonly number[]): number[][] {
  const order = lengths.map((_, at) => at).sort((a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0) || a - b);
  const batches: number[][] = [];
  let batch: number[] = [];
  for (const at of order) {
    // The longest so far: all of a batch are padded to it.
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

/** Lines side by side, the shorter ones padded, the padding masked. */
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
