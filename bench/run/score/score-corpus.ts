/** Scores the outputs of all systems on a corpus: its part of the results. */
import type { RunDocuments } from "../documents.js";
import type { CorpusScores } from "../../report/results.js";
import type { Judged } from "./judge.js";
import { summarise } from "./summarise-system.js";
import { lineF1s } from "./worst.js";
import type { Corpus } from "../../corpora/gold.js";

export interface CorpusRun {
  readonly corpus: Corpus;
  readonly documents: RunDocuments;
  /** The judged outputs by system, in the order of the report. */
  readonly outputs: ReadonlyMap<string, readonly Judged[]>;
}

export interface ScoreOptions {
  /** The system that the others are compared with, if it ran. */
  readonly reference?: string;
  /** The number of resamplings for each interval and test; 1000 when absent, 0 for none. */
  readonly samples?: number;
}

const SAMPLES = 1000;
/** The default references, if none is named: the first of these that ran, or else the first system. */
const REFERENCES = ["trafilatura", "raw"];

export function scoreCorpus(
  { corpus, documents, outputs }: CorpusRun,
  { reference, samples = SAMPLES }: ScoreOptions = {},
): CorpusScores {
  const against = findReference([...outputs.keys()], reference);
  const judged = against === undefined ? undefined : outputs.get(against);
  const scores = new Map([...outputs].map(([system, all]) => [system, lineF1s(all)]));
  const { name, origin, licence, unit, ownMeasures, mainContent, training } = corpus;
  return {
    corpus: name,
    ...{
      origin,
      licence,
      unit,
      ...(ownMeasures === undefined ? {} : { ownMeasures }),
      mainContent,
      training,
    },
    digest: documents.digest,
    documents: documents.gold.size,
    isSample: documents.isSample,
    problems: documents.problems,
    systems: [...outputs].map(([system, all]) =>
      summarise(system, all, {
        documents: documents.gold,
        scores,
        samples,
        ...(against === undefined || judged === undefined || system === against
          ? {}
          : { reference: { system: against, judged } }),
      }),
    ),
  };
}

function findReference(systems: readonly string[], wanted: string | undefined): string | undefined {
  if (wanted !== undefined && systems.includes(wanted)) return wanted;
  return REFERENCES.find((name) => systems.includes(name)) ?? systems[0];
}
