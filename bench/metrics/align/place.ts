/** Finds the gold token that each token of an output repeats. */
import { bestChain, type Gap, type MatchRun } from "./chain.js";
import {
  indexPair,
  placesWithin,
  type Gram,
  type GramIndex,
  type PairIndex,
  type TokenSequence,
} from "./sequence.js";

/** The minimum run length of each pass: first long runs over the whole page, then shorter ones in the gaps. */
const LEVELS: readonly Gram[] = [8, 4, 2, 1, 1];
/** A run of this many words is placed without further evidence. */
const ENOUGH = 3;
/** The same for text that is out of order. */
const ENOUGH_MOVED = 4;
/** A run that occurs more often than this in its gap is paired only with the occurrence of the same rank. */
const MAX_PLACES = 32;
/** The limit on comparisons for one document, over all passes: it keeps the cost nearly linear for any text. */
const MAX_STEPS = 30_000_000;
/** Records which gold token each output token is placed on, and fills this in pass by pass; -1 means not placed. */
export class Placement {
  readonly goldTo: Int32Array;
  readonly outputTo: Int32Array;
  private readonly index: PairIndex;
  private readonly tokenIds: GramIndex;
  private steps = 0;

  constructor(
    private readonly gold: TokenSequence,
    private readonly output: TokenSequence,
  ) {
    this.index = indexPair(gold, output);
    this.tokenIds = this.index.grams.get(1)!; // every length is indexed
    this.goldTo = new Int32Array(gold.tokens.length).fill(-1);
    this.outputTo = new Int32Array(output.tokens.length).fill(-1);
  }

  /** Whether the limit on comparisons was reached. */
  isBounded(): boolean {
    return this.steps >= MAX_STEPS;
  }

  /** Returns how many gold tokens in [from, to) are placed. */
  countPlaced([from, to]: readonly [number, number] = [0, this.goldTo.length]): number {
    let count = 0;
    for (let at = from; at < to; at += 1) if (this.goldTo[at]! >= 0) count += 1;
    return count;
  }

  placeInOrder(): void {
    for (const level of LEVELS) {
      for (const gap of this.gaps()) {
        const runs = this.findRuns(level, gap)
          .map((run) => ({ ...run, worth: this.worth(run, gap) }))
          .filter((run) => run.worth > 0);
        for (const run of bestChain(runs, gap)) this.place(run);
      }
    }
  }

  /** Places text that the system moved: equal runs that are still unplaced on both sides, longest first. */
  placeMoved(): void {
    const everything: Gap = {
      gold: [0, this.goldTo.length],
      output: [0, this.outputTo.length],
      anchoredLeft: false,
      anchoredRight: false,
    };
    for (const level of [4, 2] as const) {
      const runs = this.findRuns(level, everything);
      runs.sort((a, b) => b.length - a.length || a.output - b.output || a.gold - b.gold);
      for (const run of runs) {
        const evidence = this.evidence(run);
        const enough = level === 4 ? evidence >= ENOUGH_MOVED : evidence >= 2 && this.isWholeLine(run);
        if (enough && this.isFree(run)) this.place(run);
      }
    }
  }

  private place(run: MatchRun): void {
    for (let step = 0; step < run.length; step += 1) {
      this.goldTo[run.gold + step] = run.output + step;
      this.outputTo[run.output + step] = run.gold + step;
    }
  }

  private isFree(run: MatchRun): boolean {
    for (let step = 0; step < run.length; step += 1) {
      if (!this.isOpen(run.gold + step, run.output + step)) return false;
    }
    return true;
  }

  private isOpen(gold: number, output: number): boolean {
    return this.goldTo[gold] === -1 && this.outputTo[output] === -1;
  }

  /** Returns the ranges between placed text in which both sides have unplaced tokens. */
  private gaps(): Gap[] {
    const gaps: Gap[] = [];
    let [goldFrom, outputFrom] = [0, 0];
    for (let output = 0; output <= this.outputTo.length; output += 1) {
      const atEnd = output === this.outputTo.length;
      const gold = atEnd ? this.goldTo.length : this.outputTo[output]!;
      if (gold < 0) continue;
      if (gold > goldFrom && output > outputFrom) {
        gaps.push({
          gold: [goldFrom, gold],
          output: [outputFrom, output],
          anchoredLeft: outputFrom > 0,
          anchoredRight: !atEnd,
        });
      }
      [goldFrom, outputFrom] = [gold + 1, output + 1];
    }
    return gaps;
  }

  /** Returns all maximal runs of equal, unplaced tokens in a gap that are at least `level` long. */
  private findRuns(level: Gram, gap: Gap): MatchRun[] {
    const index = this.index.grams.get(level)!; // every level is a length that was indexed
    const runs: MatchRun[] = [];
    const rank = new Map<number, number>();
    for (let output = gap.output[0]; output + level <= gap.output[1]; output += 1) {
      const id = index.output[output]!;
      if (id < 0 || this.outputTo[output] !== -1 || this.isBounded()) continue;
      for (const gold of this.placesOf(index, id, gap, rank)) {
        this.steps += 1;
        if (gold > gap.gold[0] && output > gap.output[0] && this.isEqual(gold - 1, output - 1)) continue;
        const length = this.extend(gold, output, gap);
        if (length >= level) runs.push({ gold, output, length, worth: 0 });
      }
    }
    return runs;
  }

  private placesOf(index: GramIndex, id: number, gap: Gap, rank: Map<number, number>): Int32Array {
    const [from, to] = placesWithin(index, id, gap.gold);
    if (to - from <= MAX_PLACES) return index.places.subarray(from, to);
    const seen = rank.get(id) ?? 0;
    rank.set(id, seen + 1);
    const same = Math.min(from + seen, to - 1);
    return index.places.subarray(same, same + 1);
  }

  private isEqual(gold: number, output: number): boolean {
    return this.isOpen(gold, output) && this.tokenIds.gold[gold] === this.tokenIds.output[output];
  }

  private extend(gold: number, output: number, gap: Gap): number {
    let length = 0;
    while (
      gold + length < gap.gold[1] &&
      output + length < gap.output[1] &&
      this.isEqual(gold + length, output + length)
    ) {
      length += 1;
    }
    this.steps += length;
    return length;
  }

  private evidence(run: MatchRun): number {
    let sum = 0;
    for (let at = run.gold; at < run.gold + run.length; at += 1) sum += this.index.evidence[at]!;
    return sum;
  }

  /**
   * Returns what placing the run is worth, in words; 0 if it should not be placed. Long runs need no other evidence.
   * One or two words are placed only if they are a whole line on both sides, touch placed text, lie in a gold line that
   * is partly placed, or are two words that form a whole gold line and lie at the start or end of an output line.
   */
  private worth(run: MatchRun, gap: Gap): number {
    const evidence = this.evidence(run);
    const last = run.gold + run.length - 1;
    const { lineOf } = this.gold;
    const touches =
      (gap.anchoredLeft && run.gold === gap.gold[0] && run.output === gap.output[0]) ||
      (gap.anchoredRight && last + 1 === gap.gold[1] && run.output + run.length === gap.output[1]);
    const continues =
      (gap.anchoredLeft && lineOf[last] === lineOf[gap.gold[0] - 1]) ||
      (gap.anchoredRight && lineOf[run.gold] === lineOf[gap.gold[1]]);
    const borders = this.outputBorders(run);
    const isWhole = this.isWholeGold(run) && (borders === 2 || (borders === 1 && evidence >= 2));
    return evidence >= ENOUGH || touches || continues || isWhole ? evidence : 0;
  }

  private isWholeLine(run: MatchRun): boolean {
    return this.isWholeGold(run) && this.outputBorders(run) === 2;
  }

  private isWholeGold(run: MatchRun): boolean {
    return isBorder(this.gold, run.gold) && isBorder(this.gold, run.gold + run.length);
  }

  /** Returns how many of the run's two ends are at a line boundary of the output: 0, 1 or 2. */
  private outputBorders(run: MatchRun): number {
    return [run.output, run.output + run.length].filter((at) => isBorder(this.output, at)).length;
  }
}

/** Whether a line starts at this token, or the text ends before it. */
function isBorder(sequence: TokenSequence, at: number): boolean {
  const { lineOf } = sequence;
  return at === 0 || at === lineOf.length || lineOf[at] !== lineOf[at - 1];
}

/**
 * Returns the indices of the tokens of `gold` that occur in `output` in the same order: a long common subsequence, but
 * not always the longest.
 */
export function placeTokens(gold: readonly string[], output: readonly string[]): number[] {
  const asOneLine = (tokens: readonly string[]): TokenSequence => ({
    tokens,
    lineOf: new Int32Array(tokens.length),
    starts: Int32Array.of(0, tokens.length),
  });
  const placement = new Placement(asOneLine(gold), asOneLine(output));
  placement.placeInOrder();
  return [...gold.keys()].filter((at) => placement.goldTo[at] !== -1);
}
