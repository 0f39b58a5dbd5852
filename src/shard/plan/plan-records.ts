/**
 * Plans the byte ranges of archives that hold the records of an index, sorted, and joined when they are close together.
 */
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { isUrl } from "../../acquire/files.js";
import { parseObjectAddress } from "../../acquire/objects/address.js";
import type { ObjectFacts } from "../../acquire/objects/objects.js";
import { createObjectOpener, type ObjectOpener } from "../../acquire/objects/open.js";
import { readRecordIndex } from "../../acquire/parquet/record-index.js";
import { tellCount } from "../../count.js";
import { UsageError } from "../../outcome.js";
import { mapOrdered } from "../../ordered.js";
import { lookAtFile } from "../store/etag.js";
import type { ShardInput } from "./manifest.js";
import { messageOf } from "../../thrown.js";
import { compareTexts } from "../../text-order.js";

/** Ranges closer together than this are joined: Common Crawl stores a request and metadata between two pages. */
const GAP_BYTES = 16_384;
/**
 * Above this share of wanted bytes the whole file is read: servers handle one long response better than thousands of
 * short ones.
 */
const MAX_SHARE = 0.05;
/** How many files are checked at once. */
const LOOKS = 4;

export interface RecordsOptions {
  /** The prefix of the file names: a folder, `s3://bucket/` or `https://host/`. */
  readonly base: string;
  readonly say: (sentence: string) => void;
  readonly signal: AbortSignal;
}

/** The offsets of the start and the end of one record. */
type Span = readonly [from: number, to: number];

/**
 * Yields the inputs to read. Throws UsageError for an index that cannot be used and for a missing file, and the signal's
 * reason when it aborts.
 */
export async function* planRecords(
  indexes: readonly string[],
  { base, say, signal }: RecordsOptions,
): AsyncGenerator<ShardInput[]> {
  const wanted = new Map<string, Span[]>();
  let records = 0;
  for (const index of indexes)
    for await (const { file, offset, length } of readRecordIndex(index)) {
      signal.throwIfAborted();
      const spans = wanted.get(file);
      if (spans === undefined) wanted.set(file, [[offset, offset + length]]);
      else spans.push([offset, offset + length]);
      records += 1;
    }
  say(`the index names ${tellCount(records, "record")} in ${tellCount(wanted.size, "file")}`);
  const files = [...wanted].sort(([a], [b]) => compareTexts(a, b));
  const objects = createObjectOpener();
  try {
    const looked = mapOrdered(
      Readable.from(files) as AsyncIterable<(typeof files)[number]>, // the stream yields what it was made from
      LOOKS,
      async ([file, spans]) => {
        const uri = join(base, file);
        return toInputs(uri, await look(uri, objects, signal), spans);
      },
      signal,
    );
    for await (const inputs of looked) for (const input of inputs) yield [input];
  } finally {
    await objects.close();
  }
}

function join(base: string, file: string): string {
  if (base === "" || base.endsWith("/")) return `${base}${file}`;
  return `${base}/${file}`;
}

async function look(uri: string, objects: ObjectOpener, signal: AbortSignal): Promise<ObjectFacts> {
  let facts: ObjectFacts | undefined;
  try {
    facts = isUrl(uri)
      ? await (await objects.storeOf(uri)).look(parseObjectAddress(uri), signal)
      : await lookAtFile(resolve(uri));
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    signal.throwIfAborted();
    throw new UsageError(`${uri} cannot be planned: ${messageOf(cause)}`, { cause });
  }
  if (facts === undefined) throw new UsageError(`${uri} cannot be planned: the file does not exist`);
  return facts;
}

function toInputs(uri: string, facts: ObjectFacts, spans: readonly Span[]): ShardInput[] {
  const sorted = [...spans].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const last = sorted.reduce((most, [, to]) => Math.max(most, to), 0);
  if (last > facts.bytes)
    throw new UsageError(
      `${uri} has ${tellCount(facts.bytes, "byte")}, but the index names a record that ends at ${last}`,
    );
  const ranges = joinSpans(sorted);
  const bytes = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
  const base = { uri, bytes: facts.bytes, etag: facts.etag };
  if (bytes > facts.bytes * MAX_SHARE)
    return [
      { ...base, offset: 0, length: null, kind: "warc", only: [...new Set(sorted.map(([from]) => from))] },
    ];
  return ranges.map(({ from, to, starts }) => ({
    ...base,
    offset: from,
    length: to - from,
    kind: "warc" as const,
    only: starts,
  }));
}

interface Range {
  readonly from: number;
  to: number;
  readonly starts: number[];
}

function joinSpans(sorted: readonly Span[]): Range[] {
  const ranges: Range[] = [];
  for (const [from, to] of sorted) {
    const before = ranges.at(-1);
    if (before === undefined || from > before.to + GAP_BYTES) ranges.push({ from, to, starts: [from] });
    else {
      // An index may name a record twice.
      if (before.starts.at(-1) !== from) before.starts.push(from);
      before.to = Math.max(before.to, to);
    }
  }
  return ranges;
}
