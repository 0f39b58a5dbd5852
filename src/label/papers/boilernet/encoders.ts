/** Makes one vector of the text of each line, which BoilerNet's network reads: by known words, by n-grams, or by a transformer. */
import { BAGS, bagOf, createBags, fillBags } from "../../features/bags.js";
import { AT, COLUMN_COUNT, COLUMNS } from "../../features/columns.js";
import { fillLine } from "../../features/line-columns.js";
import { scanLine } from "../../features/scan-line.js";
import { createScan } from "../../features/tokens.js";
import { rowMeansOf, type Table } from "../../network/pool.js";
import { encodeLines } from "../transformer/encode.js";
import { openEncoder, type EncoderFolder } from "../transformer/library.js";
import type { Pooling } from "../transformer/transformer-folder.js";

export interface LineEncoder {
  /** Values of one line. */
  readonly width: number;
  /** lines × width. Each line alone: what is beside it must not touch its vector. */
  encode(texts: readonly string[]): Promise<Float32Array>;
  close(): Promise<void>;
}

/* Counts of the words and signs that BoilerNet knows. */

/** Characters of a line that are read; longer ones are generated. */
const MOST_CHARACTERS = 20_000;

/** A run of letters and digits, or one other sign, as the tokeniser of the paper cuts them for the most part. */
const WORD = /[\p{L}\p{M}\p{N}]+|[^\s\p{L}\p{M}\p{N}]/gu;

export function wordsOf(text: string): string[] {
  return text.slice(0, MOST_CHARACTERS).toLowerCase().match(WORD) ?? [];
}

/** One value for each known word and one for all others. */
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

/* The vector that the networks of `text` and `page` make theirs from: the line's own columns and pooled n-grams. */

/** The columns that a line alone decides; those after them are of its place in the document. */
export const OWN_COLUMNS = COLUMNS.slice(0, AT.position);

/** `bags`: how many of BAGS, from the first on, the table knows. Nothing in it is trained further. */
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

/** The names of so many bags. */
export function bagNames(count: number): readonly string[] {
  return BAGS.slice(0, count);
}

/* A transformer in the layout of the Hugging Face hub, as MultiBoilerNet has BERT. */

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
