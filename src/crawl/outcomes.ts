/** The state of a crawl into its table of outcomes, read in pieces, so that a run can go on in between. */
import type { Store } from "./store.js";
import type { CrawlOutcome } from "./types.js";

const ROWS_A_READ = 500;

export async function* listOutcomes(
  { urls, marks }: Pick<Store, "urls" | "marks">,
  isOutOfBudget: () => boolean,
): AsyncGenerator<CrawlOutcome> {
  for (let last = 0; ;) {
    const rows = urls.outcomesAfter(last, ROWS_A_READ, marks.confirmed);
    for (const { outcome } of rows) {
      const isLeft = outcome.result === "waiting" && isOutOfBudget();
      yield isLeft ? { ...outcome, reason: "budget" } : outcome;
    }
    const end = rows.at(-1)?.id;
    if (end === undefined) return;
    last = end;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
