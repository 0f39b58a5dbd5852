/** Counts the outcomes of the documents of a shard, and the times they took. */
import type { Outcome, Reason } from "../../outcome.js";
import { countTime, findTime, type Times } from "../../time/time-scale.js";
import type { Receipt } from "../receipt.js";
import { sortKeys } from "../../text-order.js";

export interface Tally {
  count(outcome: Outcome<unknown>, ms: number): void;
  counts(): Pick<Receipt, "in" | "out" | "rejected" | "reasons" | "ms">;
}

export function createTally(): Tally {
  let out = 0;
  let rejected = 0;
  const reasons: Partial<Record<Reason, number>> = {};
  const times: Times = {};
  return {
    count(outcome, ms) {
      if (outcome.ok) out += 1;
      else {
        rejected += 1;
        reasons[outcome.reason] = (reasons[outcome.reason] ?? 0) + 1;
      }
      if (ms > 0) countTime(times, ms);
    },
    counts: () => ({
      in: out + rejected,
      out,
      rejected,
      reasons: sortKeys(reasons),
      ms: { p50: findTime(times, 0.5), p99: findTime(times, 0.99), "p99.9": findTime(times, 0.999) },
    }),
  };
}
