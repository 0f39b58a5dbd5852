/** Counts the failures of a system on a corpus by their kind, and shows the first ones. */
import type { SystemScores } from "../report/results.js";
import type { SystemOutput } from "../systems/system.js";

/** Why a system gave no output for a document. */
export type Failure = Pick<Extract<SystemOutput, { readonly ok: false }>, "failure" | "detail">;

const MAX_SHOWN = 20;
const MAX_DETAIL = 300;

export function summariseFailures(
  judged: readonly { readonly id: string; readonly failure?: Failure }[],
): Pick<SystemScores, "failures" | "failed"> {
  const failed = judged.flatMap(({ id, failure }) => (failure === undefined ? [] : [{ id, ...failure }]));
  const failures = { crash: 0, timeout: 0, missing: 0, reject: 0 };
  for (const { failure } of failed) failures[failure] += 1;
  return {
    failures,
    failed: failed
      .slice(0, MAX_SHOWN)
      .map(({ id, failure, detail }) => ({ id, failure, detail: detail.slice(0, MAX_DETAIL) })),
  };
}
