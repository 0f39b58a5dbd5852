/**
 * Computes, formats and parses signatures, by which copies of a document and of its lines are found without its text.
 *
 * A signature is a line of JSON in `signatures/<shard>.jsonl.gz`, one for each document of `text/<shard>.jsonl.gz`, in
 * the same order. Digests are those of `--dedup` and `--dedup-lines`, in base 64: 10 bytes each for the text, for the
 * 14 bands of its MinHash and for each of its lines, and eight bits of each of its 112 MinHash values.
 */
import type { Document, LabelledLine } from "../../document.js";
import { digestLine, encodeParts, KEY_BYTES, splitDigests } from "../../filter/duplicates/digest-table.js";
import { traceDocument, type Trace } from "../../filter/duplicates/document-memory.js";
import { isCounted } from "../../filter/duplicates/line-memory.js";
import { BANDS, SIGNATURE_BYTES } from "../../filter/duplicates/min-hash.js";
import { viewKept } from "../../filter/kept-text.js";
import { toFields } from "../../json.js";
import { placeLines } from "../../write/text.js";

export interface DocumentSignature extends Trace {
  /** The index of the document in its shard, from 0. */
  readonly number: number;
  /** Digests of its content lines in order, including repeated ones, but without blank lines and verbatim text. */
  readonly lines: readonly Uint8Array[];
  /** For each digest, the row of its line in the record's `text`, from 0. */
  readonly rows: readonly number[];
}

/** Computes the signature of the document with this index in its shard. */
export function signDocument(document: Document<LabelledLine>, number: number): DocumentSignature {
  const { id, exact, near } = traceDocument(
    viewKept(document, () => undefined),
    "near",
  );
  const places = placeLines(document);
  const lines = document.lines.filter((line) => isCounted(line) && !line.text.includes("\n"));
  return {
    number,
    // A lone surrogate would become another text for readers of UTF-8.
    id: Buffer.from(id).toString(),
    exact,
    near,
    lines: lines.map(({ text }) => digestLine(text)),
    rows: lines.map((line) => places.get(line) ?? 0),
  };
}

/** Formats a signature as a line of JSON; the order of its fields is part of the format. */
export function formatSignature({ number, id, exact, near, lines, rows }: DocumentSignature): string {
  const row = {
    number,
    id,
    ...(exact === undefined ? {} : { exact: encodeParts([exact]) }),
    ...(near === undefined ? {} : { bits: encodeParts([near.bits]), bands: encodeParts(near.bands) }),
    lines: encodeParts(lines),
    rows,
  };
  return `${JSON.stringify(row)}\n`;
}

/** Throws an error that says what is wrong with the line. */
export function parseSignature(json: string): DocumentSignature {
  const { number, id, exact, bits, bands, lines, rows } = toFields(JSON.parse(json));
  if (!isCount(number)) throw new Error("it has no number");
  if (typeof id !== "string") throw new Error("it has no id");
  const digests = splitDigests(decode("lines", lines));
  if (!Array.isArray(rows) || !rows.every(isCount) || rows.length !== digests.length)
    throw new Error("its rows do not match its lines");
  if ((bits === undefined) !== (bands === undefined)) throw new Error("it has only half of a MinHash");
  return {
    number,
    id,
    exact: exact === undefined ? undefined : decode("exact", exact, KEY_BYTES),
    near:
      bits === undefined
        ? undefined
        : {
            bits: decode("bits", bits, SIGNATURE_BYTES),
            bands: splitDigests(decode("bands", bands, BANDS * KEY_BYTES)),
          },
    lines: digests,
    rows,
  };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function decode(name: string, value: unknown, length?: number): Uint8Array {
  const bytes = typeof value === "string" ? Buffer.from(value, "base64") : undefined;
  if (
    bytes === undefined ||
    (length === undefined ? bytes.length % KEY_BYTES !== 0 : bytes.length !== length)
  )
    throw new Error(`its ${name} are not digests`);
  return bytes;
}
