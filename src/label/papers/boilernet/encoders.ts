/** Encodes the text of each line as one vector for BoilerNet's network, by known words, n-grams or a transformer. */
import { bagOf, createBags, fillBags } from "../../features/bags.js";
import { AT, COLUMN_COUNT, COLUMNS } from "../../features/columns.js";
import { fillLine } from "../../features/line-columns.js";
import { scanLine } from "../../features/scan-line.js";
import { createScan } from "../../features/tokens.js";
import type { Table } from "../../models/table.js";
import { rowMeansOf } from "../../network/pool.js";
import { encodeLines } from "../transformer/encode.js";
import { openEncoder, type EncoderFolder } from "../transformer/library.js";
import type { Pooling } from "../transformer/transformer-folder.js";

export interface LineEncoder {
  /** The number of values for one line. */
  readonly width: number;
  /** Returns lines × width values. Encodes each line alone: other lines must not change its vector. */
  encode(texts: readonly string[]): Promise<Float32Array>;
  close(): Promise<void>;
}

/* Counts of the words and signs that BoilerNet knows. */

/** How many characters of a line are read; longer lines are generated. */
const MOST_CHARACTERS = 20_000;

/** A run of letters and digits, or one other visible character: mostly the same tokens as in the paper. */
const WORD = /[\p{L}\p{M}\p{N}]+|[^\s\p{L}\p{M}\p{N}]/gu;

/** Splits the beginning of a text into such words, in lower case. */
export function wordsOf(text: string): string[] {
  return text.slice(0, MOST_CHARACTERS).toLowerCase().match(WORD) ?? [];
}

/** Creates an encoder that counts each known word, and all other words together. */
export function createWordEncoder(words: readonly string[]): LineEncoder {
  const known = new Map(words.map((word, at) => [word, at]));
  const width = words.length + 1;
  return {
    width,
    encode(texts) {
      const values = new Float32Array(texts.length * width);
      for (const [line, text] of texts.entries()) {
        for (const word of wordsOf(text)) {
          const at = line * width + (known.get(word) ?? words.length);
          values[at] = (values[at] ?? 0) + 1;
        }
      }
      return Promise.resolve(values);
    },
    close: () => Promise.resolve(),
  };
}

/* The input vector of the networks of `text` and `page`: the line's own columns and pooled n-grams. */

/** The columns that depend on the line alone; the columns after them depend on its place in the document. */
export const OWN_COLUMNS = COLUMNS.slice(0, AT.position);

/** Creates an encoder from a table that is not trained further. `bags`: how many of BAGS it has, from the first on. */
export function createBagEncoder(table: Table, bags: number): LineEncoder {
  const columns = OWN_COLUMNS.length;
  const width = columns + bags * table.width;
  const means = rowMeansOf(table);
  const scan = createScan();
  const found = createBags();
  const row = new Float32Array(COLUMN_COUNT);
  return {
    width,
    encode(texts) {
      const values = new Float32Array(texts.length * width);
      for (const [line, text] of texts.entries()) {
        const base = line * width;
        scanLine(scan, text);
        row.fill(0);
        fillLine(scan, text, row, 0);
        values.set(row.subarray(0, columns), base);
        fillBags(scan, found, bags);
        for (let bag = 0; bag < bags; bag++)
          means.write(values, base + columns + bag * table.width, bagOf(found, bag), found.counts[bag] ?? 0);
      }
      return Promise.resolve(values);
    },
    close: () => Promise.resolve(),
  };
}

/* A transformer in the layout of the Hugging Face hub, like the BERT of MultiBoilerNet. */

export interface TransformerPlan extends EncoderFolder {
  /** How a line's tokens become its vector; the paper takes the first. */
  readonly pooling: Pooling;
  /** A line is truncated to this many tokens, including the special tokens around it. */
  readonly maxTokens: number;
}

/** Opens a transformer as encoder. Throws UsageError when the optional package is missing or the folder is unusable. */
export async function openTransformerEncoder(plan: TransformerPlan): Promise<LineEncoder> {
  const encoder = await openEncoder(plan);
  const { pooling: how, maxTokens } = plan;
  if (encoder.highest >= encoder.known) {
    await encoder.close();
    plan.refuse(
      `its tokenizer has token numbers up to ${encoder.highest}, but its encoder knows only ${encoder.known} tokens`,
    );
  }
  const encode = (texts: readonly string[]): ReturnType<typeof encodeLines> =>
    encodeLines(texts, { encoder, maxTokens, how });
  // Encode any line to find the width of the vectors.
  const { width } = await encode(["a"]);
  return {
    width,
    encode: async (texts) => (await encode(texts)).data,
    close: () => encoder.close(),
  };
}
