/** The pieces of a WARC file into its records, and into one account of each stretch that holds none or is damaged. */
import type { Piece } from "./members.js";
import { createCursor, type Cursor } from "./warc-cursor.js";
import { isBlockAsDigested } from "./warc-digest.js";
import { parseWarcHeader, type WarcHeader } from "./warc-header.js";

export interface WarcRecord {
  readonly kind: "record";
  /** Of the record in the file, or of the gzip member it stands in. */
  readonly offset: number;
  readonly header: WarcHeader;
  /** Valid until the next record is asked for; undefined where it is longer than the cap. */
  readonly block: Uint8Array | undefined;
}

export interface WarcDamage {
  readonly kind: "damage";
  readonly offset: number;
  /** Bytes that gave no record: of the file, or, where `isUnpacked`, of what is inside a gzip member. */
  readonly skipped: number;
  readonly isUnpacked: boolean;
  readonly detail: string;
  /** Of the record that is broken, where it can be read. */
  readonly header?: WarcHeader;
}

/** Bytes of a record's header, from its version line to the blank line; real ones have some 500. */
const MAX_HEADER_BYTES = 65_536;
const VERSION_START = Buffer.from("WARC/");
const NEXT_LINE = Buffer.from("\nWARC/");
const LF = 0x0a;
const CR = 0x0d;
/** A record ends with two line breaks of two bytes. */
const END_BYTES = 4;

/** The records in order. Memory holds one record, or `maxBlockBytes` of it. */
export async function* readWarcRecords(
  pieces: AsyncIterable<Piece>,
  maxBlockBytes: number,
): AsyncGenerator<WarcRecord | WarcDamage> {
  const iterator = pieces[Symbol.asyncIterator]();
  const cursor = createCursor(iterator);
  const digests = { areProven: false };
  try {
    do {
      yield* readRun(cursor, { maxBlockBytes, digests });
      cursor.window.dropTo(cursor.window.end());
    } while (cursor.nextRun());
  } finally {
    await iterator.return?.();
  }
}

interface Reading {
  readonly maxBlockBytes: number;
  /** Whether a digest of this input was right: some programs write digests of something else. */
  readonly digests: { areProven: boolean };
}

/** All of one run, up to its gap, which is told of even where it tore no record. */
async function* readRun(cursor: Cursor, reading: Reading): AsyncGenerator<WarcRecord | WarcDamage> {
  const { window } = cursor;
  while (await skipLineBreaks(cursor)) {
    const start = window.start();
    const { offset, isExact } = cursor.locate(start);
    const found = await readRecord(cursor, reading);
    if ("block" in found) {
      yield { kind: "record", offset, header: found.header, block: found.block };
      window.dropTo(found.end);
      continue;
    }
    const next = await findRecord(cursor, start + 1);
    const gap = next === undefined ? cursor.gap() : undefined;
    if (gap !== undefined) {
      const from = isExact ? offset : gap.offset;
      const detail = found.detail === CUT ? gap.detail : found.detail;
      yield { ...found, kind: "damage", offset, skipped: gap.end - from, isUnpacked: false, detail };
      return;
    }
    // A length beyond the end of the file, with records in between, is a lie.
    const isLie = next !== undefined && found.detail === CUT && found.header !== undefined;
    const detail = isLie ? tellWrongLength(found.header) : found.detail;
    const end = next ?? window.end();
    const to = cursor.locate(end);
    // Bytes of the file can be counted between two places whose offsets are known.
    const isKnown = isExact && to.isExact;
    const skipped = isKnown ? to.offset - offset : end - start;
    yield { ...found, kind: "damage", offset, skipped, isUnpacked: !isKnown, detail };
  }
  const gap = cursor.gap();
  if (gap === undefined) return;
  const { offset, end, detail } = gap;
  yield { kind: "damage", offset, skipped: end - offset, isUnpacked: false, detail };
}

/** Drops line breaks; false where the run ends with them. */
async function skipLineBreaks(cursor: Cursor): Promise<boolean> {
  const { window } = cursor;
  for (;;) {
    const view = window.view();
    let at = 0;
    while (view[at] === CR || view[at] === LF) at += 1;
    window.dropTo(window.start() + at);
    if (at < view.length) return true;
    if (!(await cursor.pull())) return false;
  }
}

interface Whole {
  readonly header: WarcHeader;
  readonly block: Uint8Array | undefined;
  /** The place after the block. */
  readonly end: number;
}

interface Broken {
  readonly header?: WarcHeader;
  readonly detail: string;
}

const CUT = "the file ends within a record";

function tellWrongLength({ length }: WarcHeader): string {
  return `Content-Length ${length} does not lead to the end of the record`;
}

/** The record at the beginning of the window. */
async function readRecord(cursor: Cursor, { maxBlockBytes, digests }: Reading): Promise<Whole | Broken> {
  const { window } = cursor;
  const start = window.start();
  const head = await readHeader(cursor, start);
  if ("detail" in head) return head;
  const { header, end: from } = head;
  const end = from + header.length;
  const wrong = { header, detail: tellWrongLength(header) };
  const isLong = header.length > maxBlockBytes;
  if (isLong) {
    // It is not held, so a record that begins within it would be lost if the length were a lie.
    if ((await findRecord(cursor, from, end)) !== undefined) return wrong;
  } else {
    while (window.end() < end && cursor.recordMember(start + 1) === undefined && (await cursor.pull()));
  }
  if ((cursor.recordMember(start + 1) ?? end) < end) return wrong;
  if (window.end() < end) return { header, detail: CUT };
  const ending = await readEnding(cursor, end);
  if (ending !== "good") return ending === "wrong" ? wrong : { header, detail: CUT };
  if (isLong) return { header, block: undefined, end };
  const block = window.view().subarray(from - window.start(), end - window.start());
  // The checksum of its member says the same for less.
  if (cursor.isChecked() !== true) {
    const isRight = isBlockAsDigested(header, block);
    if (isRight === false && digests.areProven) return { header, detail: "the block has another digest" };
    if (isRight === true) digests.areProven = true;
  }
  return { header, block, end };
}

/** The header at a place, and the place after its blank line. */
async function readHeader(
  cursor: Cursor,
  start: number,
): Promise<{ readonly header: WarcHeader; readonly end: number } | Broken> {
  const { window } = cursor;
  const none = { detail: "no record begins here" };
  for (let line = start; ;) {
    const view = window.view();
    const from = line - window.start();
    const at = view.indexOf(LF, from);
    const first = view.subarray(start - window.start());
    if (!startsAlike(first, VERSION_START)) return none;
    if ((at === -1 ? view.length : at) - (start - window.start()) > MAX_HEADER_BYTES)
      return { detail: `a header longer than ${MAX_HEADER_BYTES} bytes` };
    if (at === -1) {
      if (await cursor.pull()) continue;
      return { detail: CUT };
    }
    if (at === from || (at === from + 1 && view[from] === CR)) {
      const header = parseWarcHeader(view.subarray(start - window.start(), from).subarray(0, -1));
      return typeof header === "string" ? { detail: header } : { header, end: line + at - from + 1 };
    }
    // Another record begins before this one's header is over.
    if (line > start && startsAlike(view.subarray(from), VERSION_START)) return none;
    line += at - from + 1;
  }
}

/** As far as there are bytes. */
function startsAlike(bytes: Uint8Array, start: Buffer): boolean {
  const length = Math.min(bytes.length, start.length);
  return start.subarray(0, length).equals(bytes.subarray(0, length));
}

/** Whether a record may end at a place: there are its two line breaks, or the next record, or nothing more. */
async function readEnding(cursor: Cursor, end: number): Promise<"good" | "wrong" | "cut"> {
  const { window } = cursor;
  for (;;) {
    const rest = window.view().subarray(end - window.start());
    let breaks = 0;
    while (breaks < END_BYTES && (rest[breaks] === CR || rest[breaks] === LF)) breaks += 1;
    const after = rest.subarray(breaks);
    const isEnd = breaks === END_BYTES || after.length >= VERSION_START.length;
    if (isEnd || !startsAlike(after, VERSION_START)) {
      if (breaks < END_BYTES && !startsAlike(after, VERSION_START)) return "wrong";
      // Bytes of a member whose checksum is still to come are good when something follows them.
      if (cursor.isChecked() !== false || after.length > 0) return "good";
    } else if (cursor.isChecked() === true && after.length === 0) return "good";
    if (!(await cursor.pull())) return cursor.gap() === undefined ? "good" : "cut";
  }
}

/** Drops bytes up to the first place from `from` on, before `limit`, where a record seems to begin. */
async function findRecord(cursor: Cursor, from: number, limit = Infinity): Promise<number | undefined> {
  const { window } = cursor;
  for (let searched = from; searched < limit;) {
    const member = cursor.recordMember(searched);
    const at = window.view().indexOf(NEXT_LINE, Math.max(0, searched - 1 - window.start()));
    const line = at === -1 ? undefined : window.start() + at + 1;
    if (member !== undefined && member <= (line ?? member)) {
      window.dropTo(Math.min(member, limit));
      return member < limit ? member : undefined;
    }
    if (line !== undefined && line < limit) {
      if ("header" in (await readHeader(cursor, line))) {
        // Whoever searches again finds it by the line break.
        window.dropTo(line - 1);
        return line;
      }
      searched = line + 1;
    } else {
      // A line that begins a record may be cut at the end.
      searched = Math.min(limit, Math.max(searched, window.end() - NEXT_LINE.length + 2));
      window.dropTo(Math.min(searched - 1, limit));
      if (searched < limit && !(await cursor.pull())) break;
    }
    window.dropTo(searched - 1);
  }
  window.dropTo(limit);
  return undefined;
}
