/** Cleans the pages of a request with its leased pipeline, and yields formatted documents and rejects. */
import type { Page } from "../document.js";
import { accept, type Outcome } from "../outcome.js";
import { untagged } from "../pipeline.js";
import { formatDocument } from "../write/registry.js";
import type { Lease } from "./pipelines.js";
import type { Tools } from "./tools.js";

interface Cleaning {
  readonly lease: Lease;
  readonly tools: Pick<Tools, "metrics">;
  readonly signal: AbortSignal;
}

export async function* cleanPages(
  pages: AsyncIterable<Outcome<Page>> | Iterable<Outcome<Page>>,
  { lease: { pipeline, form }, tools, signal }: Cleaning,
): AsyncGenerator<Outcome<string>> {
  const { fingerprint } = pipeline;
  for await (const { outcome, account } of pipeline.run(untagged(pages), signal)) {
    tools.metrics.countDocument(outcome.ok ? "ok" : outcome.reason, account.ms / 1000);
    if (outcome.ok) {
      const words = account.labelled?.words ?? 0;
      yield accept(account.formatted ?? formatDocument(outcome.value, { ...form, fingerprint }, words));
    } else yield outcome;
  }
}
