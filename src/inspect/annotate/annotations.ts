/** Holds the marks of each annotator as the journal has them, and refuses a change that would overwrite another one. */
import type { Change, Conflict, History, Mark } from "../app/wire.js";
import { createSteps, type Steps } from "./history.js";
import type { Journal, JournalEntry } from "./journal.js";

/** Marks by the number of their line, from 0. */
export type Marks = ReadonlyMap<number, Mark>;

export interface Annotations {
  /** Returns the marks of a document with these lines. */
  marksOf(annotator: string, key: string, digest: string): Marks;
  /** Returns what the annotator can undo and redo there. */
  historyOf(annotator: string, key: string, digest: string): History;
  /** Counts the annotator's marks from when the document had other lines. */
  countStale(annotator: string, key: string, digest: string): number;
  /** If a line does not have the mark that the change expects, changes nothing and returns the conflicts. */
  change(request: ChangeRequest): Promise<readonly Conflict[]>;
  /** Reads what another program wrote to the same journal. */
  refresh(): Promise<void>;
  readonly annotators: readonly string[];
  /** Keys of documents that have marks. */
  readonly keys: ReadonlySet<string>;
}

export interface ChangeRequest {
  readonly annotator: string;
  readonly key: string;
  readonly digest: string;
  readonly changes: readonly Change[];
}

/** Annotations by annotator, key of the document, and digest of its lines. */
type All = Map<string, Map<string, Map<string, Annotation>>>;

interface Annotation {
  readonly marks: Map<number, Mark>;
  readonly steps: Steps;
}

const NONE: Marks = new Map();
const NO_HISTORY: History = { done: [], undone: [] };

export function createAnnotations(journal: Journal, entries: readonly JournalEntry[]): Annotations {
  const all: All = new Map();
  const keys = new Set<string>();
  const take = (entry: JournalEntry): void => {
    keys.add(entry.key);
    addEntry(all, entry);
  };
  entries.forEach(take);
  const look = (annotator: string, key: string, digest: string): Annotation | undefined =>
    all.get(annotator)?.get(key)?.get(digest);
  const find = (annotator: string, key: string, digest: string): Marks =>
    look(annotator, key, digest)?.marks ?? NONE;
  /** Changes are checked one after another, each after the one before is on disk. */
  let turn: Promise<unknown> = Promise.resolve();
  const settle = async ({ annotator, key, digest, changes }: ChangeRequest): Promise<readonly Conflict[]> => {
    (await journal.readNew()).forEach(take);
    const marks = find(annotator, key, digest);
    const wanted = changes.filter(({ line, mark }) => (marks.get(line) ?? null) !== mark);
    const conflicts = wanted.flatMap(({ line, was, mark }) => {
      const theirs = marks.get(line) ?? null;
      return theirs === was ? [] : [{ line, theirs, yours: mark }];
    });
    if (conflicts.length > 0 || wanted.length === 0) return conflicts;
    const entry: JournalEntry = {
      ...{ at: new Date().toISOString(), annotator, key, digest },
      changes: wanted.map(({ line, mark }) => [line, mark] as const),
    };
    await journal.append(entry);
    (await journal.readNew()).forEach(take);
    return [];
  };
  return {
    marksOf: find,
    historyOf(annotator, key, digest) {
      const { done, undone } = look(annotator, key, digest)?.steps ?? NO_HISTORY;
      return { done: [...done], undone: [...undone] };
    },
    countStale: (annotator, key, digest) =>
      [...(all.get(annotator)?.get(key) ?? [])].reduce(
        (sum, [other, { marks }]) => (other === digest ? sum : sum + marks.size),
        0,
      ),
    change(request) {
      const done = turn.then(() => settle(request));
      turn = done.catch(() => undefined); // the caller gets the error
      return done;
    },
    async refresh() {
      (await journal.readNew()).forEach(take);
    },
    get annotators() {
      return [...all.keys()];
    },
    keys,
  };
}

function addEntry(all: All, { annotator, key, digest, changes }: JournalEntry): void {
  const ofAnnotator = open(all, annotator, () => new Map<string, Map<string, Annotation>>());
  const ofDocument = open(ofAnnotator, key, () => new Map<string, Annotation>());
  const { marks, steps } = open(ofDocument, digest, newAnnotation);
  steps.add(changes.map(([line, mark]) => ({ line, was: marks.get(line) ?? null, mark })));
  for (const [line, mark] of changes)
    if (mark === null) marks.delete(line);
    else marks.set(line, mark);
}

function newAnnotation(): Annotation {
  return { marks: new Map(), steps: createSteps() };
}

function open<V>(map: Map<string, V>, key: string, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
