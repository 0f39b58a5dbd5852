/** Shows the results of a paper's system in the benchmark, beside those of the labeller `page` on the same corpora. */
import { table } from "./parts.js";
import { benchFigureAt, figureAt, show, type SourceName, type Sources } from "./sources.js";

/** Formats a table; `path` leads to the corpora, each of which has the measures. */
export function benchTable(
  sources: Sources,
  name: SourceName,
  path: readonly string[],
  corpora: readonly string[],
): string {
  const rows = corpora.map((corpus) => [
    corpus,
    ...["lineF1", "wordF1"].flatMap((measure) => [
      show(figureAt(sources, name, ...path, corpus, measure)),
      show(benchFigureAt(sources, corpus, "page", measure)),
    ]),
  ]);
  return table(["corpus", "line F1", "of page", "word F1", "of page"], rows);
}
