/** Converts the figures of a corpus to plain values, for programs. */
import { BARS, GROUPINGS, THRESHOLDS, type CorpusFigures } from "./corpus-figures.js";
import type { Heading } from "./corpus-page.js";

export function toCorpusJson(figures: CorpusFigures, { inputs, version, seed }: Heading): object {
  const { total, rejects, kept, keptByLanguage, groups, samples, doubtful } = figures;
  return {
    ...{ inputs, version, seed, rejects, total },
    rejectReasons: Object.fromEntries(figures.rejectReasons.list()),
    fingerprints: Object.fromEntries(figures.fingerprints.list()),
    groups: Object.fromEntries(GROUPINGS.map((by) => [by, Object.fromEntries(groups[by].list(Infinity))])),
    scores: Array.from({ length: BARS }, (_, at) => ({
      from: at / BARS,
      words: figures.lineScores[at],
      documents: figures.documentScores[at],
    })),
    thresholds: THRESHOLDS.map((threshold, at) => ({
      threshold,
      ...kept[at],
      languages: Object.fromEntries([...keptByLanguage].map(([name, own]) => [name, own[at]])),
      lines: samples[at]?.items,
    })),
    lineReasons: Object.fromEntries(figures.reasons.list()),
    doubtful: doubtful.items,
    nearDuplicates: { documents: figures.copied, clusters: figures.copies.list(1000) },
  };
}
