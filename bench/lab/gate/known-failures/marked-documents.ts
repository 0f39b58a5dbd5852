/** Reads the fixtures of known failures: documents whose lines are labelled, and marked if they show the failure. */
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { GoldLine } from "../../../corpora/gold.js";
import { isMissing } from "../../../missing.js";

/**
 * What earlier line labellers get wrong, after Salmela 2022, and failures found in our own errors. Each has a folder.
 */
export const FAILURE_KINDS = [
  "duplicates",
  "lyrics",
  "forum-metadata",
  "informal-comments",
  "generated-text",
  "first-lines",
  "ingredient-lists",
  "in-article-headings",
  "info-box-rows",
  "letter-indexes",
  "huge-lists",
] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

/** A gold line whose label is always known. */
interface MarkedLine extends GoldLine {
  readonly label: 0 | 1;
}

/** Whether the lines are the text of a raw page, the text that an extractor kept, or the lines of an old crawl. */
export const CONDITIONS = ["raw", "extracted", "crawl"] as const;
export type Condition = (typeof CONDITIONS)[number];

export interface MarkedDocument {
  /** `kind/slug`. */
  readonly id: string;
  readonly kind: FailureKind;
  /** One sentence that says what the document shows. */
  readonly proves: string;
  readonly lang: string;
  readonly type: string;
  readonly condition: Condition;
  /** `cls` is the kind of failure on marked lines, and absent on all others. */
  readonly lines: readonly MarkedLine[];
}

/**
 * Reads every document, by kind and name. Throws a RangeError that names the line when a file breaks the README's
 * rules.
 */
export async function readMarkedDocuments(folder: string): Promise<MarkedDocument[]> {
  const documents: MarkedDocument[] = [];
  for (const kind of FAILURE_KINDS) {
    for (const file of (await listFiles(join(folder, kind))).sort())
      documents.push(parseDocument(kind, file, await readFile(join(folder, kind, file), "utf8")));
  }
  return documents;
}

async function listFiles(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((file) => file.endsWith(".jsonl"));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** The first line of a file describes the document; every other line is a line of the document. */
function parseDocument(kind: FailureKind, file: string, jsonl: string): MarkedDocument {
  const id = `${kind}/${basename(file, ".jsonl")}`;
  const [head, ...rows] = jsonl
    .trimEnd()
    .split("\n")
    .map((row, index) => parseObject(row, `${id}, line ${index + 1}`));
  const about = (name: string): string => {
    const value = head?.[name];
    if (typeof value !== "string" || value === "") throw new RangeError(`${id}, line 1: no ${name}`);
    return value;
  };
  const condition = CONDITIONS.find((known) => known === about("condition"));
  if (condition === undefined) throw new RangeError(`${id}, line 1: no condition is "${about("condition")}"`);
  const lines = rows.flatMap((row, index) => toLines(row, kind, `${id}, line ${index + 2}`));
  return { id, kind, proves: about("proves"), lang: about("lang"), type: about("type"), condition, lines };
}

type Row = Readonly<Record<string, unknown>>;

function parseObject(row: string, where: string): Row {
  try {
    const value: unknown = JSON.parse(row);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Row; // checked just above
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new RangeError(`${where}: not a JSON object`);
}

/** A row with a number of `rows` becomes that many lines; any other row is one line. */
function toLines(row: Row, kind: FailureKind, where: string): MarkedLine[] {
  const { rows, words } = row;
  const line = toLine(row, kind, where);
  if (rows === undefined) return [line];
  if (typeof rows !== "number" || !(rows > 0 && rows <= MOST_ROWS)) throw new RangeError(`${where}: no rows`);
  const lists = words as Lists | undefined; // `fillIn` reports a missing list
  return Array.from({ length: rows }, (_, at) => ({ ...line, text: fillIn(line.text, at, lists, where) }));
}

const MOST_ROWS = 10_000;

type Lists = Readonly<Record<string, readonly string[]>>;

/**
 * Replaces each `{name}` by a word of the list `name`, always the same word in the same row; `{n}` is the row's number.
 */
function fillIn(text: string, at: number, lists: Lists | undefined, where: string): string {
  let place = 0;
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (name === "n") return String(at + 1);
    place += 1;
    const list = lists?.[name] ?? [];
    // A multiplicative hash (Knuth, volume 3, section 6.4): neighbouring rows get words that are far apart in the list.
    const word = list[(Math.imul((at + 1) * 31 + place, 2_654_435_761) >>> 8) % list.length];
    if (word === undefined) throw new RangeError(`${where}: no words for {${name}}`);
    return word;
  });
}

function toLine({ text, label, cls }: Row, kind: FailureKind, where: string): MarkedLine {
  if (typeof text !== "string" || text.trim() === "") throw new RangeError(`${where}: no text`);
  if (label !== "content" && label !== "boilerplate")
    throw new RangeError(`${where}: no label is ${JSON.stringify(label)}`);
  if (cls !== undefined && cls !== kind) throw new RangeError(`${where}: cls is not "${kind}"`);
  return { text, label: label === "content" ? 1 : 0, ...(cls === undefined ? {} : { cls: kind }) };
}
