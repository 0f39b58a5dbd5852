/**
 * Finds the records in the unpacked pieces of a WARC file, and reports once each stretch that is damaged or has no
 * record.
 */
import { createHash } from "node:crypto";
import { toBase32 } from "../../bytes/base32.js";
import { ownValue } from "../../own-value.js";
import type { Piece } from "../packed/packing.js";
import { createCursor, type Cursor } from "./warc-cursor.js";
import { firstOf } from "../header-fields.js";
import { parseWarcHeader, type WarcHeader } from "./warc-header.js";

export interface WarcRecord {
  readonly kind: "record";
  /** The file offset of the record, or of the gzip member that holds it. */
  readonly offset: number;
  /** Whether the record, or the member that begins with it, begins at this offset, so that a reader can start there. */
  readonly isStart: boolean;
  readonly header: WarcHeader;
  /** Undefined if it is longer than `maxBlockBytes`. */
  readonly block: Uint8Array | undefined;
  /** Whether the block stays valid after the next record is requested. */
  readonly isLasting: boolean;
}

export interface WarcDamage {
  readonly kind: "damage";
  readonly offset: number;
  /** Bytes of the file that gave no record. */
  readonly skipped: number;
  /** Unpacked bytes that gave no record, in gzip members whose other bytes did. */
  readonly skippedUnpacked: number;
  readonly detail: string;
  /** The header of the broken record, if it can be read. */
  readonly header?: WarcHeader;
}

/** The most bytes of a record's header, from its version line to the blank line; real ones have some 500. */
const MAX_HEADER_BYTES = 65_536;
const VERSION_START = Buffer.from("WARC/");
/** The first line of a record; all versions so far have one digit before the dot. */
const VERSION_LINE = /^WARC\/\d\.\d{1,3}\r?$/;
const VERSION_END = /WARC\/\d\.\d{1,3}\r?$/;
const MAX_VERSION_BYTES = 16;
const LF = 0x0a;
const CR = 0x0d;
/** A record ends with two line breaks of two bytes. */
const END_BYTES = 4;

interface RecordsOptions {
  /** The most bytes of a block that are kept in memory; a longer one is skipped. */
  readonly maxBlockBytes: number;
  /** Whether each member has its own checksum, which proves as much as the digest of a record, at less cost. */
  readonly hasChecksums: boolean;
  /** The offset of the first piece, in a file without members. */
  readonly start?: number;
  /** Remembers whether a digest was right, because some programs write digests of something else. */
  readonly digests?: Digests;
}

export interface Digests {
  areProven: boolean;
}

/** Reads the records in order; memory holds one of them. */
export async function* readWarcRecords(
  pieces: AsyncIterable<Piece>,
  options: RecordsOptions,
): AsyncGenerator<WarcRecord | WarcDamage> {
  const iterator = pieces[Symbol.asyncIterator]();
  const cursor = createCursor(iterator, options.start);
  const reading = { ...options, digests: options.digests ?? { areProven: false } };
  try {
    do {
      yield* readRun(cursor, reading);
      cursor.window.dropTo(cursor.window.end());
    } while (cursor.nextRun());
  } finally {
    await iterator.return?.();
  }
}

interface Reading extends RecordsOptions {
  readonly digests: Digests;
}

/** Reads all records of one run, up to its gap. The gap is reported even if it broke no record. */
async function* readRun(cursor: Cursor, reading: Reading): AsyncGenerator<WarcRecord | WarcDamage> {
  const { window } = cursor;
  while (await skipLineBreaks(cursor)) {
    const start = window.start();
    const { offset, isExact } = cursor.locate(start);
    const found = await readRecord(cursor, reading);
    if ("block" in found) {
      const { header, block } = found;
      yield { kind: "record", offset, isStart: isExact, header, block, isLasting: window.isLasting() };
      window.dropTo(found.end);
      continue;
    }
    const next = await findRecord(cursor, start + 1, { isTorn: found.isTorn === true });
    const gap = next === undefined ? cursor.gap() : undefined;
    if (gap !== undefined) {
      const from = isExact ? offset : gap.offset;
      const detail = found.detail === CUT ? gap.detail : found.detail;
      yield {
        ...toDamage(found),
        offset,
        skipped: gap.end - from,
        skippedUnpacked: isExact ? 0 : window.end() - start,
        detail,
      };
      return;
    }
    // A length that leads beyond the end of the file is wrong if there are records in between.
    const isWrong = next !== undefined && found.detail === CUT && found.header !== undefined;
    const detail = isWrong ? tellWrongLength(found.header) : found.detail;
    const end = next ?? window.end();
    const to = cursor.locate(end);
    // Bytes of the file can be counted only between two places with known offsets.
    const isKnown = isExact && to.isExact;
    const skipped = isKnown ? to.offset - offset : 0;
    const skippedUnpacked = isKnown ? 0 : end - start;
    yield { ...toDamage(found), offset, skipped, skippedUnpacked, detail };
  }
  const gap = cursor.gap();
  if (gap === undefined) return;
  const { offset, end, detail } = gap;
  yield { kind: "damage", offset, skipped: end - offset, skippedUnpacked: 0, detail };
}

function toDamage({ header }: Broken): Pick<WarcDamage, "kind" | "header"> {
  return header === undefined ? { kind: "damage" } : { kind: "damage", header };
}

/** Skips line breaks; returns false if the run ends with them. */
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
  /** Whether the rest of the gzip member is damaged as well, because deflate depends on the bytes before. */
  readonly isTorn?: true;
}

const CUT = "the file ends within a record";

function tellWrongLength({ length }: WarcHeader): string {
  return `Content-Length ${length} does not lead to the end of the record`;
}

/** Reads the record at the start of the window. */
async function readRecord(cursor: Cursor, reading: Reading): Promise<Whole | Broken> {
  const { window } = cursor;
  const start = window.start();
  const head = await readHeader(cursor, start);
  if ("detail" in head) return head;
  const { header, end: from } = head;
  const end = from + header.length;
  const wrong = { header, detail: tellWrongLength(header) };
  const isLong = header.length > reading.maxBlockBytes;
  if (isLong) {
    // The block is not kept, so if the length were wrong, a record that begins within it would be lost.
    if ((await findRecord(cursor, from, { limit: end })) !== undefined) return wrong;
  } else {
    while (window.end() < end && cursor.recordMember(start + 1) === undefined && (await cursor.pull()));
  }
  if ((cursor.recordMember(start + 1) ?? end) < end) return wrong;
  if (window.end() < end) return { header, detail: CUT };
  const ending = await readEnding(cursor, end);
  if (ending !== "good") return ending === "wrong" ? wrong : { header, detail: CUT };
  if (isLong) return { header, block: undefined, end };
  const block = window.view().subarray(from - window.start(), end - window.start());
  const isSure = reading.hasChecksums && cursor.isChecked() === true;
  if (isSure || isDigestGood(header, block, reading.digests)) return { header, block, end };
  const torn = cursor.isChecked() === false ? { isTorn: true as const } : {};
  return { header, detail: "the block does not match its digest", ...torn };
}

/** Checks the digest. A wrong one counts only if another digest of the same input was right. */
function isDigestGood(header: WarcHeader, block: Uint8Array, digests: Digests): boolean {
  const isRight = isBlockAsDigested(header, block);
  if (isRight === true) digests.areProven = true;
  return isRight !== false || !digests.areProven;
}

/**
 * Reads the header at a place, and finds the place after its blank line. A search tries every place that looks like a
 * record, and refuses a header with a second version line, so that it reads every byte at most twice.
 */
async function readHeader(
  cursor: Cursor,
  start: number,
  isSearch = false,
): Promise<{ readonly header: WarcHeader; readonly end: number } | Broken> {
  const { window } = cursor;
  const none = { detail: "no record begins here" };
  for (let line = start; ;) {
    const view = window.view().subarray(start - window.start());
    const from = line - start;
    const isFirst = from === 0;
    const limit = isFirst ? MAX_VERSION_BYTES : MAX_HEADER_BYTES;
    const at = view.subarray(0, limit).indexOf(LF, from);
    if (at === -1) {
      if (isFirst && !startsAlike(view, VERSION_START)) return none;
      if (view.length >= limit) return isFirst ? none : { detail: `a header of more than ${limit} bytes` };
      if (await cursor.pull()) continue;
      return { detail: CUT };
    }
    const text = view.toString("latin1", from, at);
    if (text === "" || text === "\r") {
      const header = parseWarcHeader(view.subarray(0, from));
      return typeof header === "string" ? { detail: header } : { header, end: start + at + 1 };
    }
    const isVersion = (isFirst || !isSearch ? VERSION_LINE : VERSION_END).test(text);
    if (isVersion !== isFirst) return none;
    line = start + at + 1;
  }
}

/** Checks whether bytes begin with `start`, as far as there are bytes. */
function startsAlike(bytes: Uint8Array, start: Buffer): boolean {
  const length = Math.min(bytes.length, start.length);
  return start.subarray(0, length).equals(bytes.subarray(0, length));
}

/**
 * Checks whether a record may end at a place, because two line breaks, the next record or nothing follows. If the
 * checksum of a gzip member is still to come, or is wrong, only the next record proves that this one is good.
 */
async function readEnding(cursor: Cursor, end: number): Promise<"good" | "wrong" | "cut"> {
  const { window } = cursor;
  for (;;) {
    const rest = window.view().subarray(end - window.start());
    let breaks = 0;
    while (breaks < END_BYTES && (rest[breaks] === CR || rest[breaks] === LF)) breaks += 1;
    const after = rest.subarray(breaks);
    const isUnproven = cursor.isChecked() === false;
    if (!startsAlike(after, VERSION_START)) return breaks === END_BYTES && !isUnproven ? "good" : "wrong";
    if (after.length >= VERSION_START.length) return "good";
    if (breaks === END_BYTES && !isUnproven) return "good";
    if (after.length === 0 && cursor.isChecked() === true) return "good";
    if (!(await cursor.pull())) return cursor.gap() === undefined ? "good" : "cut";
  }
}

interface Search {
  /** The place before which the record must begin. */
  readonly limit?: number;
  /** Whether only a new gzip member can have good records. */
  readonly isTorn?: boolean;
}

/**
 * Drops bytes up to the first place from `from` on where a record seems to begin. Returns undefined if no record is
 * found.
 */
async function findRecord(
  cursor: Cursor,
  from: number,
  { limit = Infinity, isTorn = false }: Search,
): Promise<number | undefined> {
  const { window } = cursor;
  for (let searched = from; searched < limit;) {
    const at = isTorn ? -1 : window.view().indexOf(VERSION_START, Math.max(0, searched - window.start()));
    const text = at === -1 ? Infinity : window.start() + at;
    const member = cursor.recordMember(searched) ?? Infinity;
    const next = Math.min(text, member);
    if (next < limit) {
      // A member that begins with a record is trusted; bytes that only look like a record must have a whole header.
      if (member === next || "header" in (await readHeader(cursor, next, true))) {
        window.dropTo(next);
        return next;
      }
      searched = next + 1;
    } else {
      // The first bytes of a record may be cut off at the end of the window.
      searched = Math.min(limit, Math.max(searched, window.end() - VERSION_START.length + 1));
      window.dropTo(searched);
      if (searched < limit && !(await cursor.pull())) break;
    }
  }
  window.dropTo(limit);
  return undefined;
}

/** The digest algorithms in use, with the length of their digests in bytes. */
const ALGORITHMS: Readonly<Record<string, number>> = { sha1: 20, sha256: 32, md5: 16 };

/** Compares a block with the digest in its header; undefined if there is no digest that can be checked. */
function isBlockAsDigested({ fields }: WarcHeader, block: Uint8Array): boolean | undefined {
  const stated = firstOf(fields, "warc-block-digest") ?? "";
  const [, name = "", digest = ""] = /^([\w-]{1,20}):([\w+/=]{1,200})$/.exec(stated) ?? [];
  const algorithm = name.toLowerCase().replace("-", "");
  const length = ownValue(ALGORITHMS, algorithm);
  if (length === undefined) return undefined;
  const real = createHash(algorithm).update(block).digest();
  const bare = digest.replace(/=+$/, "");
  // Hexadecimal or base 32: they differ in length.
  if (bare.length === length * 2) return bare.toLowerCase() === real.toString("hex");
  if (bare.length !== Math.ceil((length * 8) / 5)) return undefined;
  return bare.toUpperCase() === toBase32(real);
}
