/** Cuts a line of text into the word pieces of a vocabulary; of a long line only both ends are read. */
import { codeUnit } from "../../../code-unit.js";
import { WORD_START, type Vocabulary } from "./vocabulary.js";

/** Code units that are read from the two ends of a line: about the 60 tokens that the bags of n-grams see. */
const FIRST_UNITS = 240;
const LAST_UNITS = 120;
/** NFKC can turn one character into several; no known one becomes more than 18. */
const MOST_UNITS = 18 * (FIRST_UNITS + LAST_UNITS + 1);
/** The most words whose pieces are cached, and their most code units. Nine words in ten come again soon. */
const MOST_KNOWN = 100_000;
const LONGEST_KNOWN = 24;
/** Size of the buffer for the pieces of cached words. */
const KNOWN_ROOM = MOST_KNOWN * 4;

export interface PieceCutter {
  /** The numbers of the pieces of the line last cut, as many as `cut` returned. */
  readonly numbers: Uint16Array;
  /** Cuts a line and returns the number of its pieces. */
  cut(text: string): number;
}

export function createPieceCutter(vocabulary: Vocabulary): PieceCutter {
  const numbers = new Uint16Array(MOST_UNITS);
  const known = new Map<string, number>();
  const memory = new Uint16Array(KNOWN_ROOM);
  let used = 0;
  /** Caches a word; returns its index in `memory` and its number of pieces (at most 31) in one number. */
  const remember = (word: string): number => {
    if (known.size >= MOST_KNOWN || used > KNOWN_ROOM - LONGEST_KNOWN - 1) {
      known.clear();
      used = 0;
    }
    const end = vocabulary.cut(WORD_START + word, memory, used);
    const found = used * 32 + (end - used);
    known.set(word, found);
    used = end;
    return found;
  };
  const cutWord = (word: string, at: number): number => {
    if (word.length > LONGEST_KNOWN) return vocabulary.cut(WORD_START + word, numbers, at);
    const found = known.get(word) ?? remember(word);
    const from = Math.floor(found / 32);
    const count = found % 32;
    for (let i = 0; i < count; i++) numbers[at + i] = memory[from + i] ?? 0;
    return at + count;
  };
  return {
    numbers,
    cut(line) {
      const text = normalise(bothEnds(line));
      let count = 0;
      let start = 0;
      for (let at = 0; at <= text.length; at++) {
        if (at < text.length && !isSpace(codeUnit(text, at))) continue;
        if (at > start) count = cutWord(text.slice(start, at), count);
        start = at + 1;
      }
      return count;
    },
  };
}

function bothEnds(line: string): string {
  if (line.length <= FIRST_UNITS + LAST_UNITS) return line;
  return `${line.slice(0, FIRST_UNITS)} ${line.slice(-LAST_UNITS)}`;
}

/** Returns the text in the compatibility form NFKC (UAX 15), in which the pieces are. */
function normalise(text: string): string {
  for (let at = 0; at < text.length; at++) if (codeUnit(text, at) > 0x7f) return text.normalize("NFKC");
  return text;
}

function isSpace(unit: number): boolean {
  return (
    unit <= 0x20 ||
    unit === 0xa0 ||
    unit === 0x3000 ||
    (unit >= 0x2000 && unit <= 0x200f) ||
    unit === 0x2028 ||
    unit === 0xfeff
  );
}
