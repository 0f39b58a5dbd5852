/** Cuts a line of text into the word pieces of a vocabulary; what is long is cut from both ends. */
import { codeUnit } from "../../../code-unit.js";
import { WORD_START, type Vocabulary } from "./vocabulary.js";

/** Code units of a line that are looked at: about the sixty tokens that the bags of n-grams see. */
const FIRST_UNITS = 240;
const LAST_UNITS = 120;
/** Compatibility forms may be several letters long; no known one has more than eighteen. */
const MOST_UNITS = 18 * (FIRST_UNITS + LAST_UNITS + 1);
/** Words whose pieces are remembered, of so many units at most. Nine words in ten are met again soon. */
const MOST_KNOWN = 100_000;
const LONGEST_KNOWN = 24;
/** Room in the memory for the pieces of one word more. */
const KNOWN_ROOM = MOST_KNOWN * 4;

export interface PieceCutter {
  /** Of the line last cut: the numbers of its pieces, and how many there are. */
  readonly numbers: Uint16Array;
  cut(text: string): number;
}

export function createPieceCutter(vocabulary: Vocabulary): PieceCutter {
  const numbers = new Uint16Array(MOST_UNITS);
  const known = new Map<string, number>();
  const memory = new Uint16Array(KNOWN_ROOM);
  let used = 0;
  /** A word's place in the memory and its pieces are one number. */
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

/** Pieces are of text in compatibility form (UAX 15). */
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
