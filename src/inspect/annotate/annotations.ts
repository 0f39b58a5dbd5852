/** Holds what each annotator said of each line, as the journal tells it, and lets no change pass over another one. */
import type { Change, Conflict, History, Mark } from "../app/wire.js";
import { createSteps, type Steps } from "./history.js";
import type { Journal, JournalEntry } from "./journal.js";

export type Marks = ReadonlyMap<number, Mark>;

export interface Annotations {
  /** Of a document with these lines. */
  marksOf(annotator: string, key: string, digest: string): Marks;
  /** What the annotator can take back there. */
  historyOf(annotator: string, key: string, digest: string): History;
  /** How many marks the annotator made when the document had other lines. */
  countStale(annotator: string, key: string, digest: string): number;
  /** Where a line is not what the change takes it for, nothing changes and the conflicts are told. */
  change(request: ChangeRequest): Promise<readonly Conflict[]>;
  /** Takes in what another program wrote to the same journal. */
  refresh(): Promise<void>;
  readonly annotators: readonly string[];
  /** The keys of documents that somebody marked. */
  readonly keys: ReadonlySet<string>;
}

export interface ChangeRequest {
  readonly annotator: string;
  readonly key: string;
  readonly digest: string;
  readonly changes: readonly Change[];
}

/** By annotator, key of the document, and digest of its lines. */
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
  /** Changes are looked at one after another, each when the one before is on the disk. */
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
      turn = done.catch(() => undefined); // whoever asked for it is told
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
