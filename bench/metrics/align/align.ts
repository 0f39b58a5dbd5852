/**
 * Aligns a system's text, in any layout, with the lines of the page; `bench/metrics/README.md` explains how and why.
 */
import { Placement } from "./place.js";
import { readSequence, type TokenSequence } from "./sequence.js";
import { stripMarkdown } from "../tokens.js";

/** A gold line counts as returned if the output holds at least this share of its words. */
const RETURNED = 0.5;

export interface Alignment {
  /** For each gold line, the share of its words that were placed; null for lines without a word. */
  readonly shares: readonly (number | null)[];
  /**
   * For each gold line, 1 if the system returned it (its share is at least one half) and 0 if not; null for lines
   * without a word.
   */
  readonly predicted: readonly (0 | 1 | null)[];
  /** The number of words in each gold line, and how many of them were placed. */
  readonly words: readonly number[];
  readonly placedWords: readonly number[];
  /** Characters of the placed words, and of all words of the gold and of the output. */
  readonly characters: { readonly placed: number; readonly gold: number; readonly output: number };
  /** The number of words in the output, and the share of them that could not be placed on the page. */
  readonly outputWords: number;
  readonly unplacedShare: number;
  /** The share of the output's words that were placed out of the order of the page. */
  readonly movedShare: number;
  /** True if the alignment reached its limit on comparisons, so that some text may be unplaced only for that reason. */
  readonly bounded: boolean;
}

/** Aligns `output` with `goldLines`. The cost is nearly linear in the length of both. */
export function alignText(goldLines: readonly string[], output: string): Alignment {
  const gold = readSequence(goldLines);
  const lines = stripMarkdown(output).split(/\r\n?|[\n\u2028\u2029]/);
  const given = readSequence(lines);
  const placement = new Placement(gold, given);
  placement.placeInOrder();
  const inOrder = placement.countPlaced();
  placement.placeMoved();
  return describe(placement, { gold, given, lines, inOrder });
}

interface Sides {
  readonly gold: TokenSequence;
  readonly given: TokenSequence;
  readonly lines: readonly string[];
  readonly inOrder: number;
}

function describe(placement: Placement, { gold, given, lines, inOrder }: Sides): Alignment {
  const words: number[] = [];
  const placedWords: number[] = [];
  for (let line = 0; line + 1 < gold.starts.length; line += 1) {
    const [from, to] = [gold.starts[line]!, gold.starts[line + 1]!];
    words.push(to - from);
    placedWords.push(placement.countPlaced([from, to]));
  }
  const shares = words.map((count, line) => (count === 0 ? null : placedWords[line]! / count));
  const placed = placement.countPlaced();
  const added = addedNumbers(placement, given, lines);
  const outputWords = given.tokens.length - added.length;
  const characters = (tokens: readonly string[]): number =>
    tokens.reduce((sum, token) => sum + token.length, 0);
  return {
    shares,
    predicted: shares.map((share) => (share === null ? null : share >= RETURNED ? 1 : 0)),
    words,
    placedWords,
    characters: {
      placed: characters(gold.tokens.filter((_, at) => placement.goldTo[at]! >= 0)),
      gold: characters(gold.tokens),
      output: characters(given.tokens) - characters(added),
    },
    outputWords,
    unplacedShare: outputWords === 0 ? 0 : (outputWords - placed) / outputWords,
    movedShare: outputWords === 0 ? 0 : (placed - inOrder) / outputWords,
    bounded: placement.isBounded(),
  };
}

/** Returns the list numbers that the system put before lines and that are not on the page: they are layout, not text. */
function addedNumbers(placement: Placement, given: TokenSequence, lines: readonly string[]): string[] {
  return lines.flatMap((line, index) => {
    const start = given.starts[index]!;
    const isAdded =
      placement.outputTo[start] === -1 &&
      given.starts[index + 1]! > start + 1 &&
      /^[\s>]{0,20}\d{1,4}[.)]\s/.test(line);
    return isAdded ? [given.tokens[start]!] : [];
  });
}
