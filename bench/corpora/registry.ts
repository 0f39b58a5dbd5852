/** Opens a corpus by its name. */
import { join } from "node:path";
import { ROOT } from "../systems/root.js";
import type { Corpus, CorpusProblem, GoldDocument } from "./gold.js";
import type { Subject } from "../systems/subject.js";
import type { CorpusDescriptor } from "./descriptors.js";
import { readFixtures } from "./fixtures.js";
import { listCorpora } from "./item-descriptors.js";
import { hasGold, readGold } from "./reader.js";

export { CorpusMissing } from "./reader.js";

/** The default folder of the converted gold data, beside the project. */
export const DEFAULT_GOLD_DIR = join(ROOT, "..", "shared", "gold");
export const DEFAULT_FIXTURES_DIR = join(ROOT, "fixtures");

export interface CorpusOptions {
  /** The folder that holds `lines/` and `pages/`. */
  readonly goldDir?: string;
  readonly fixturesDir?: string;
  /** What the benchmark measures; `lines` when absent. */
  readonly subject?: Subject;
}

export function corpusNames(subject: Subject = "lines"): string[] {
  return listCorpora(subject).map(({ name }) => name);
}

/**
 * Returns the corpus with this name; throws RangeError if there is no such corpus. Reads nothing yet: if files are
 * missing, `documents()` throws CorpusMissing when it is read.
 */
export function openCorpus(name: string, options: CorpusOptions = {}): Corpus {
  const descriptor = findDescriptor(name, options.subject);
  let problems: CorpusProblem[] = [];
  const report = (problem: CorpusProblem): void => {
    problems.push(problem);
  };
  return {
    ...descriptor,
    documents(): AsyncIterable<GoldDocument> {
      problems = [];
      return descriptor.files.length === 0
        ? readFixtures(descriptor, options.fixturesDir ?? DEFAULT_FIXTURES_DIR, report)
        : readGold(descriptor, options.goldDir ?? DEFAULT_GOLD_DIR, report);
    },
    problems: () => problems,
  };
}

/** Returns whether the corpus can be read on this machine. Throws RangeError for an unknown name. */
export async function isCorpusPresent(name: string, options: CorpusOptions = {}): Promise<boolean> {
  const descriptor = findDescriptor(name, options.subject);
  return descriptor.files.length === 0 || (await hasGold(descriptor, options.goldDir ?? DEFAULT_GOLD_DIR));
}

function findDescriptor(name: string, subject: Subject = "lines"): CorpusDescriptor {
  const descriptor = listCorpora(subject).find((corpus) => corpus.name === name);
  if (descriptor === undefined) {
    throw new RangeError(
      `no corpus is called ${JSON.stringify(name)}; there are: ${corpusNames(subject).join(", ")}`,
    );
  }
  return descriptor;
}
