/**
 * Pools the word pieces of a text: each piece has values and, for each group of values, a weight, and what counts is the
 * weighted mean over the text, and over its first words. A piece means the same wherever it stands, so a word's sums are
 * computed once and remembered.
 */
import { codeUnit } from "../../code-unit.js";
import { WORD_START, type Vocabulary } from "../features/pieces/vocabulary.js";
import { LONGEST_WORD, scanText, type TextScan } from "./scan-text.js";

/** Words at the front of a text that are pooled once more by themselves. */
export const FIRST_WORDS = 40;
/** Words that are remembered, by an open-addressed table of so many slots. */
const SLOTS = 1 << 16;
const MOST_KNOWN = SLOTS * 0.6;
/** So small a sum of weights is that of no piece. */
const NEAR_NOTHING = 1e-3;

export interface RegisterTable {
  readonly vocabulary: Vocabulary;
  /** Of each piece `heads` × `headWidth` values, then `heads` weights as exponents; times `scale`, and `weightScale`. */
  readonly table: Int8Array;
  readonly heads: number;
  readonly headWidth: number;
  readonly scale: number;
  readonly weightScale: number;
}

export interface PooledText extends TextScan {
  /** The means over the whole text, then those over its first words. */
  readonly pooled: Float32Array;
  /** Into how many pieces the words were cut; a word of none counts as one. */
  readonly pieces: number;
}

export interface RegisterPool {
  read(text: string): PooledText;
}

export function createRegisterPool(model: RegisterTable): RegisterPool {
  const { heads, headWidth } = model;
  const values = heads * headWidth;
  // Behind values and weights, how many pieces there are.
  const row = values + heads + 1;
  const sumWord = createWordSums(model, row);
  const memory = createMemory(row, sumWord);
  const sums = new Float64Array(row);
  const first = new Float64Array(row);
  let words = 0;
  const visit = (text: string, start: number, end: number): boolean => {
    if (words === FIRST_WORDS) first.set(sums);
    words += 1;
    return memory.add(text, start, end, sums);
  };
  return {
    read(text) {
      sums.fill(0);
      words = 0;
      memory.begin();
      const scan = scanText(text, visit);
      if (words <= FIRST_WORDS) first.set(sums);
      const pooled = new Float32Array(2 * values);
      for (const [at, part] of [sums, first].entries())
        for (let column = 0; column < values; column++) {
          const weight = (part[values + Math.floor(column / headWidth)] ?? 0) + NEAR_NOTHING;
          pooled[at * values + column] = (part[column] ?? 0) / weight;
        }
      return { ...scan, pooled, pieces: sums[row - 1] ?? 0 };
    },
  };
}

type SumWord = (word: string, into: Float32Array, base: number) => void;

/** Writes the sum of weighted values, and of weights, of a word's pieces, and their number. */
function createWordSums(
  { vocabulary, table, heads, headWidth, scale, weightScale }: RegisterTable,
  row: number,
): SumWord {
  // Compatibility forms may be several letters long; no known one has more than eighteen.
  const numbers = new Uint16Array(18 * (LONGEST_WORD + 2));
  /** By the byte that stands for it. */
  const weights = Float64Array.from({ length: 256 }, (_, byte) =>
    Math.exp(((byte << 24) >> 24) * weightScale),
  );
  return (word, into, base) => {
    into.fill(0, base, base + row);
    const count = vocabulary.cut(WORD_START + word.normalize("NFKC"), numbers, 0);
    into[base + row - 1] = Math.max(count, 1);
    for (let at = 0; at < count; at++) {
      const piece = (numbers[at] ?? 0) * (row - 1);
      for (let head = 0; head < heads; head++) {
        const weight = weights[(table[piece + heads * headWidth + head] ?? 0) & 255] ?? 0;
        const scaled = weight * scale;
        const end = (head + 1) * headWidth;
        for (let column = head * headWidth; column < end; column++)
          into[base + column] = (into[base + column] ?? 0) + scaled * (table[piece + column] ?? 0);
        const place = base + heads * headWidth + head;
        into[place] = (into[place] ?? 0) + weight;
      }
    }
  };
}

interface Memory {
  /** Begins a text: no word was met in it. */
  begin(): void;
  /** Adds a word's sums, and tells whether it was met before in this text. */
  add(text: string, start: number, end: number, into: Float64Array): boolean;
}

/** Words are known by two hashes of 32 bits, so that no string is made of one that was met before. */
function createMemory(row: number, sumWord: SumWord): Memory {
  const hashes = new Int32Array(2 * SLOTS);
  const met = new Uint32Array(SLOTS);
  const rows = new Float32Array(SLOTS * row);
  let known = 0;
  let text = 0;
  return {
    begin() {
      text += 1;
      if (known < MOST_KNOWN && text < 0xffffffff) return;
      hashes.fill(0);
      met.fill(0);
      known = 0;
      text = 1;
    },
    add(of, start, end, into) {
      let one = 0x811c9dc5 | 0;
      let other = end - start;
      for (let at = start; at < end; at++) {
        const unit = codeUnit(of, at);
        one = Math.imul(one ^ unit, 0x01000193);
        other = Math.imul(other, 31) + unit;
      }
      one ||= 1; // 0 is an empty slot
      other |= 0;
      let slot = (one ^ (one >>> 15)) & (SLOTS - 1);
      while (hashes[2 * slot] !== 0 && (hashes[2 * slot] !== one || hashes[2 * slot + 1] !== other))
        slot = (slot + 1) & (SLOTS - 1);
      const base = slot * row;
      if (hashes[2 * slot] === 0) {
        hashes[2 * slot] = one;
        hashes[2 * slot + 1] = other;
        known += 1;
        sumWord(of.slice(start, end), rows, base);
      }
      for (let column = 0; column < row; column++)
        into[column] = (into[column] ?? 0) + (rows[base + column] ?? 0);
      const isRepeated = met[slot] === text;
      met[slot] = text;
      return isRepeated;
    },
  };
}
