/** Reads a file, an object or stdin: one page, or the records that its first bytes show. */
import { stat } from "node:fs/promises";
import { decodeLatin1 } from "../bytes/latin1.js";
import type { Page } from "../document.js";
import { reject, type Outcome, type Reject, type PageName } from "../outcome.js";
import { isUrl } from "./files.js";
import { findForeignMarkup } from "./foreign.js";
import {
  chooseKind,
  HEAD_BYTES,
  isOfMany,
  isSurelyRecords,
  isTableName,
  isZip,
  kindOfName,
  readableHead,
  type InputKind,
} from "./kind.js";
import { parseObjectAddress } from "./objects/address.js";
import type { ObjectOpener } from "./objects/open.js";
import { isGzip } from "./packed/decompress.js";
import { beginsRecord } from "./packed/gzip.js";
import { unpackStream, withoutTrailer } from "./packed/unpack.js";
import { beginsRecordInZstd } from "./packed/zstd-frames.js";
import { findBinary, toPage, type PageBytes } from "./page-bytes.js";
import { openFilePart, type InputPart } from "./parts.js";
import type { LeftForLater, Place, PlaceOptions } from "./place.js";
import type { Progress } from "./position.js";
import { toReject } from "./read-errors.js";
import { readJson, readRecords, refuseRecords } from "./records/jsonl.js";
import { chunksUntilAborted, collect, peek, type Chunks, type PeekedStream } from "./streams.js";
import { PACKED_BYTES, packingOf, readWarc, type WarcStart } from "./warc/warc.js";

export interface PlaceReading extends PlaceOptions, LeftForLater {
  readonly objects: ObjectOpener;
  readonly signal: AbortSignal;
  readonly progress: Progress;
  /** Called as soon as the kind of a place is known. */
  readonly onKind?: (kind: InputKind) => void;
  readonly onPassedOver: (type: string) => void;
  readonly onStart: (start: WarcStart) => void;
  readonly onSkipped?: (bytes: number) => void;
  /** Set when a chosen part of a place is read. */
  readonly part?: InputPart;
}

/** Reads from the beginning, or from a start that an earlier reader gave. */
export async function* readPlace(
  place: Place,
  reading: PlaceReading,
  start: WarcStart | undefined,
): AsyncGenerator<Outcome<Page>> {
  const { id } = place;
  const { column, url = "", maxBytes, signal, progress, part } = reading;
  const from = part?.kind ?? reading.from;
  const of = { id, url };
  let opened: Opened;
  let stream: AsyncGenerator<Uint8Array>;
  try {
    stream = chunksUntilAborted(await openRange(place, reading, rangeOf(place, reading, start)), signal);
    opened = await openPlain(progress.count(stream), { from, hint: kindOfName(id), column });
  } catch (error) {
    yield toReject(of, error);
    return;
  }
  const { kind } = opened;
  reading.onKind?.(kind);
  // A part that starts within a file is not checked: the records before it have shown what the file is.
  const refused = part?.line === undefined ? refuseHead(of, opened, from) : undefined;
  // The stream is not read on, so it would not be closed otherwise.
  if (refused !== undefined || kind === "wacz") void stream.return(undefined);
  if (refused !== undefined) yield refused;
  else if (kind === "wacz") yield* readZipped(place, opened, reading, start);
  else if (isOfMany(kind)) yield* readMany(place, opened, reading, start);
  else yield await readPage({ ...of, format: kind === "text" ? "text" : "html" }, opened, maxBytes);
}

/** Reads the records of an archive, a table or JSON. */
async function* readMany(
  { id, kind: placeKind }: Place,
  { head, chunks, kind }: Opened,
  reading: PlaceReading,
  start: WarcStart | undefined,
): AsyncGenerator<Outcome<Page>> {
  if (isWarcKind(kind)) {
    yield* readWarc(chunks, { ...reading, ...packingOf(head), input: id, ...(start && { start }) });
    return;
  }
  const { column, maxBytes, part, progress, reads } = reading;
  const line = part?.line === undefined ? {} : { firstLine: part.line };
  const records = { input: id, maxBytes, ...(column === undefined ? {} : { column }), ...line };
  if (kind === "parquet") {
    // Imported only for tables, so that other inputs need not wait for the library.
    const { readParquet } = await import("./parquet/parquet.js");
    const path = part?.path ?? id;
    const onRead = (bytes: number): void => {
      progress.onRead(bytes);
    };
    yield* readParquet(placeKind === "stdin" || isUrl(path) ? { chunks } : { path, chunks }, {
      ...records,
      onRead,
    });
  } else if (kind === "json") yield* readJson(chunks, records);
  else yield* readRecords(chunks, { ...records, ...(reads && { reads }) });
}

/** Reads the WARC files in a WACZ. */
async function* readZipped(
  place: Place,
  { isPacked }: Opened,
  reading: PlaceReading,
  start: WarcStart | undefined,
): AsyncGenerator<Outcome<Page>> {
  const { id } = place;
  const { onStart, part, progress, ...rest } = reading;
  let size: number | undefined;
  try {
    size = isPacked ? undefined : await measure(place, reading);
  } catch (error) {
    yield toReject({ id, url: "" }, error);
    return;
  }
  if (size === undefined) {
    yield reject({ id, url: "" }, "acquire", "binary", WACZ_ADVICE);
    return;
  }
  // Imported only for WACZ files, so that other inputs need not wait for the library.
  const { readWacz } = await import("./warc/wacz.js");
  const { offset = 0, length } = part ?? {};
  const file = {
    size,
    open: (from: number, to: number) => openRange(place, reading, { offset: from, length: to - from }),
  };
  yield* readWacz(file, {
    ...rest,
    input: id,
    ...(start && { start }),
    ...(length !== undefined && { end: offset + length }),
    // Another reader knows that the start is one in a WACZ only if the name or an option says so.
    ...(isNamedWacz(place, reading) && { onStart }),
    onRead: (at) => {
      progress.onRead(at - offset);
    },
  });
}

const WACZ_ADVICE =
  "WACZ, which can be read only from a file or an object store; save it first, or: unzip -p FILE 'archive/*.warc.gz' | thresher -";

function isNamedWacz({ id }: Place, { part, from }: PlaceReading): boolean {
  return (part?.kind ?? from ?? kindOfName(id)) === "wacz";
}

/** Returns the size of a file or an object; undefined for stdin and pipes. */
async function measure(
  { id, kind, facts }: Place,
  { part, objects }: PlaceReading,
): Promise<number | undefined> {
  if (kind === "stdin") return undefined;
  const path = part?.path ?? id;
  if (isUrl(path))
    return facts?.size ?? (await (await objects.storeOf(path)).look(parseObjectAddress(path)))?.bytes;
  const stats = await stat(path);
  return stats.isFile() ? stats.size : undefined;
}

type Range = Pick<InputPart, "offset" | "length">;

/** Returns the range to read. A WACZ is opened at its beginning, because only its directory shows where to start. */
function rangeOf(place: Place, reading: PlaceReading, start: WarcStart | undefined): Range {
  if (isNamedWacz(place, reading)) return {};
  return reading.part ?? (start ? { offset: start.offset } : {});
}

/** Opens a range of the bytes of a place. */
async function openRange(
  { id, kind, facts }: Place,
  { stdin, part, objects }: PlaceReading,
  { offset = 0, length }: Range,
): Promise<Chunks> {
  if (kind === "stdin" && stdin !== undefined) return stdin;
  const path = part?.path ?? id;
  const etag = part?.etag ?? facts?.etag;
  const range = { offset, ...(length !== undefined && { length }) };
  if (isUrl(path)) return objects.open(path, { ...range, ...(etag !== undefined && { etag }) });
  return openFilePart({ id, path, ...range });
}

/** Returns a reject if the first bytes or the name show that the input cannot be read. */
function refuseHead(of: PageName, { kind, head }: Opened, from: InputKind | undefined): Reject | undefined {
  if (kind === "jsonl" || kind === "json") return refuseRecords(of, head);
  if (kind !== "text" || from !== undefined) return undefined;
  const advice = isTableName(of.id) ? TABLE_ADVICE : isListOfAddresses(head) ? LIST_ADVICE : undefined;
  return advice === undefined ? undefined : reject(of, "acquire", "not-a-page", advice);
}

/** Reading all rows as one text is hardly ever wanted. */
const TABLE_ADVICE =
  "a table, by its name (CSV, TSV, CoNLL-U, VRT); convert it to JSON Lines or Parquet, or read it as one text with --from text";

const LIST_ADVICE =
  "a list of addresses; thresher crawl FILE -o DIR fetches them, and --from text reads it as one text";

/** Whether each line of the head is an address. The last line of a longer file may be cut. */
function isListOfAddresses(head: Uint8Array): boolean {
  if (!/^[\s\u00ef\u00bb\u00bf]*https?:/i.test(decodeLatin1(head.subarray(0, 64)))) return false;
  const lines = decodeLatin1(head).split("\n");
  const whole = head.length < HEAD_BYTES ? lines : lines.slice(0, -1);
  return whole.every((line) => /^[\s\u00ef\u00bb\u00bf]*(?:https?:\/\/\S+\s*)?$/i.test(line));
}

/** If a large file is not a page, that is the better reason: raising the size limit would not help. */
function refuseLarge(of: PageBytes, head: Uint8Array, maxBytes: number): Reject {
  const binary = findBinary(head);
  if (binary !== undefined) return reject(of, "acquire", "binary", binary);
  const foreign = of.format === "html" ? findForeignMarkup(readableHead(head)) : undefined;
  if (foreign !== undefined) return reject(of, "acquire", "not-a-page", foreign);
  const advice = of.format === "text" ? "; if it holds many texts, make it JSON Lines" : "";
  return reject(of, "acquire", "too-large", `more than ${maxBytes} bytes${advice}`);
}

/** Bytes that show what a stream labelled as records really is. */
const MAGIC_BYTES = 64;

/** A stream of unpacked bytes; only archives stay packed. */
interface Opened extends PeekedStream {
  readonly kind: InputKind;
  /** Whether the file itself is packed with gzip or zstd. */
  readonly isPacked: boolean;
}

/** What decides the kind besides the bytes: the option `from`, the kind that the name suggests, and the column name. */
interface KindSigns {
  readonly from: InputKind | undefined;
  readonly hint: InputKind | undefined;
  readonly column: string | undefined;
}

/**
 * Unpacks gzip and zstd, and reads as many bytes as it takes to detect the kind, unless `from` gives it. A WARC stays
 * packed, because each of its members counts.
 */
async function openPlain(chunks: Chunks, { from, hint, column }: KindSigns): Promise<Opened> {
  let packed = await peek(chunks, PACKED_BYTES, (head) => packingOf(head).packing === undefined);
  const { packing } = packingOf(packed.head);
  if (packing === "zstd") packed = await peek(packed.chunks, HEAD_BYTES);
  // If a WARC's data is damaged, only its name shows what it is.
  if (packing !== undefined && (isWarcKind(from ?? hint) || (from === undefined && holdsWarc(packed.head))))
    return { ...packed, kind: "warc", isPacked: true };
  const size = from === undefined ? HEAD_BYTES : isOfMany(from) ? MAGIC_BYTES : 0;
  // For JSON Lines the first line is enough, because the sender may wait for our output before it sends more.
  const isEnough = (head: Uint8Array): boolean =>
    from === "jsonl" ? findBinary(head) === undefined : isSurelyRecords(head, column);
  const peeked = await peek(unpackStream(packed), size, isEnough);
  // The WARC files may be in a WACZ.
  const kind =
    from === "warc" && isZip(peeked.head) ? "wacz" : (from ?? chooseKind(peeked.head, hint, column));
  return { ...peeked, kind, isPacked: packing !== undefined };
}

function holdsWarc(head: Uint8Array): boolean {
  return isGzip(head) ? beginsRecord(head) : beginsRecordInZstd(head);
}

function isWarcKind(kind: InputKind | undefined): boolean {
  return kind === "warc" || kind === "wet";
}

async function readPage(
  of: PageBytes,
  { head, chunks }: PeekedStream,
  maxBytes: number,
): Promise<Outcome<Page>> {
  try {
    const bytes = await collect(withoutTrailer(chunks), maxBytes);
    return bytes === undefined ? refuseLarge(of, head, maxBytes) : toPage(of, bytes, maxBytes);
  } catch (error) {
    return toReject(of, error);
  }
}
