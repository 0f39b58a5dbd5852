/** Reads the text of a URL from each line of a seed list (plain, JSON or a table), and turns it into a URL. */
import type { Reason } from "../../outcome.js";
import { MAX_URL, isWebUrl, parseUrl } from "../../parse-url.js";
import { guessDelimiter, readRows, type Row, type TextLine } from "./csv.js";
import { isObject } from "../../json.js";

/** The formats of a seed list. */
export const SEED_FORMATS = ["text", "csv", "tsv", "jsonl"] as const;
export type SeedFormat = (typeof SEED_FORMATS)[number];

type SeedLine =
  | { readonly line: number; readonly text: string }
  | { readonly line: number; readonly reason: Reason; readonly problem: string };

/** The usual names of columns and fields with URLs. */
const USUAL_NAMES = ["url", "uri", "link", "href", "address", "loc", "page", "page_url", "website"];
/** The most column names that a message shows. */
const SHOWN_NAMES = 20;

/** Reads lines; skips those that are blank or begin with "#". A table without the column gives one reject. */
export async function* readSeedLines(
  lines: AsyncIterable<TextLine>,
  format: SeedFormat,
  column: string | undefined,
): AsyncGenerator<SeedLine> {
  if (format === "csv" || format === "tsv") {
    yield* readTable(lines, format, column);
    return;
  }
  for await (const { number: line, text, problem } of lines) {
    if (text === undefined) yield { line, reason: "bad-url", problem: problem ?? "unreadable" };
    else if (!isComment(text)) yield format === "text" ? { line, text } : readJson(line, text, column);
  }
}

function isComment(text: string): boolean {
  return /^\s*(?:#|$)/.test(text);
}

/** Reads a field of an object, or a bare string. */
function readJson(line: number, text: string, column: string | undefined): SeedLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { line, reason: "not-json", problem: error.message.slice(0, 120) };
  }
  if (typeof value === "string") return { line, text: value };
  if (!isObject(value)) return { line, reason: "not-json", problem: "not an object" };
  const names = column === undefined ? USUAL_NAMES : [column];
  const name = names.find((known) => Object.hasOwn(value, known));
  const found = name === undefined ? undefined : value[name];
  if (typeof found === "string") return { line, text: found };
  const problem =
    name === undefined ? `no field ${names.slice(0, 3).join(", ")}` : `the field ${name} is not a string`;
  return { line, reason: "bad-record", problem };
}

async function* readTable(
  lines: AsyncIterable<TextLine>,
  format: "csv" | "tsv",
  column: string | undefined,
): AsyncGenerator<SeedLine> {
  const source = lines[Symbol.asyncIterator]();
  const step = await firstOf(source);
  if (step === undefined) return;
  const delimiter = format === "tsv" ? "\t" : guessDelimiter(step.text ?? "");
  let index: number | undefined;
  for await (const row of readRows(prepend(step, source), delimiter)) {
    if ("problem" in row) {
      yield { line: row.line, reason: "bad-record", problem: row.problem };
      continue;
    }
    if (index === undefined) {
      const chosen = chooseColumn(row.cells, column);
      if ("problem" in chosen) {
        yield { line: row.line, reason: "bad-record", problem: chosen.problem };
        return;
      }
      ({ index } = chosen);
      if (chosen.isHeader) continue;
    }
    yield* readCell(row, index);
  }
}

/** Finds the first line that is neither blank nor a comment. */
async function firstOf(source: AsyncIterator<TextLine>): Promise<TextLine | undefined> {
  for (let step = await source.next(); step.done !== true; step = await source.next()) {
    if (step.value.text === undefined || !isComment(step.value.text)) return step.value;
  }
  return undefined;
}

async function* prepend(first: TextLine, source: AsyncIterator<TextLine>): AsyncGenerator<TextLine> {
  try {
    yield first;
    for (let step = await source.next(); step.done !== true; step = await source.next()) yield step.value;
  } finally {
    await source.return?.();
  }
}

function* readCell(row: Extract<Row, { cells: unknown }>, index: number): Generator<SeedLine> {
  const { line, cells } = row;
  if (cells.every((cell) => cell.trim() === "") || (cells[0] ?? "").startsWith("#")) return;
  const text = cells[index]?.trim() ?? "";
  if (text === "") yield { line, reason: "bad-record", problem: `column ${index + 1} is empty` };
  else yield { line, text };
}

type Choice = { readonly index: number; readonly isHeader: boolean } | { readonly problem: string };

/**
 * Chooses the column with the given name, or with the given number counted from 1. Without `column`, chooses one with a
 * usual name, the only one, or the first one whose first cell is a URL.
 */
function chooseColumn(cells: readonly string[], column: string | undefined): Choice {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  const isUrl = (cell: string | undefined): boolean => cell !== undefined && "url" in toSeedUrl(cell);
  for (const name of column === undefined ? USUAL_NAMES : [column.trim().toLowerCase()]) {
    const index = names.indexOf(name);
    if (index !== -1) return { index, isHeader: true };
  }
  if (column !== undefined && /^[1-9]\d{0,3}$/.test(column)) {
    const index = Number(column) - 1;
    if (index >= cells.length) return { problem: `no column ${column}; there are only ${cells.length}` };
    return { index, isHeader: !isUrl(cells[index]) };
  }
  const shown = cells.slice(0, SHOWN_NAMES).join(", ").slice(0, 200);
  if (column !== undefined) return { problem: `no column ${column}; there are: ${shown}` };
  const index = cells.length === 1 ? 0 : cells.findIndex(isUrl);
  if (index === -1) return { problem: `no column is called url; name one of: ${shown}` };
  return { index, isHeader: !isUrl(cells[index]) };
}

type SeedText = { readonly url: string } | { readonly problem: string };

/** The problem of a text that is not a URL, also not with a scheme before it. */
export const NOT_URL = "not a URL";
/** A scheme: the text before a colon, unless it has a dot like a host name, or a port follows ("localhost:8080"). */
const SCHEME = /^[a-z][a-z0-9+-]*:(?!\d{1,5}(?:[/?#]|$))/i;
/** A host as people write it: a name with a dot, localhost, or an IP address. */
const HOST = /^(?:[^\s/?#@:[\]]+\.[^\s/?#@:[\]]+|localhost|\[[\da-f:.]+\])(?::\d{1,5})?(?:[/?#]|$)/i;

/**
 * Makes a URL from what a person wrote, as wget and browsers' address bars do. The default scheme is http, which
 * reaches servers with and without TLS, because servers with TLS redirect to https. The URL standard normalises the
 * result.
 */
export function toSeedUrl(text: string): SeedText {
  const trimmed = text.trim();
  if (trimmed === "") return { problem: "empty" };
  if (trimmed.length > MAX_URL) return { problem: `more than ${MAX_URL} characters` };
  // The URL standard would remove them and so join two words.
  if (/[\t\r\n]/.test(trimmed)) return { problem: "a tab or a line break in the URL" };
  const whole = complete(trimmed);
  const url = whole === undefined ? undefined : parseUrl(whole);
  if (url === undefined) return { problem: NOT_URL };
  if (isWebUrl(url)) return { url: url.href };
  return { problem: `${url.protocol} is not http or https` };
}

function complete(text: string): string | undefined {
  if (SCHEME.test(text)) return text;
  const rest = text.startsWith("//") ? text.slice(2) : text;
  return HOST.test(rest) ? `http://${rest}` : undefined;
}
