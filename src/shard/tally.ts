/** Counts what became of the documents of a shard, and how long they took. */
import type { Outcome, Reason } from "../outcome.js";
import type { Receipt } from "./receipt.js";

export interface Tally {
  count(outcome: Outcome<unknown>, ms: number): void;
  counts(): Pick<Receipt, "in" | "out" | "rejected" | "reasons" | "ms">;
}

/** Each step of the scale of times is two per cent above the one before, so there are few of them. */
const STEP = 1.02;

export function createTally(): Tally {
  let out = 0;
  let rejected = 0;
  const reasons: Partial<Record<Reason, number>> = {};
  const times = new Map<number, number>();
  return {
    count(outcome, ms) {
      if (outcome.ok) out += 1;
      else {
        rejected += 1;
        reasons[outcome.reason] = (reasons[outcome.reason] ?? 0) + 1;
      }
      if (ms <= 0) return;
      const step = Math.round(Math.log(ms) / Math.log(STEP));
      times.set(step, (times.get(step) ?? 0) + 1);
    },
    counts: () => ({
      in: out + rejected,
      out,
      rejected,
      reasons: Object.fromEntries(Object.entries(reasons).sort(([a], [b]) => (a < b ? -1 : 1))),
      ms: { p50: findTime(times, 0.5), p99: findTime(times, 0.99), "p99.9": findTime(times, 0.999) },
    }),
  };
}

/** The milliseconds below which this share of the documents stayed, within two per cent; 0 where there was none. */
function findTime(times: ReadonlyMap<number, number>, share: number): number {
  const steps = [...times].sort(([a], [b]) => a - b);
  let left = steps.reduce((sum, [, count]) => sum + count, 0) * share;
  for (const [step, count] of steps) {
    left -= count;
    if (left <= 0) return Number((STEP ** step).toPrecision(3));
  }
  return 0;
}
