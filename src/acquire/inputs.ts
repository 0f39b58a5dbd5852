/**
 * Reads what the command line or a program names as input into one stream of pages: URLs, files, directories, globs,
 * stdin.
 */
import { createReadStream } from "node:fs";
import type { Page } from "../document.js";
import { reject, UsageError, type Outcome, type Reject } from "../outcome.js";
import { decompress, isGzip } from "./packed/decompress.js";
import type { Fetcher } from "./http/fetch.js";
import { isUrl } from "./files.js";
import type { Found, OnOtherFile, Place } from "./place.js";
import { beginsRecord } from "./packed/gzip.js";
import { readJson, readRecords, refuseRecords } from "./records/jsonl.js";
import {
  chooseKind,
  HEAD_BYTES,
  isOfMany,
  isSurelyRecords,
  isTableName,
  kindOfName,
  type InputKind,
} from "./kind.js";
import { findBinary, toPage, type PageBytes } from "./page-bytes.js";
import { isObjectAddress } from "./objects/address.js";
import { createObjectOpener, type ObjectOpener } from "./objects/open.js";
import { createProgress, walkPlaces, type Position, type Progress } from "./position.js";
import { openFilePart, READING, type InputPart, type PartBytes } from "./parts.js";
import { toReject } from "./read-errors.js";
import type { Source } from "./source.js";
import { collect, peek, chunksUntilAborted, type Chunks, type PeekedStream } from "./streams.js";
import { readWarc, type PackingName, type WarcStart } from "./warc/warc.js";
import { beginsRecordInZstd, decompressZstd } from "./packed/zstd-frames.js";
import { isZstd } from "./packed/zstd.js";

export interface InputOptions {
  /** What every input is; told by content, then by name, when left out. */
  readonly from?: InputKind;
  /**
   * The field of JSON records, or the column of a table, that holds the pages, where its name is none of the usual
   * ones.
   */
  readonly column?: string;
  /** The address of the one page that a file or stdin holds. */
  readonly url?: string;
  /** Decoded bytes a document may have. */
  readonly maxBytes: number;
  /** Time for a fetch as a whole. */
  readonly timeoutMs: number;
  /** Names us to servers: "Thresher/<version>". */
  readonly version?: string;
  /** What `-` reads. */
  readonly stdin?: Chunks;
  /** Where an earlier reader of the same inputs stopped: reading goes on behind it. */
  readonly after?: Position;
}

interface UnseenOptions extends InputOptions {
  /** Whether the pages of archives are handed over unseen: the cleaner then tells which are not pages. */
  readonly judges?: "later";
  /** Whether records of JSON Lines are handed over unread: the cleaner then tells what they hold, and how it is called. */
  readonly reads?: "later";
}

/** Pages of inputs in the order in which they were named. */
export interface InputSource extends Source {
  /** Nothing stops it where no signal is given. */
  pages(signal?: AbortSignal): AsyncGenerator<Outcome<Page>>;
  /**
   * Whether there can be one document only: one URL, or one file or stdin that holds no JSON records. Its kind is
   * told by its content, so the answer is final from the first outcome on; before that it is what the name promises.
   */
  isSingle(): boolean;
  /** How many records held no page and were no failure either, by type: requests, metadata … of a WARC. */
  passedOver(): ReadonlyMap<string, number>;
  /** How many files of folders were passed over, since their names are not those of pages or records. */
  otherFiles(): number;
  /** How many others have such a name and begin with a dot, which hides them. */
  hiddenFiles(): number;
  /** How far reading has come: behind the outcome that was handed over last. Undefined before the first one. */
  position(): Position | undefined;
  /** Bytes read so far, of files as they lie there, and of stdin. */
  bytesRead(): number;
}

/**
 * Opens nothing yet. Throws UsageError where `-` has nothing to read, a URL is said to hold records, or the address of a
 * page is given for inputs that are not one; if only reading shows that, it throws.
 */
export function openInputs(inputs: readonly string[], options: UnseenOptions): InputSource {
  if (inputs.includes("-") && options.stdin === undefined) throw new UsageError("there is no stdin to read");
  const { from, url } = options;
  const [first = ""] = inputs;
  if (url !== undefined && (inputs.length !== 1 || isPageUrl(first) || isOfMany(from))) throw notOnePage(url);
  if (from !== undefined && isOfMany(from) && inputs.some(isPageUrl)) {
    throw new UsageError(`--from ${from} reads files and stdin; fetch the URL first and pipe it in`);
  }
  let isSingle = inputs.length === 1 && !isOfMany(from ?? kindOfName(inputs[0] ?? ""));
  const others = { name: 0, hidden: 0 };
  const progress = createProgress(options.after);
  const onMany = (): void => {
    if (url !== undefined) throw notOnePage(url);
    isSingle = false;
  };
  return {
    name: "inputs",
    isSingle: () => isSingle,
    passedOver: () => progress.passedOver(),
    otherFiles: () => others.name,
    hiddenFiles: () => others.hidden,
    position: () => progress.position(),
    bytesRead: () => progress.bytesRead(),
    async *pages(signal = new AbortController().signal) {
      // Loaded only for URLs: reading files need not wait for the HTTP client.
      let opened: Promise<Fetcher> | undefined;
      const fetcher = (): Promise<Fetcher> =>
        (opened ??= import("./http/fetch.js").then(({ openFetcher }) => openFetcher(options)));
      const objects = createObjectOpener();
      try {
        for await (const outcome of readInputs(inputs, {
          ...options,
          fetcher,
          objects,
          signal,
          onMany,
          onPassedOver: (type) => {
            progress.onPassedOver(type);
          },
          onStart: (start) => {
            progress.onStart(start);
          },
          onOtherFile: (why) => {
            others[why] += 1;
          },
          progress,
        })) {
          if (signal.aborted) return;
          yield outcome;
        }
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        await (await opened)?.close();
        await objects.close();
      }
    },
  };
}

function isPageUrl(input: string): boolean {
  return isUrl(input) && !isObjectAddress(input);
}

/** What is read of one part after another. */
export interface PartSource extends Source {
  /** How many records held no page and were no failure either, by type. */
  passedOver(): ReadonlyMap<string, number>;
  bytesRead(): number;
  /** Bytes of damaged stretches of archives, which gave no record. */
  bytesSkipped(): number;
  /** Where another reader of the same part could start, with the outcome that was handed over last. */
  start(): WarcStart | undefined;
}

export interface PartsOptions extends UnseenOptions {
  /** Opens the bytes of a part; those of a local file when left out. */
  readonly openBytes?: PartBytes;
}

/** Opens files, or parts of files, that were chosen before: each is read as it would be within the whole. */
export function openParts(parts: readonly InputPart[], options: PartsOptions): PartSource {
  const progress = createProgress(undefined);
  let skipped = 0;
  let start: WarcStart | undefined;
  return {
    name: "parts",
    passedOver: () => progress.passedOver(),
    bytesRead: () => progress.bytesRead(),
    bytesSkipped: () => skipped,
    start: () => start,
    async *pages(signal) {
      const objects = createObjectOpener();
      const reading = {
        ...options,
        objects,
        fetcher: () => Promise.reject(new UsageError("a part of an input is not fetched")),
        signal,
        onMany: () => undefined,
        onPassedOver: (type: string) => {
          progress.onPassedOver(type);
        },
        onSkipped: (bytes: number) => {
          skipped += bytes;
        },
        progress,
      };
      try {
        for (const [number, part] of parts.entries()) {
          const found = { kind: "file", id: part.id, isOneOfMany: true } as const;
          progress.onPlace({ found, number, digest: "", size: undefined });
          let next: WarcStart | undefined;
          const onStart = (at: WarcStart): void => {
            next = at;
          };
          const outcomes = readPlace(found, { ...reading, onStart, part }, part.start);
          const wanted = part.only === undefined ? outcomes : pickRecords(outcomes, part, () => next?.offset);
          for await (const outcome of wanted) {
            if (signal.aborted) return;
            start = next;
            next = undefined;
            yield outcome;
          }
        }
      } finally {
        await objects.close();
      }
    },
  };
}

/**
 * Passes on the outcomes of the records that are wanted, and of damage, which may have taken one of them; and a reject for
 * each record that is not where it should be. `startOf` tells where the record of the last outcome begins.
 */
async function* pickRecords(
  outcomes: AsyncIterable<Outcome<Page>>,
  { id, only = new Set() }: InputPart,
  startOf: () => number | undefined,
): AsyncGenerator<Outcome<Page>> {
  const missing = new Set(only);
  let isBroken = false;
  for await (const outcome of outcomes) {
    const at = startOf();
    isBroken ||= !outcome.ok && outcome.id === id;
    const isDamage = !outcome.ok && (outcome.reason === "broken-warc" || outcome.id === id);
    if (isDamage || (at !== undefined && missing.delete(at))) yield outcome;
  }
  // Where the whole cannot be read, that has been said.
  if (isBroken) return;
  for (const at of missing)
    yield reject(
      { id: `${id}@${at}`, url: "" },
      "acquire",
      "bad-record",
      "no record with a page begins there",
    );
}

function notOnePage(url: string): UsageError {
  return new UsageError(
    `${url} is said to be the address of one page, but the input is not one page in a file or stdin`,
  );
}

interface Reading extends UnseenOptions {
  readonly fetcher: () => Promise<Fetcher>;
  readonly objects: ObjectOpener;
  readonly signal: AbortSignal;
  /** Called as soon as an input shows that it may hold more than one document. */
  readonly onMany: () => void;
  readonly onPassedOver: (type: string) => void;
  readonly onStart: (start: WarcStart) => void;
  readonly onOtherFile?: OnOtherFile;
  readonly onSkipped?: (bytes: number) => void;
  readonly progress: Progress;
  /** Set where a part of an input is read that was chosen before. */
  readonly part?: InputPart;
  readonly openBytes?: PartBytes;
}

async function* readInputs(inputs: readonly string[], reading: Reading): AsyncGenerator<Outcome<Page>> {
  const { after, progress } = reading;
  for await (const place of walkPlaces(inputs, reading.signal, reading.onOtherFile)) {
    if (!("ok" in place.found) && place.found.isOneOfMany) reading.onMany();
    if (after !== undefined && place.number < after.place) continue;
    const isHalfRead = place.number === after?.place;
    progress.onPlace(place, isHalfRead ? after : undefined);
    // What came out before is read once more, unless a start is known, but nothing else is done with it.
    let done = isHalfRead ? after.outcomes : 0;
    const isFetched = "ok" in place.found || place.found.kind === "url";
    if (isFetched && done > 0) continue;
    for await (const outcome of readFound(place.found, reading, isHalfRead ? after.start : undefined)) {
      progress.onOutcome();
      if (done > 0) done -= 1;
      else yield outcome;
    }
  }
}

async function* readFound(
  found: Found,
  reading: Reading,
  start: WarcStart | undefined,
): AsyncGenerator<Outcome<Page>> {
  if ("ok" in found) yield found;
  else if (found.kind === "url") yield await (await reading.fetcher()).fetchPage(found.id, reading.signal);
  else yield* readPlace(found, reading, start);
}

/** Reads a file, an object or stdin: one page, or the records it holds. */
async function* readPlace(
  place: Place,
  reading: Reading,
  start: WarcStart | undefined,
): AsyncGenerator<Outcome<Page>> {
  const { id } = place;
  const { column, url = "", maxBytes, signal, progress, part } = reading;
  const from = part?.kind ?? reading.from;
  const of = { id, url };
  const path = part?.path ?? id;
  let opened: Opened;
  let stream: AsyncGenerator<Uint8Array>;
  try {
    stream = chunksUntilAborted(await openBytesOf(place, reading, start), signal);
    opened = await openPlain(progress.count(stream), {
      from,
      hint: kindOfName(id),
      column,
    });
  } catch (error) {
    yield toReject(of, error);
    return;
  }
  const { head, chunks, kind } = opened;
  if (isOfMany(kind)) reading.onMany();
  // Within a file, the records before have shown what it is.
  const refused = part?.line === undefined ? refuseHead(of, opened, from) : undefined;
  if (refused !== undefined) {
    // Nobody reads on, and so nobody would close it.
    void stream.return(undefined);
    yield refused;
    return;
  }
  if (!isOfMany(kind)) {
    yield await readPage({ ...of, format: kind === "text" ? "text" : "html" }, opened, maxBytes);
    return;
  }
  if (isWarcKind(kind)) {
    yield* readWarc(chunks, { ...reading, ...packingOf(head), input: id, ...(start && { start }) });
    return;
  }
  const line = part?.line === undefined ? {} : { firstLine: part.line };
  const { reads } = reading;
  const records = { input: id, maxBytes, ...(column === undefined ? {} : { column }), ...line };
  if (kind === "parquet") {
    // Loaded only for tables: other inputs need not wait for the library.
    const { readParquet } = await import("./parquet/parquet.js");
    yield* readParquet(place.kind === "stdin" || isUrl(path) ? { chunks } : { path, chunks }, records);
    return;
  }
  if (kind === "json") yield* readJson(chunks, records);
  else yield* readRecords(chunks, { ...records, ...(reads && { reads }) });
}

/** The bytes of a place, or of the part of it that is read. */
async function openBytesOf(
  { id, kind, facts }: Place,
  { stdin, part, objects, openBytes = openFilePart }: Reading,
  start: WarcStart | undefined,
): Promise<Chunks> {
  if (kind === "stdin" && stdin !== undefined) return stdin;
  const path = part?.path ?? id;
  if (isUrl(path) && openBytes === openFilePart)
    return objects.open(path, {
      ...part,
      ...(start && { offset: start.offset }),
      ...(facts && { etag: facts.etag }),
    });
  if (part !== undefined) return openBytes(part);
  // A pipe has no offsets: to name even the first one fails.
  return createReadStream(id, start === undefined ? READING : { ...READING, start: start.offset });
}

/** Says why an input is not read, where its first bytes or its name show that. */
function refuseHead(
  of: Pick<Page, "id" | "url">,
  { kind, head }: Opened,
  from: InputKind | undefined,
): Reject | undefined {
  if (kind === "jsonl" || kind === "json") return refuseRecords(of, head);
  const isTable = kind === "text" && from === undefined && isTableName(of.id);
  return isTable ? reject(of, "acquire", "not-a-page", TABLE_ADVICE) : undefined;
}

/** To read all rows as one text is hardly what anybody wants. */
const TABLE_ADVICE =
  "a table: make JSON Lines or Parquet of it; --from text reads the file as one text (CSV or TSV by its name)";

/** Bytes that show what a stream said to be JSONL really is. */
const MAGIC_BYTES = 64;
/** Bytes of packed data that show whether a WARC is in it. */
const PACKED_BYTES = 512;
interface Opened extends PeekedStream {
  readonly kind: InputKind;
}

/** What tells the kind besides the bytes: it was said, the name promises it, or there is a field of such a name. */
interface KindSigns {
  readonly from: InputKind | undefined;
  readonly hint: InputKind | undefined;
  readonly column: string | undefined;
}

/**
 * Looks through gzip and zstd and at as many bytes as it takes to tell the kind, where `from` does not say it. A WARC
 * stays packed: each of its members counts.
 */
async function openPlain(chunks: Chunks, { from, hint, column }: KindSigns): Promise<Opened> {
  let packed = await peek(chunks, PACKED_BYTES, (head) => packingOf(head).packing === undefined);
  const { packing } = packingOf(packed.head);
  if (packing === "zstd") packed = await peek(packed.chunks, HEAD_BYTES);
  // Where the data of a WARC is damaged, only its name shows what it is.
  if (packing !== undefined && (isWarcKind(from ?? hint) || (from === undefined && holdsWarc(packed.head))))
    return { ...packed, kind: "warc" };
  const plain =
    packing === "gzip"
      ? decompress(packed.chunks, "gzip", { isSalvaged: true })
      : packing === "zstd"
        ? decompressZstd(packed.chunks)
        : packed.chunks;
  const size = from === undefined ? HEAD_BYTES : isOfMany(from) ? MAGIC_BYTES : 0;
  const peeked = await peek(plain, size, (head) => isSurelyRecords(head, column));
  return { ...peeked, kind: from ?? chooseKind(peeked.head, hint, column) };
}

/** Tells how a file that begins with these bytes is packed, if it is. */
function packingOf(head: Uint8Array): { readonly packing?: PackingName } {
  if (isGzip(head)) return { packing: "gzip" };
  return isZstd(head) ? { packing: "zstd" } : {};
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
    const bytes = await collect(chunks, maxBytes);
    // To say how large it may be would not help where it is no page.
    const binary = bytes === undefined ? findBinary(head) : undefined;
    return binary === undefined ? toPage(of, bytes, maxBytes) : reject(of, "acquire", "binary", binary);
  } catch (error) {
    return toReject(of, error);
  }
}
