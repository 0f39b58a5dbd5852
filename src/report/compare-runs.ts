/** Compares two cleanings of the same pages: documents that only one of them has, and lines that only one kept. */
import { diffArrays } from "diff";
import { nameLanguage } from "../language/language-tag.js";
import type { Outcome } from "../outcome.js";
import { createRandom } from "../random.js";
import { countWords } from "../language/words.js";
import type { Writable } from "../writable.js";
import { formatText } from "../write/text.js";
import type { ReportedDocument } from "./read-corpus.js";
import { createBest, createReservoir, type Best, type Reservoir } from "./sample.js";
import { addTally, countLine, createTally, Groups, type Tally } from "./tally.js";

/** Most documents of one run that wait for their counterpart in the other. */
const MOST_WAITING = 2_000;
/** Most lines of one document that are compared one by one, and most steps of the comparison. */
const MOST_LINES = 20_000;
const MOST_EDITS = 5_000;

const SHOWN_DOCUMENTS = 20;
const SHOWN_LINES = 40;

/** A line that one run kept and the other did not. */
export interface Change {
  readonly text: string;
  readonly isAdded: boolean;
}

export interface ChangedDocument {
  readonly id: string;
  readonly url: string;
  readonly addedWords: number;
  readonly removedWords: number;
  /** The first of the changes. */
  readonly changes: readonly Change[];
}

/** In tallies of changes, "kept" counts lines and words that the second run added, and "dropped" what it removed. */
export interface Comparison {
  readonly first: Tally;
  readonly second: Tally;
  readonly same: number;
  readonly changed: Tally;
  readonly byLanguage: Groups;
  /** Number of documents that only one of the runs has, and the first of their ids. */
  readonly onlyFirst: Lonely;
  readonly onlySecond: Lonely;
  /** Documents with too many lines or changes to be compared line by line. */
  readonly tooLong: number;
  readonly most: Best<ChangedDocument>;
  readonly some: Reservoir<ChangedDocument>;
}

export interface Lonely {
  count: number;
  readonly ids: string[];
}

type Run = AsyncIterable<Outcome<ReportedDocument>>;

/**
 * Reads both runs side by side, and compares documents with the same id, or those of a crawl and of its archives with
 * the same address. Runs over the same input have their documents in the same order, except for rejects. If more than
 * 2,000 documents of a run have no counterpart, the oldest count as its own.
 */
export async function compareRuns(first: Run, second: Run, seed: number): Promise<Comparison> {
  const comparison = startComparison(seed);
  const sides = [
    {
      run: first[Symbol.asyncIterator](),
      tally: comparison.first,
      waiting: new Waiting(comparison.onlyFirst),
    },
    {
      run: second[Symbol.asyncIterator](),
      tally: comparison.second,
      waiting: new Waiting(comparison.onlySecond),
    },
  ] as const;
  let left = 2;
  while (left > 0) {
    left = 0;
    for (const [at, side] of sides.entries()) {
      const next = await side.run.next();
      if (next.done === true) continue;
      left += 1;
      if (!next.value.ok) continue;
      const document = next.value.value;
      addTally(side.tally, tallyOf(document));
      const other = sides[at === 0 ? 1 : 0].waiting.take(document);
      if (other === undefined) side.waiting.add(document);
      else if (at === 0) settle(comparison, document, other);
      else settle(comparison, other, document);
    }
  }
  for (const { waiting } of sides) waiting.end();
  return comparison;
}

function startComparison(seed: number): Writable<Comparison> {
  return {
    first: createTally(),
    second: createTally(),
    same: 0,
    changed: createTally(),
    byLanguage: new Groups(),
    onlyFirst: { count: 0, ids: [] as string[] },
    onlySecond: { count: 0, ids: [] as string[] },
    tooLong: 0,
    most: createBest<ChangedDocument>(SHOWN_DOCUMENTS),
    some: createReservoir<ChangedDocument>(SHOWN_DOCUMENTS, createRandom(seed)),
  };
}

/** Compares both versions of a document. */
function settle(comparison: Writable<Comparison>, before: ReportedDocument, after: ReportedDocument): void {
  const list = hasScores(before) === hasScores(after) ? listKept : listText;
  const changes = diffLines(list(before), list(after));
  if (changes === undefined) {
    comparison.tooLong += 1;
    return;
  }
  if (changes.length === 0) {
    comparison.same += 1;
    return;
  }
  const tally = createTally();
  tally.documents = 1;
  for (const { text, isAdded } of changes) countLine(tally, isAdded, countWords(text));
  addTally(comparison.changed, tally);
  comparison.byLanguage.add(nameLanguage(after.lang ?? before.lang), tally);
  const show = (): ChangedDocument => ({
    ...{ id: after.id, url: after.url, addedWords: tally.keptWords, removedWords: tally.droppedWords },
    changes: changes.slice(0, SHOWN_LINES),
  });
  comparison.most.offer(tally.keptWords + tally.droppedWords, show);
  comparison.some.offer(show);
}

/**
 * The key under which a document waits. Documents of a crawl have their address as id, and those of its archives the id
 * of the WARC record.
 */
function keyOf({ id, url }: ReportedDocument): string {
  return url !== "" && id.startsWith("urn:uuid:") ? url : id;
}

/** Documents of one run that wait for their counterparts; several may have the same id, and keep their order. */
class Waiting {
  readonly #documents = new Map<string, ReportedDocument[]>();
  readonly #lonely: Lonely;
  #size = 0;

  constructor(lonely: Lonely) {
    this.#lonely = lonely;
  }

  add(document: ReportedDocument): void {
    const key = keyOf(document);
    const same = this.#documents.get(key);
    if (same === undefined) this.#documents.set(key, [document]);
    else same.push(document);
    this.#size += 1;
    const [oldest] = this.#documents.keys();
    if (this.#size > MOST_WAITING && oldest !== undefined) this.#leave(oldest);
  }

  /** Returns the first document with the same id, else the first with the same address if one of the ids is an address. */
  take(document: ReportedDocument): ReportedDocument | undefined {
    const key = keyOf(document);
    const same = this.#documents.get(key);
    if (same === undefined) return undefined;
    const at = same.findIndex(({ id }) => id === document.id || id === key || document.id === key);
    const [taken] = at < 0 ? [] : same.splice(at, 1);
    if (taken === undefined) return undefined;
    this.#size -= 1;
    if (same.length === 0) this.#documents.delete(key);
    return taken;
  }

  end(): void {
    for (const key of [...this.#documents.keys()]) this.#leave(key);
  }

  #leave(key: string): void {
    const left = this.#documents.get(key) ?? [];
    this.#documents.delete(key);
    this.#size -= left.length;
    this.#lonely.count += left.length;
    for (const { id } of left) if (this.#lonely.ids.length < SHOWN_DOCUMENTS) this.#lonely.ids.push(id);
  }
}

function tallyOf({ lines }: ReportedDocument): Tally {
  const tally = createTally();
  tally.documents = 1;
  for (const { text, isKept } of lines) countLine(tally, isKept, countWords(text));
  return tally;
}

function listKept({ lines }: ReportedDocument): readonly string[] {
  return lines.flatMap(({ text, isKept }) => (isKept ? text.split("\n") : [])).filter((text) => text !== "");
}

/** Lists the lines of the text, to compare records with lines and records with text alone. */
function listText(reported: ReportedDocument): readonly string[] {
  if (!hasScores(reported)) return listKept(reported);
  return formatText(reported.document)
    .split("\n")
    .filter((text) => text.trim() !== "");
}

function hasScores({ lines }: ReportedDocument): boolean {
  return lines[0]?.score !== undefined;
}

/** Returns undefined if the two are too long or differ too much. */
function diffLines(before: readonly string[], after: readonly string[]): readonly Change[] | undefined {
  if (before.length + after.length > MOST_LINES) return undefined;
  const parts = diffArrays([...before], [...after], { maxEditLength: MOST_EDITS });
  // The type does not say so, but `diffArrays` returns undefined if there are too many changes.
  return parts?.flatMap(({ value, added, removed }) =>
    added || removed ? value.map((text) => ({ text, isAdded: added })) : [],
  );
}
