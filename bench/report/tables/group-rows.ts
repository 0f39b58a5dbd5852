/** Lists the groups of a corpus (languages, page types …) as columns of a table. */
import { formatMeasure, type Column } from "./columns.js";
import { formatInterval, shorten, toOneLine } from "../format.js";
import type { MeasureName } from "../../metrics/measures.js";
import type { CorpusScores, SystemScores } from "../results.js";

export const GROUPING_TITLES: Readonly<Record<string, string>> = {
  lang: "language",
  pageType: "page type",
  register: "register",
  length: "length",
};

/** Returns the groups with their numbers of documents, in the order of the results file. */
export function listGroups({ systems }: Pick<CorpusScores, "systems">, grouping: string): [string, number][] {
  const sizes = new Map<string, number>();
  for (const { groups } of systems) {
    for (const [group, { documents }] of Object.entries(groups[grouping] ?? {})) {
      sizes.set(group, Math.max(documents, sizes.get(group) ?? 0));
    }
  }
  return [...sizes];
}

/** Returns the groupings that have at least two groups. */
export function listGroupings(corpus: CorpusScores): string[] {
  const names = new Set(corpus.systems.flatMap(({ groups }) => Object.keys(groups)));
  return [...names].filter((name) => listGroups(corpus, name).length > 1);
}

export interface GroupColumn {
  readonly grouping: string;
  readonly group: string;
  readonly documents: number;
  readonly measure: MeasureName;
}

export function groupColumn({ grouping, group, documents, measure }: GroupColumn): Column {
  const measured = ({ groups }: SystemScores) => groups[grouping]?.[group]?.scores[measure];
  return {
    title: `${shorten(toOneLine(group), 32)} (${documents})`,
    explanation: `${documents} documents`,
    better: "higher",
    value: (system) => measured(system)?.value ?? null,
    text: (system) => formatMeasure(measure, measured(system)?.value),
    interval: (system) => formatInterval(measured(system) ?? {}),
  };
}
