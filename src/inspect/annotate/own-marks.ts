/** Finds what one annotator has marked in the documents of a catalog. */
import type { MarkState, Progress } from "../app/wire.js";
import type { Catalog } from "../records/catalog.js";
import type { Entry } from "../records/entry.js";
import type { Annotations, Marks } from "./annotations.js";

export interface OwnMarks {
  readonly of: (entry: Entry) => Marks;
  readonly stateOf: (entry: Entry) => MarkState;
  /** Counts over all documents that the annotator has begun. */
  progress(): Progress;
}

export function createOwnMarks({
  catalog,
  annotations,
  annotator,
}: {
  readonly catalog: Catalog;
  readonly annotations: Annotations;
  readonly annotator: string;
}): OwnMarks {
  const of = ({ key, digest }: Entry): Marks => annotations.marksOf(annotator, key, digest);
  const stateOf = (entry: Entry): MarkState => {
    const { size } = of(entry);
    return size === 0 ? "none" : size < entry.lines ? "begun" : "done";
  };
  return {
    ...{ of, stateOf },
    progress() {
      const counts = { done: 0, begun: 0, lines: 0 };
      for (const key of annotations.keys) {
        const entry = catalog.get(key);
        if (entry === undefined) continue;
        const state = stateOf(entry);
        if (state !== "none") counts[state] += 1;
        counts.lines += of(entry).size;
      }
      return { annotator, ...counts };
    },
  };
}
