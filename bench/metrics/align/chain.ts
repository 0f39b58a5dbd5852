/** Finds the best chain of runs of equal tokens: in order on both sides, with the most text, as compact as possible. */

/**
 * A run of equal tokens: `length` tokens from offset `gold` in the gold equal those from offset `output` in the output.
 */
export interface MatchRun {
  readonly gold: number;
  readonly output: number;
  readonly length: number;
  /** The value of placing the run, in words. */
  readonly worth: number;
}

/** A range of both sequences, as [from, to). An anchored side borders on text that has already been placed. */
export interface Gap {
  readonly gold: readonly [number, number];
  readonly output: readonly [number, number];
  readonly anchoredLeft: boolean;
  readonly anchoredRight: boolean;
}

/**
 * The cost of skipping one gold token, in words. It is too small to ever cost a word: it only decides between copies of
 * the same text, in favour of the copy nearest to its neighbours.
 */
const JUMP = 1e-6;

/**
 * Returns the non-overlapping runs, in order, whose total worth minus the cost of skipped tokens is greatest. Uses
 * sparse dynamic programming over a Fenwick tree of prefix maxima, as in chaining for genome alignment (Abouelhoda &
 * Ohlebusch 2005): O(n log n) for n runs.
 */
export function bestChain(runs: readonly MatchRun[], gap: Gap): MatchRun[] {
  const byStart = runs.map((_, index) => index).sort((a, b) => runs[a]!.gold - runs[b]!.gold);
  const byEnd = runs.map((_, index) => index).sort((a, b) => goldEnd(runs[a]!) - goldEnd(runs[b]!));
  const score = new Float64Array(runs.length);
  const before = new Int32Array(runs.length).fill(-1);
  const [outputFrom, outputTo] = gap.output;
  const tree = new Int32Array(outputTo - outputFrom + 2).fill(-1);
  const held = (index: number): number => score[index]! + JUMP * goldEnd(runs[index]!);
  let ended = 0;
  for (const index of byStart) {
    const run = runs[index]!;
    for (; ended < byEnd.length && goldEnd(runs[byEnd[ended]!]!) <= run.gold; ended += 1) {
      const done = byEnd[ended]!;
      for (let at = outputEnd(runs[done]!) - outputFrom + 1; at < tree.length; at += at & -at) {
        if (tree[at]! < 0 || held(done) > held(tree[at]!)) tree[at] = done;
      }
    }
    let best = -1;
    for (let at = run.output - outputFrom + 1; at > 0; at -= at & -at) {
      if (tree[at]! >= 0 && (best < 0 || held(tree[at]!) > held(best))) best = tree[at]!;
    }
    const alone = gap.anchoredLeft ? -JUMP * (run.gold - gap.gold[0]) : 0;
    const joined = best < 0 ? -Infinity : held(best) - JUMP * run.gold;
    score[index] = run.worth + Math.max(alone, joined);
    before[index] = joined >= alone ? best : -1;
  }
  return readBack(runs, before, lastOf(runs, score, gap));
}

function goldEnd(run: MatchRun): number {
  return run.gold + run.length;
}

function outputEnd(run: MatchRun): number {
  return run.output + run.length;
}

function lastOf(runs: readonly MatchRun[], score: Float64Array, gap: Gap): number {
  let last = -1;
  let most = -Infinity;
  runs.forEach((run, index) => {
    const value = score[index]! - (gap.anchoredRight ? JUMP * (gap.gold[1] - goldEnd(run)) : 0);
    if (value > most) [most, last] = [value, index];
  });
  return last;
}

function readBack(runs: readonly MatchRun[], before: Int32Array, last: number): MatchRun[] {
  const chain: MatchRun[] = [];
  for (let index = last; index >= 0; index = before[index]!) chain.push(runs[index]!);
  return chain.reverse();
}
