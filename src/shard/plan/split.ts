/** Finds the offsets at which a large file can be cut so that its parts yield the same pages as the whole. */
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { openParts, type PartsOptions } from "../../acquire/open-parts.js";
import { chooseKind, HEAD_BYTES, kindOfName, type InputKind } from "../../acquire/kind.js";
import { READING } from "../../acquire/parts.js";
import type { ShardInput } from "./manifest.js";

/** A file that may be cut. */
interface Whole {
  readonly uri: string;
  readonly path: string;
  readonly bytes: number;
  readonly etag: string;
}

interface SplitOptions extends Pick<PartsOptions, "from" | "column" | "maxBytes"> {
  /** Target size of a part in bytes. */
  readonly size: number;
  readonly signal: AbortSignal;
}

/** The start of a part. */
type Cut = Pick<ShardInput, "offset" | "line" | "proven">;

/** Returns the parts of a file; the whole file when it cannot be cut. */
export async function splitFile(whole: Whole, options: SplitOptions): Promise<ShardInput[]> {
  const { uri, bytes, etag } = whole;
  const kind = options.from ?? (await tellKind(whole, options.column));
  const cuts =
    kind === "jsonl"
      ? await cutLines(whole, options)
      : kind === "warc" || kind === "wet" || kind === "wacz"
        ? await cutArchive(whole, kind, options)
        : [];
  if (cuts.length === 0 || kind === undefined) return [{ uri, bytes, etag, offset: 0, length: null }];
  return [{ offset: 0 }, ...cuts].map((cut, at) => {
    const end = cuts[at]?.offset ?? bytes;
    return { uri, bytes, etag, ...cut, length: end - cut.offset, kind };
  });
}

/** The kind of a file. Undefined for compressed files except archives, whose members are compressed one by one. */
async function tellKind({ path }: Whole, column: string | undefined): Promise<InputKind | undefined> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const head = buffer.subarray(0, bytesRead);
    const hint = kindOfName(path);
    if (head[0] === 0x1f && head[1] === 0x8b)
      return hint === "wet" ? "wet" : hint === "warc" ? "warc" : undefined;
    return chooseKind(head, hint, column);
  } finally {
    await file.close();
  }
}

const LF = 0x0a;
const BRACE = 0x7b;

/**
 * Cuts before lines that begin with "{": a part that begins so cannot be mistaken for compressed data or another kind
 * of input. Files that do not begin with "{" are not cut.
 */
async function cutLines({ path, bytes }: Whole, { size, signal }: SplitOptions): Promise<Cut[]> {
  const parts = Math.max(1, Math.round(bytes / size));
  const cuts: Cut[] = [];
  let offset = 0;
  let lines = 1;
  let isFirst = true;
  let isLineStart = false;
  for await (const chunk of createReadStream(path, { ...READING, signal }) as AsyncIterable<Buffer>) {
    if (isFirst && chunk[0] !== BRACE) return [];
    isFirst = false;
    for (let at = 0; at < chunk.length;) {
      const target = ((cuts.length + 1) * bytes) / parts;
      if (isLineStart && offset + at >= target && chunk[at] === BRACE && cuts.length + 1 < parts)
        cuts.push({ offset: offset + at, line: lines });
      const end = chunk.indexOf(LF, at);
      isLineStart = end !== -1;
      if (end === -1) break;
      lines += 1;
      at = end + 1;
    }
    offset += chunk.length;
  }
  return cuts;
}

/**
 * Cuts between records where the record before was good, as found by reading the whole file: bytes may look like the
 * start of a record without being one, as in an archive within an archive.
 */
async function cutArchive(
  { uri, path, bytes }: Whole,
  kind: InputKind,
  { size, signal, maxBytes }: SplitOptions,
): Promise<Cut[]> {
  const parts = Math.max(1, Math.round(bytes / size));
  const source = openParts([{ id: uri, path, kind }], { maxBytes, judges: "later" });
  const cuts: Cut[] = [];
  let isAfterGood = false;
  for await (const outcome of source.pages(signal)) {
    const start = source.start();
    const target = ((cuts.length + 1) * bytes) / parts;
    if (isAfterGood && start !== undefined && start.offset >= target && cuts.length + 1 < parts)
      cuts.push({ offset: start.offset, ...(start.areDigestsProven && { proven: true }) });
    isAfterGood = start !== undefined && (outcome.ok || outcome.reason !== "broken-warc");
    if (!outcome.ok && outcome.reason === "unreadable") return [];
  }
  signal.throwIfAborted();
  return cuts;
}
