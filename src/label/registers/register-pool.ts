/**
 * Pools the word pieces of a text: each piece has values and, for each group of values, a weight, and what counts is the
 * weighted mean over the text, and over its first words. A piece means the same wherever it stands, so a word's sums are
 * computed once and remembered.
 */
import { codeUnit } from "../../code-unit.js";
import { WORD_START, type Vocabulary } from "../features/pieces/vocabulary.js";
import { LONGEST_WORD, MOST_WORDS, scanText, type TextScan, type VisitWord } from "./scan-text.js";

/** Words at the front of a text that are pooled once more by themselves. */
export const FIRST_WORDS = 40;
/** Words that are remembered, by an open-addressed table of so many slots. */
const SLOTS = 1 << 16;
const MOST_KNOWN = Math.floor(SLOTS * 0.6);
/** The memory is emptied between texts only. */
const MOST_ROWS = MOST_KNOWN + MOST_WORDS;
/** Numbers that are kept of a word, and where some of them stand. */
const ENTRY = 5;
const NUMBER = 2;
/** The text in which it was met last, and its place among that text's different words. */
const MET = 3;
const PLACE = 4;
/** As a byte can number them. */
const LANGUAGES = 256;
/** Texts are numbered so far. */
const MOST_TEXTS = 0x7fffffff;
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
  const visit: VisitWord = (text, start, end) => memory.count(text, start, end);
  const whole = new Float64Array(row);
  const first = new Float64Array(row);
  return {
    read(text) {
      const languages = memory.begin();
      const scan = scanText(text, visit);
      memory.sum(whole, first);
      const pooled = new Float32Array(2 * values);
      for (const [at, part] of [whole, first].entries())
        for (let head = 0; head < heads; head++) {
          const weight = (part[values + head] ?? 0) + NEAR_NOTHING;
          const end = (head + 1) * headWidth;
          for (let column = head * headWidth; column < end; column++)
            pooled[at * values + column] = (part[column] ?? 0) / weight;
        }
      return { ...scan, pooled, pieces: whole[row - 1] ?? 0, languages };
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
  /** By entry, of ENTRY numbers: both hashes, the word's number from 0 on, then where it was met last: MET and PLACE. */
  readonly entries: Int32Array;
  /** By a word's number. */
  readonly rows: Float32Array;
  readonly languages: Uint8Array;
  /** Forgets all words where they are many, or must be forgotten, and tells whether it did. */
  makeRoom(must: boolean): boolean;
  /** Where the entry of a word begins. */
  entryOf(text: string, start: number, end: number): number;
}

/**
 * Words are known by two hashes of 32 bits, so that no string is made of one that was met before. What is kept of a word
 * stands side by side, and rows stand without gaps: the labeller has pushed them out of the processor's cache, so each
 * line of memory costs more than what is done with it.
 */
function createWordStore(row: number, sumWord: SumWord): WordStore {
  const entries = new Int32Array(ENTRY * SLOTS);
  const rows = new Float32Array(MOST_ROWS * row);
  const languages = new Uint8Array(MOST_ROWS);
  let known = 0;
  return {
    entries,
    rows,
    languages,
    makeRoom(must) {
      if (known < MOST_KNOWN && !must) return false;
      entries.fill(0);
      known = 0;
      return true;
    },
    entryOf(text, start, end) {
      let one = 0x811c9dc5 | 0;
      let other = end - start;
      for (let at = start; at < end; at++) {
        const unit = codeUnit(text, at);
        one = Math.imul(one ^ unit, 0x01000193);
        other = Math.imul(other, 31) + unit;
      }
      one ||= 1; // 0 is an empty slot
      other |= 0;
      let slot = (one ^ (one >>> 15)) & (SLOTS - 1);
      let entry = ENTRY * slot;
      while (entries[entry] !== 0 && (entries[entry] !== one || entries[entry + 1] !== other)) {
        slot = (slot + 1) & (SLOTS - 1);
        entry = ENTRY * slot;
      }
      if (entries[entry] === 0) {
        entries[entry] = one;
        entries[entry + 1] = other;
        entries[entry + NUMBER] = known;
        languages[known] = sumWord(text.slice(start, end), rows, known * row);
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
  count(text: string, start: number, end: number): boolean;
  /** Writes the sums over all words of the text, and over its first ones. */
  sum(whole: Float64Array, first: Float64Array): void;
}

/** The sums of a word are read once a text, however often the word stands in it. */
function createMemory(row: number, sumWord: SumWord): Memory {
  const store = createWordStore(row, sumWord);
  const { entries, rows, languages } = store;
  /** By place among the text's words: the word's number, and how often it is there. */
  const numbers = new Uint16Array(MOST_WORDS);
  const counts = new Uint16Array(MOST_WORDS);
  const firstCounts = new Uint16Array(MOST_WORDS);
  let text = 0;
  let words = 0;
  let different = 0;
  let byLanguage = new Uint16Array(0);
  return {
    begin() {
      text = store.makeRoom(text === MOST_TEXTS) ? 1 : text + 1;
      words = 0;
      different = 0;
      byLanguage = new Uint16Array(LANGUAGES);
      return byLanguage;
    },
    count(of, start, end) {
      const entry = store.entryOf(of, start, end);
      const isRepeated = entries[entry + MET] === text;
      if (!isRepeated) {
        entries[entry + MET] = text;
        entries[entry + PLACE] = different;
        const number = entries[entry + NUMBER] ?? 0;
        numbers[different] = number;
        const language = languages[number] ?? 0;
        byLanguage[language] = (byLanguage[language] ?? 0) + 1;
        counts[different] = 0;
        firstCounts[different] = 0;
        different += 1;
      }
      const place = entries[entry + PLACE] ?? 0;
      counts[place] = (counts[place] ?? 0) + 1;
      if (words < FIRST_WORDS) firstCounts[place] = (firstCounts[place] ?? 0) + 1;
      words += 1;
      return isRepeated;
    },
    sum(whole, first) {
      whole.fill(0);
      first.fill(0);
      for (let place = 0; place < different; place++) {
        const base = (numbers[place] ?? 0) * row;
        addRow(rows, base, counts[place] ?? 0, whole);
        const firstCount = firstCounts[place] ?? 0;
        if (firstCount > 0) addRow(rows, base, firstCount, first);
      }
    },
  };
}

function addRow(rows: Float32Array, base: number, times: number, into: Float64Array): void {
  for (let column = 0; column < into.length; column++)
    into[column] = (into[column] ?? 0) + times * (rows[base + column] ?? 0);
}
