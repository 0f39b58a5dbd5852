/**
 * Reads the word pieces of a model and cuts words into the pieces with the highest sum of scores (unigram language
 * model: Kudo 2018, "Subword Regularization", section 3.2).
 */
import { codeUnit } from "../../../code-unit.js";

/** Marks the beginning of a word, like in SentencePiece. */
export const WORD_START = "\u2581";
/** Scores are stored in 16 bits, with this many steps per nat. */
export const SCORE_STEPS = 2048;
/** The score of a character that no piece has is this far below the lowest score, in nats. */
const UNKNOWN = 10;

export interface Vocabulary {
  readonly size: number;
  /** Writes the piece numbers of a word from `at` on; returns the index after them. Skips unknown characters. */
  cut(word: string, into: Uint16Array, at: number): number;
}

/**
 * Reads a vocabulary from `bytes`: the number of pieces (32 bits) and a score per piece (16 bits, see SCORE_STEPS), all
 * little-endian, then the pieces in UTF-8, each followed by a line feed. Throws RangeError for any other format.
 */
export function readVocabulary(bytes: Uint8Array): Vocabulary {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = bytes.length < 4 ? Infinity : view.getUint32(0, true);
  if (4 + 2 * size > bytes.length)
    throw new RangeError("it is not the pieces.bin of a model, or it is cut short");
  const scores = Float32Array.from(
    { length: size },
    (_, at) => -view.getUint16(4 + 2 * at, true) / SCORE_STEPS,
  );
  const pieces = new TextDecoder().decode(bytes.subarray(4 + 2 * size)).split("\n");
  if (pieces.pop() !== "" || pieces.length !== size)
    throw new RangeError(`${size} pieces are announced, but there are ${pieces.length}`);
  return createVocabulary(pieces, scores);
}

/** Creates a vocabulary of pieces with a score for each, in nats. Throws RangeError for too many pieces or letters. */
export function createVocabulary(pieces: readonly string[], scores: Float32Array): Vocabulary {
  const trie = createTrie(pieces);
  const unknown = scores.reduce((least, score) => Math.min(least, score), 0) - UNKNOWN;
  return { size: pieces.length, cut: createCutter(trie, scores, unknown) };
}

/** A trie of the pieces, as an open-addressed hash table: a step is one lookup. */
interface Trie {
  /** By code unit: its number among the code units of all pieces, from 1 on, or 0 if no piece has it. */
  readonly letters: Uint16Array;
  /** By node: the piece that ends there, or -1. */
  readonly piece: Int32Array;
  /** Returns the child of a node for a letter, or 0 if it has no such child. The root is 0. */
  readonly step: (node: number, letter: number) => number;
}

/** A key of the trie has 31 bits: the letter in the low ones, the node above. */
const LETTER_BITS = 13;

function createTrie(pieces: readonly string[]): Trie {
  const units = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const slots = 2 ** Math.ceil(Math.log2(2 * units + 2));
  const letters = new Uint16Array(0x10000);
  const keys = new Int32Array(slots);
  const children = new Int32Array(slots);
  const piece = new Int32Array(units + 1).fill(-1);
  let known = 0;
  let nodes = 0;
  /** Returns the slot of a child, or the free slot where it belongs. */
  const slotOf = (key: number): number => {
    let slot = Math.imul(key, 0x9e3779b1);
    for (slot = (slot ^ (slot >>> 15)) & (slots - 1); ; slot = (slot + 1) & (slots - 1))
      if (keys[slot] === key || keys[slot] === 0) return slot;
  };
  for (const [number, text] of pieces.entries()) {
    let node = 0;
    for (let at = 0; at < text.length; at++) {
      const unit = codeUnit(text, at);
      const letter = (letters[unit] ||= known += 1);
      const key = (node << LETTER_BITS) | letter;
      const slot = slotOf(key);
      if (children[slot] === 0) {
        keys[slot] = key;
        children[slot] = nodes += 1;
      }
      node = children[slot] ?? 0;
    }
    piece[node] = number;
  }
  if (known >= 2 ** LETTER_BITS || nodes >= 2 ** (31 - LETTER_BITS))
    throw new RangeError(`${pieces.length} pieces of ${known} letters are more than a vocabulary can have`);
  return { letters, piece, step: (node, letter) => children[slotOf((node << LETTER_BITS) | letter)] ?? 0 };
}

/** Buffers for the search, which grow with the longest word. */
interface Paths {
  /** The word in the trie's letters. */
  readonly letters: Uint16Array;
  /** By index in the word: the best sum of scores up to it, the last piece of that cut, and where that piece begins. */
  readonly sums: Float64Array;
  readonly pieces: Int32Array;
  readonly starts: Int32Array;
}

function createPaths(units: number): Paths {
  return {
    letters: new Uint16Array(units + 1),
    sums: new Float64Array(units + 1),
    pieces: new Int32Array(units + 1),
    starts: new Int32Array(units + 1),
  };
}

function createCutter(trie: Trie, scores: Float32Array, unknown: number): Vocabulary["cut"] {
  let paths = createPaths(64);
  return (word, into, at) => {
    if (word.length >= paths.sums.length) paths = createPaths(2 * word.length);
    findPaths(word, paths, trie, scores, unknown);
    return writePath(word.length, paths, into, at);
  };
}

function findPaths(
  word: string,
  { letters, sums, pieces, starts }: Paths,
  trie: Trie,
  scores: Float32Array,
  unknown: number,
): void {
  const { length } = word;
  const { piece, step } = trie;
  for (let at = 0; at < length; at++) letters[at] = trie.letters[codeUnit(word, at)] ?? 0;
  sums.fill(-Infinity, 1, length + 1);
  for (let start = 0; start < length; start++) {
    const before = sums[start] ?? 0;
    if (before + unknown > (sums[start + 1] ?? 0)) {
      sums[start + 1] = before + unknown;
      pieces[start + 1] = -1;
      starts[start + 1] = start;
    }
    let node = 0;
    for (let end = start + 1; end <= length; end++) {
      const letter = letters[end - 1] ?? 0;
      node = letter === 0 ? 0 : step(node, letter);
      if (node === 0) break;
      const number = piece[node] ?? -1;
      if (number < 0) continue;
      const sum = before + (scores[number] ?? 0);
      if (sum <= (sums[end] ?? 0)) continue;
      sums[end] = sum;
      pieces[end] = number;
      starts[end] = start;
    }
  }
}

/** Writes the best cut, which is linked from its end. Returns the index after its pieces. */
function writePath(length: number, { pieces, starts }: Paths, into: Uint16Array, at: number): number {
  let count = 0;
  for (let end = length; end > 0; end = starts[end] ?? 0) if ((pieces[end] ?? -1) >= 0) count += 1;
  let place = at + count;
  for (let end = length; end > 0; end = starts[end] ?? 0) {
    const number = pieces[end] ?? -1;
    if (number >= 0) into[--place] = number;
  }
  return at + count;
}
