/** Places a system's text, in any layout, on the lines of the page; `bench/metrics/README.md` tells how and why. */
import { Placement } from "./place.js";
import { readSequence, type TokenSequence } from "./sequence.js";
import { stripMarkdown } from "../tokens.js";

/** A gold line counts as returned if at least this share of its words is. */
const RETURNED = 0.5;

export interface Alignment {
  /** For each gold line the share of its words that the output holds in place; null for lines without a word. */
  readonly shares: readonly (number | null)[];
  /** For each gold line whether the system returned it (share of at least one half); null for lines without a word. */
  readonly predicted: readonly (0 | 1 | null)[];
  /** Words of each gold line, and how many of them were placed. */
  readonly words: readonly number[];
  readonly placedWords: readonly number[];
  /** Characters of the placed words, and of all words of the gold and of the output. */
  readonly characters: { readonly placed: number; readonly gold: number; readonly output: number };
  /** Words of the output, and the share of them that is nowhere (else) on the page. */
  readonly outputWords: number;
  readonly unplacedShare: number;
  /** Share of the output that was placed against the order of the page. */
  readonly movedShare: number;
  /** True if the bound on cost was met and some text may be unplaced for that reason alone. */
  readonly bounded: boolean;
}

/** Places `output` on `goldLines`. Cost is near linear in the length of both. */
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
  const outputWords = given.tokens.length - addedNumbers(placement, given, lines);
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
      output: characters(given.tokens),
    },
    outputWords,
    unplacedShare: outputWords === 0 ? 0 : (outputWords - placed) / outputWords,
    movedShare: outputWords === 0 ? 0 : (placed - inOrder) / outputWords,
    bounded: placement.isBounded(),
  };
}

/** List numbers that the system put before lines and that are not on the page: layout, not text. */
function addedNumbers(placement: Placement, given: TokenSequence, lines: readonly string[]): number {
  return lines.filter((line, index) => {
    const start = given.starts[index]!;
    return (
      placement.outputTo[start] === -1 &&
      given.starts[index + 1]! > start + 1 &&
      /^[\s>]{0,20}\d{1,4}[.)]\s/.test(line)
    );
  }).length;
}
