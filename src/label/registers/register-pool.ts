/**
 * Pools the word pieces of a text: each piece has values and, for each group of values, a weight, and what counts is the
 * weighted mean over the text, and over its first words. A piece means the same wherever it stands, so a word's sums are
 * computed once and remembered.
 */
import { WORD_START, type Vocabulary } from "../features/pieces/vocabulary.js";
import { LONGEST_WORD, MOST_WORDS, scanText, type TextScan, type VisitWord } from "./scan-text.js";
import { createWordRows, type WordRows } from "./word-rows.js";

/** Words at the front of a text that are pooled once more by themselves. */
export const FIRST_WORDS = 40;
/** Words that are remembered, by an open-addressed table of so many slots. */
const SLOTS = 1 << 16;
const MOST_KNOWN = Math.floor(SLOTS * 0.6);
/** The memory is emptied between texts only. */
const MOST_ROWS = MOST_KNOWN + MOST_WORDS;
/** Numbers that are kept of a word: both hashes, then two that are shared by two things each. */
const ENTRY = 4;
/** The word's number in the low 16 bits, and above its place among the different words of the text in which it was met last. */
const NUMBERS = 2;
/** The word's language in the low 8 bits, and above the number of that text. */
const MET = 3;
/** As a byte can number them. */
const LANGUAGES = 256;
/** Texts are numbered so far. */
const MOST_TEXTS = 0x7f_ffff;
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
  /** Of each piece the number of the language of which it is a word, from 1 on, or 0. */
  readonly pieceLanguages: Uint8Array;
}

export interface PooledText extends TextScan {
  /** The means over the whole text, then those over its first words. */
  readonly pooled: Float32Array;
  /** Into how many pieces the words were cut; a word of none counts as one. */
  readonly pieces: number;
  /** Of the different words how many are of no known language, then of each by its number. */
  readonly languages: Uint16Array;
}

export interface RegisterPool {
  read(text: string): PooledText;
}

export function createRegisterPool(model: RegisterTable): RegisterPool {
  const { heads, headWidth } = model;
  const values = heads * headWidth;
  // Behind values and weights, how many pieces there are.
  const row = values + heads + 1;
  const memory = createMemory(row, createWordSums(model, row));
  const visit: VisitWord = (text, start, end, one, other) => memory.count(text, start, end, one, other);
  /** Writes the means of values by their sums, which stand before those of the weights. */
  const writeMeans = (sums: Float32Array, pooled: Float32Array): void => {
    for (let head = 0; head < heads; head++) {
      const weight = (sums[values + head] ?? 0) + NEAR_NOTHING;
      const end = (head + 1) * headWidth;
      for (let column = head * headWidth; column < end; column++)
        pooled[column] = (sums[column] ?? 0) / weight;
    }
  };
  return {
    read(text) {
      const languages = memory.begin();
      const scan = scanText(text, visit);
      const pooled = new Float32Array(2 * values);
      writeMeans(memory.sumFirst(), pooled.subarray(values));
      const sums = memory.sumAll();
      writeMeans(sums, pooled);
      return { ...scan, pooled, pieces: sums[row - 1] ?? 0, languages };
    },
  };
}

/** Writes the sum of weighted values, and of weights, of a word's pieces, and their number; it returns the word's language. */
type SumWord = (word: string, into: Float32Array, base: number) => number;

function createWordSums(
  { vocabulary, table, heads, headWidth, scale, weightScale, pieceLanguages }: RegisterTable,
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
    return count === 1 ? (pieceLanguages[numbers[0] ?? 0] ?? 0) : 0;
  };
}

interface WordStore {
  /** Of ENTRY numbers each. */
  readonly entries: Int32Array;
  /** Forgets all words where they are many, or must be forgotten, and tells whether it did. */
  makeRoom(must: boolean): boolean;
  /** Where the entry of a word begins. */
  entryOf(text: string, start: number, end: number, one: number, other: number): number;
}

/**
 * Words are known by two hashes of 32 bits, so that no string is made of one that was met before. What is kept of a word
 * stands side by side, and rows stand without gaps: the labeller has pushed them out of the processor's cache, so each
 * line of memory costs more than what is done with it.
 */
function createWordStore({ rows, stride }: WordRows, sumWord: SumWord): WordStore {
  const entries = new Int32Array(ENTRY * SLOTS);
  let known = 0;
  return {
    entries,
    makeRoom(must) {
      if (known < MOST_KNOWN && !must) return false;
      entries.fill(0);
      known = 0;
      return true;
    },
    entryOf(text, start, end, hash, other) {
      const one = hash || 1; // 0 is an empty slot
      let slot = (one ^ (one >>> 15)) & (SLOTS - 1);
      let entry = ENTRY * slot;
      while (entries[entry] !== 0 && (entries[entry] !== one || entries[entry + 1] !== other)) {
        slot = (slot + 1) & (SLOTS - 1);
        entry = ENTRY * slot;
      }
      if (entries[entry] === 0) {
        entries[entry] = one;
        entries[entry + 1] = other;
        entries[entry + NUMBERS] = known;
        entries[entry + MET] = sumWord(text.slice(start, end), rows, known * stride);
        known += 1;
      }
      return entry;
    },
  };
}

interface Memory {
  /** Begins a text: no word was met in it. It returns what counts the text's different words by language. */
  begin(): Uint16Array;
  /** Counts a word, and tells whether it was met before in this text. */
  count(text: string, start: number, end: number, one: number, other: number): boolean;
  /** The sums over all words of the text, or over its first ones; valid until either is called again. */
  sumAll(): Float32Array;
  sumFirst(): Float32Array;
}

/** The sums of a word are read once a text, however often the word stands in it. */
function createMemory(row: number, sumWord: SumWord): Memory {
  const wordRows = createWordRows(row, MOST_ROWS, MOST_WORDS);
  const { numbers, counts, firstCounts } = wordRows;
  const store = createWordStore(wordRows, sumWord);
  const { entries } = store;
  let text = 0;
  let words = 0;
  let different = 0;
  let firstDifferent = 0;
  let byLanguage = new Uint16Array(0);
  return {
    begin() {
      text = store.makeRoom(text === MOST_TEXTS) ? 1 : text + 1;
      words = 0;
      different = 0;
      firstDifferent = 0;
      byLanguage = new Uint16Array(LANGUAGES);
      return byLanguage;
    },
    count(of, start, end, one, other) {
      const entry = store.entryOf(of, start, end, one, other);
      const met = entries[entry + MET] ?? 0;
      const isRepeated = met >>> 8 === text;
      let place = (entries[entry + NUMBERS] ?? 0) >>> 16;
      if (!isRepeated) {
        place = different;
        const number = (entries[entry + NUMBERS] ?? 0) & 0xffff;
        const language = met & 0xff;
        entries[entry + NUMBERS] = (place << 16) | number;
        entries[entry + MET] = (text << 8) | language;
        numbers[place] = number;
        byLanguage[language] = (byLanguage[language] ?? 0) + 1;
        counts[place] = 0;
        firstCounts[place] = 0;
        different += 1;
      }
      counts[place] = (counts[place] ?? 0) + 1;
      if (words < FIRST_WORDS) {
        firstCounts[place] = (firstCounts[place] ?? 0) + 1;
        firstDifferent = different;
      }
      words += 1;
      return isRepeated;
    },
    sumAll: () => wordRows.sum(different, counts),
    sumFirst: () => wordRows.sum(firstDifferent, firstCounts),
  };
}
