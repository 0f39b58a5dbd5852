/**
 * Pools the word pieces of a text into weighted means, over the text and over its first words. Each piece has values in
 * groups (heads) and a weight for each group. The position of a piece does not matter, so words are counted, and the
 * pieces of each distinct word are summed once.
 */
import { WORD_START, type Vocabulary } from "../features/pieces/vocabulary.js";
import { createPieceSums, type PieceTable } from "./piece-sums.js";
import { MOST_WORDS, scanText, type TextScan, type VisitWord } from "./scan-text.js";

/** How many words at the beginning of a text are also pooled by themselves. */
export const FIRST_WORDS = 40;
/** Slots of the open-addressed hash table of known words. */
const SLOTS = 1 << 17;
const MOST_KNOWN = Math.floor(SLOTS * 0.6);
/** Room for the pieces of known words, about three for each. */
const MOST_PIECES = 1 << 19;
/**
 * The most pieces of a text: NFKC makes at most eighteen characters of one letter. The extra room is needed because
 * known words are forgotten only between texts.
 */
const PIECES_OF_TEXT = 18 * MOST_WORDS;
/**
 * Numbers in the entry of a word: its two hashes, where its pieces begin, and where it was last met. Most words are one
 * piece; then the bitwise complement of the piece's number, which is below 0, replaces the offset.
 */
const ENTRY = 4;
const PIECES = 2;
/** In the high 16 bits the number of the text, in the low 16 bits the place of the word's first piece in that text. */
const MET = 3;
const MOST_TEXTS = 0xffff;
/** As many as one byte can number. */
const LANGUAGES = 256;
/** Added to the sum of weights, so that a text without pieces does not divide by 0. */
const NEAR_NOTHING = 1e-3;

export interface RegisterTable extends PieceTable {
  readonly vocabulary: Vocabulary;
  /** For each piece, the number of the language in which it is a word, from 1 on, or 0 if it is not known. */
  readonly pieceLanguages: Uint8Array;
}

interface PooledText extends TextScan {
  /** The means over the whole text, then those over its first words. */
  readonly pooled: Float32Array;
  /** How many pieces the words were cut into; a word without pieces counts as one. */
  readonly pieces: number;
  /** Counts of distinct words: at 0 the words of no known language, then those of each language by its number. */
  readonly languages: Uint16Array;
}

interface RegisterPool {
  read(text: string): PooledText;
}

/** Creates a pool, which remembers the words of earlier texts. It reads one text at a time. */
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

  /** Adds the pieces of a word that is new in this text, and returns the place of the first piece. */
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
  /** Writes the means over all words so far into `pooled`, from the index `into` on. */
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

/** Divides each head's sums by its sum of weights, which follows them. */
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
  /** ENTRY numbers for each slot. */
  readonly entries: Int32Array;
  /** For each word of several pieces or none, the count of its pieces, then their numbers. */
  readonly pieces: Uint16Array;
  /** Forgets all words if there is little room left or `must` is true; returns whether it did. */
  makeRoom(must: boolean): boolean;
  /** Returns where the entry of a word begins; adds the word if it is new. */
  entryOf(text: string, start: number, end: number, one: number, other: number): number;
}

/**
 * Creates the table of known words. Two hashes of 32 bits identify a word, so that a known word needs no string. All
 * data of a word lies side by side: by then the labeller has pushed the table out of the processor's cache, and reading
 * a cache line from memory costs more than the work on its data.
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
