/**
 * Pools the word pieces of a text: each piece has values and, for each group of values, a weight, and what counts is the
 * weighted mean over the text, and over its first words. A piece means the same wherever it stands, so words are counted, and the
 * pieces of each different one are summed once.
 */
import { WORD_START, type Vocabulary } from "../features/pieces/vocabulary.js";
import { createPieceSums, type PieceTable } from "./piece-sums.js";
import { MOST_WORDS, scanText, type TextScan, type VisitWord } from "./scan-text.js";

/** Words at the front of a text that are pooled once more by themselves. */
export const FIRST_WORDS = 40;
/** Words that are remembered, by an open-addressed table of so many slots. */
const SLOTS = 1 << 17;
const MOST_KNOWN = Math.floor(SLOTS * 0.6);
/** Room for their pieces, which are three a word. */
const MOST_PIECES = 1 << 19;
/** Pieces of a text, since no letter of it has a compatibility form of more than eighteen. The memory is emptied between texts only. */
const PIECES_OF_TEXT = 18 * MOST_WORDS;
/**
 * Numbers that are kept of a word: both hashes, where its pieces begin, and where it was met last. Most words are one piece, whose
 * number stands there itself, below 0 (its complement).
 */
const ENTRY = 4;
const PIECES = 2;
/** The number of the text, and in the low 16 bits the place of the first of its pieces among those of that text. */
const MET = 3;
const MOST_TEXTS = 0xffff;
/** As a byte can number them. */
const LANGUAGES = 256;
/** So small a sum of weights is that of no piece. */
const NEAR_NOTHING = 1e-3;

export interface RegisterTable extends PieceTable {
  readonly vocabulary: Vocabulary;
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
  const { heads, headWidth, vocabulary, pieceLanguages } = model;
  const store = createWordStore(vocabulary);
  const { entries, pieces: known } = store;
  const summing = createPieceSums(model, PIECES_OF_TEXT);
  const { numbers, counts, sums, stride } = summing;
  let text = 0;
  let words = 0;
  let pieces = 0;
  let places = 0;
  let languages = new Uint16Array(0);
  let pooled = new Float32Array(0);

  /** Adds the pieces of a word that was not met in this text, and returns the place of the first. */
  const add = (from: number): number => {
    const first = places;
    const length = from < 0 ? 1 : (known[from] ?? 0);
    for (let at = 0; at < length; at++) {
      numbers[places] = from < 0 ? ~from : (known[from + 1 + at] ?? 0);
      counts[places] = 0;
      places += 1;
    }
    const language = from < 0 ? (pieceLanguages[~from] ?? 0) : 0;
    languages[language] = (languages[language] ?? 0) + 1;
    return first;
  };
  const visit: VisitWord = (of, start, end, one, other) => {
    const entry = store.entryOf(of, start, end, one, other);
    const from = entries[entry + PIECES] ?? 0;
    let met = entries[entry + MET] ?? 0;
    const isRepeated = met >>> 16 === text;
    if (!isRepeated) {
      met = (text << 16) | add(from);
      entries[entry + MET] = met;
    }
    const length = from < 0 ? 1 : (known[from] ?? 0);
    const first = met & 0xffff;
    for (let place = first; place < first + length; place++) counts[place] = (counts[place] ?? 0) + 1;
    pieces += Math.max(length, 1);
    words += 1;
    if (words === FIRST_WORDS) writeMeans(heads * headWidth);
    return isRepeated;
  };
  /** Of all words so far, from a place of `pooled` on. */
  const writeMeans = (into: number): void => {
    summing.add(places);
    averageInto(pooled.subarray(into), sums, model, stride);
  };
  return {
    read(of) {
      text = store.makeRoom(text === MOST_TEXTS) ? 1 : text + 1;
      words = 0;
      pieces = 0;
      places = 0;
      languages = new Uint16Array(LANGUAGES);
      pooled = new Float32Array(2 * heads * headWidth);
      const scan = scanText(of, visit);
      if (words < FIRST_WORDS) writeMeans(heads * headWidth);
      writeMeans(0);
      return { ...scan, pooled, pieces, languages };
    },
  };
}

/** Divides each head's sums by its sum of weights, which stands behind them. */
function averageInto(
  means: Float32Array,
  sums: Float32Array,
  { heads, headWidth }: PieceTable,
  stride: number,
): void {
  for (let head = 0; head < heads; head++) {
    const weight = (sums[head * stride + headWidth] ?? 0) + NEAR_NOTHING;
    for (let column = 0; column < headWidth; column++)
      means[head * headWidth + column] = (sums[head * stride + column] ?? 0) / weight;
  }
}

interface WordStore {
  /** Of ENTRY numbers each. */
  readonly entries: Int32Array;
  /** Of each word how many pieces it has, and then those. */
  readonly pieces: Uint16Array;
  /** Forgets all words where they are many, or must be forgotten, and tells whether it did. */
  makeRoom(must: boolean): boolean;
  /** Where the entry of a word begins. */
  entryOf(text: string, start: number, end: number, one: number, other: number): number;
}

/**
 * Words are known by two hashes of 32 bits, so that no string is made of one that was met before. What is kept of a word
 * stands side by side: the labeller has pushed it out of the processor's cache, so each line of memory costs more than what is
 * done with it.
 */
function createWordStore(vocabulary: Vocabulary): WordStore {
  const entries = new Int32Array(ENTRY * SLOTS);
  const pieces = new Uint16Array(MOST_PIECES + PIECES_OF_TEXT + MOST_WORDS);
  let known = 0;
  let used = 0;
  return {
    entries,
    pieces,
    makeRoom(must) {
      if (known < MOST_KNOWN && used < MOST_PIECES && !must) return false;
      entries.fill(0);
      known = 0;
      used = 0;
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
        const word = WORD_START + text.slice(start, end).normalize("NFKC");
        const behind = vocabulary.cut(word, pieces, used + 1);
        const length = behind - used - 1;
        pieces[used] = length;
        entries[entry + PIECES] = length === 1 ? ~(pieces[used + 1] ?? 0) : used;
        if (length !== 1) used = behind;
        known += 1;
      }
      return entry;
    },
  };
}
