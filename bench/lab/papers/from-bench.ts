/** Shows the results of a paper's system in the benchmark, beside those of the labeller `page` on the same corpora. */
import { table } from "./parts.js";
import {
  figureAt,
  findCorpus,
  findSystem,
  show,
  type Figure,
  type SourceName,
  type Sources,
} from "./sources.js";
import type { SystemScores } from "../../report/results.js";

/** Returns a measure of a system in the benchmark's own results. */
export function measuredOf(system: SystemScores | undefined, measure: string): Figure | undefined {
  const found = system?.overall[measure];
  if (typeof found?.value !== "number") return undefined;
  const { value, low, high } = found;
  return low === undefined || high === undefined ? { value } : { value, low, high };
}

/** Formats a table; `path` leads to the corpora, each of which has the measures. */
export function benchTable(
  sources: Sources,
  name: SourceName,
  path: readonly string[],
  corpora: readonly string[],
): string {
  const rows = corpora.map((corpus) => {
    const page = findSystem(findCorpus(sources, corpus), "page");
    return [
      corpus,
      show(figureAt(sources, name, ...path, corpus, "lineF1")),
      show(measuredOf(page, "lineF1")),
      show(figureAt(sources, name, ...path, corpus, "wordF1")),
      show(measuredOf(page, "wordF1")),
    ];
  });
  return table(["corpus", "line F1", "of page", "word F1", "of page"], rows);
}
