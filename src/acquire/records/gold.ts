/** Reads gold documents from files of annotated lines (JSONL, optionally packed with gzip). */
import { createReadStream } from "node:fs";
import { BLOCK_TAGS, PAGE_TYPES, type BlockTag, type Line, type PageType } from "../../document.js";
import type { Fields } from "../../json.js";
import { UsageError } from "../../outcome.js";
import { decompress, isGzip } from "../packed/decompress.js";
import { peek, splitLines, type Chunks } from "../streams.js";

/** A line of text with its label, and with what is known about its position in a page. */
export interface GoldLine {
  readonly text: string;
  /** 1 = main content, 0 = boilerplate, null = unknown. */
  readonly label: 0 | 1 | null;
  readonly block?: BlockTag;
  readonly path?: string;
  readonly linkChars?: number;
  readonly breakBefore?: Line["breakBefore"];
  readonly span?: readonly [number, number];
}

/**
 * A document with labels that people gave to its lines. `lang` and `source` are "" if the record does not state them.
 */
export interface GoldRecord {
  readonly id: string;
  readonly url?: string;
  readonly lang: string;
  readonly source: string;
  readonly lines: readonly GoldLine[];
  /** The title that lines are compared with: `statedTitle` if the record has it, else `title`. */
  readonly title?: string;
  readonly pageType?: PageType;
}

/** A gold record is smaller than a page; a longer line is damage. */
const MAX_RECORD_BYTES = 100_000_000;

/**
 * Reads records with `lines` of `{text, label}`. `bytesOfFile` replaces the bytes of the file if `path` is only a name.
 * Unlike a bad page, a bad gold record is not skipped: throws UsageError that names the file and the line.
 */
export async function* readGold(
  path: string,
  bytesOfFile: Chunks = createReadStream(path),
): AsyncGenerator<GoldRecord> {
  const { head, chunks } = await peek(bytesOfFile, 3);
  const plain = isGzip(head) ? decompress(chunks, "gzip") : chunks;
  for await (const { number, bytes } of splitLines(plain, MAX_RECORD_BYTES)) {
    if (bytes === undefined)
      throw new UsageError(`${path}:${number}: the line is longer than ${MAX_RECORD_BYTES} bytes`);
    const json = Buffer.from(bytes).toString("utf8").trim();
    if (json !== "") yield parseRecord(json, `${path}:${number}`);
  }
}

function parseRecord(json: string, where: string): GoldRecord {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw new UsageError(`${where}: not JSON; gold files are JSON Lines, with a document on each line`, {
      cause,
    });
  }
  if (typeof value !== "object" || value === null) throw new UsageError(`${where}: not a JSON object`);
  const fields = value as Fields; // reading a field is safe on any object
  const { id, lang, source, lines } = fields;
  if (!Array.isArray(lines)) throw new UsageError(`${where}: no array "lines" of {"text", "label"}`);
  const optional = optionalFields(fields, where);
  const { statedTitle } = optional("statedTitle", "a string", isString);
  return {
    id: typeof id === "string" ? id : where,
    lang: typeof lang === "string" ? lang : "",
    source: typeof source === "string" ? source : "",
    lines: lines.map((line, index) => parseLine(line, `${where}: line ${index + 1}`)),
    ...optional("url", "a string", isString),
    ...optional("title", "a string", isString),
    ...(statedTitle !== undefined && { title: statedTitle }),
    ...optional("pageType", `one of ${PAGE_TYPES.join(", ")}`, isOneOf(PAGE_TYPES)),
  };
}

function parseLine(value: unknown, where: string): GoldLine {
  const fields = (value ?? {}) as Fields; // null has no fields, and reading a field is safe on any other value
  const { text, label } = fields;
  if (typeof text !== "string") throw new UsageError(`${where}: "text" is not a string`);
  const optional = optionalFields(fields, where);
  return {
    text,
    label: parseLabel(label, where),
    ...optional("block", "the name of a block", isOneOf(BLOCK_TAGS)),
    ...optional("path", "a string", isString),
    ...optional("linkChars", "a whole number from 0 to the length of the text", isCount(text.length)),
    ...optional("breakBefore", '"line" or "block"', isOneOf(["line", "block"] as const)),
    ...optional("span", "a pair of offsets, the first no larger than the second", isSpan),
  };
}

function parseLabel(label: unknown, where: string): 0 | 1 | null {
  if (label === null) return null;
  if (label === 0 || label === "boilerplate") return 0;
  if (label === 1 || label === "content") return 1;
  throw new UsageError(`${where}: "label" is neither 1 (content) nor 0 (boilerplate) nor null (unknown)`);
}

type Check<T> = (value: unknown) => value is T;

const isString: Check<string> = (value) => typeof value === "string";

function isOneOf<T extends string>(names: readonly T[]): Check<T> {
  const known: ReadonlySet<unknown> = new Set(names);
  return (value): value is T => known.has(value);
}

function isCount(most: number): Check<number> {
  return (value): value is number => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most;
}

const isSpan: Check<readonly [number, number]> = (value): value is readonly [number, number] => {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [start, end] = value as readonly unknown[]; // Array.isArray gives any[]
  return (
    Number.isInteger(start) && Number.isInteger(end) && 0 <= Number(start) && Number(start) <= Number(end)
  );
};

/** Reads fields that may be missing or null; throws UsageError if they have a wrong value. */
function optionalFields(fields: Fields, where: string) {
  return <K extends string, T>(name: K, wanted: string, is: Check<T>): Partial<Record<K, T>> => {
    const value = fields[name];
    if (value === undefined || value === null) return {};
    if (!is(value)) throw new UsageError(`${where}: "${name}" is not ${wanted}`);
    // TypeScript gives an object with a computed key an index signature; here the key is the one key of K.
    return { [name]: value } as Partial<Record<K, T>>;
  };
}
