/** Files of annotated lines (JSONL, gzip looked through) into gold documents. */
import { createReadStream } from "node:fs";
import { UsageError } from "../outcome.js";
import { decompress, isGzip } from "./decompress.js";
import { splitLines } from "./lines.js";
import { peek } from "./streams.js";

export interface GoldLine {
  readonly text: string;
  /** 1 = main content, 0 = boilerplate. */
  readonly label: 0 | 1;
}

/** A document whose lines somebody labelled. `lang` and `source` are "" where the record is silent. */
export interface GoldRecord {
  readonly id: string;
  readonly lang: string;
  readonly source: string;
  readonly lines: readonly GoldLine[];
}

/** A gold record is smaller than a page; longer lines are damage. */
const MAX_RECORD_BYTES = 100_000_000;

/**
 * Records with `lines` of `{text, label}`. Unlike pages, gold is not cleaned by leaving out what is wrong: throws
 * UsageError that names the file and the line.
 */
export async function* readGold(path: string): AsyncGenerator<GoldRecord> {
  const { head, chunks } = await peek(createReadStream(path), 3);
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
    throw new UsageError(`${where}: not JSON`, { cause });
  }
  if (typeof value !== "object" || value === null) throw new UsageError(`${where}: not a JSON object`);
  // Any object may be read by key; the fields are checked one by one.
  const { id, lang, source, lines } = value as Readonly<Record<string, unknown>>;
  if (!Array.isArray(lines)) throw new UsageError(`${where}: no array "lines" of {"text", "label"}`);
  return {
    id: typeof id === "string" ? id : where,
    lang: typeof lang === "string" ? lang : "",
    source: typeof source === "string" ? source : "",
    lines: lines.map((line, index) => parseLine(line, `${where}: line ${index + 1}`)),
  };
}

function parseLine(value: unknown, where: string): GoldLine {
  // As above: null has no fields, and any other value may be asked for them.
  const { text, label } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof text !== "string") throw new UsageError(`${where}: "text" is not a string`);
  if (label === 0 || label === "boilerplate") return { text, label: 0 };
  if (label === 1 || label === "content") return { text, label: 1 };
  throw new UsageError(`${where}: "label" is neither 1 (content) nor 0 (boilerplate)`);
}
