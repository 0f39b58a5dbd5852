/** Lists the members of a zip file by the directory at its end, and opens them. */
import { Readable } from "node:stream";
import { fromRandomAccessReaderPromise, getFileNameLowLevel, RandomAccessReader, type Entry } from "yauzl";
import { ObjectError } from "../objects/failure.js";
import type { Chunks } from "../streams.js";
import { codeOf, messageOf } from "../../thrown.js";
import { DamagedError } from "./decompress.js";

/** A file of known size, any range of which can be opened. */
export interface ZipBytes {
  readonly size: number;
  /** Opens the bytes [from, to). */
  open(from: number, to: number): Promise<Chunks>;
}

export interface ZipMember {
  readonly name: string;
  /** The range [start, end) of its stored bytes in the zip file. */
  readonly start: number;
  readonly end: number;
  /** Whether it is stored as it is, without compression. */
  readonly isStored: boolean;
  /** Opens its unpacked bytes; undefined if it is encrypted, or not packed by deflate. They throw DamagedError. */
  readonly open: (() => Promise<Chunks>) | undefined;
}

/** The directory is missing or damaged; `message` says how. */
export class ZipError extends Error {
  override readonly name = "ZipError";
}

/** Lists the members with wanted names in the order of their bytes. Throws ZipError, and the error of the file. */
export async function listMembers(
  bytes: ZipBytes,
  isWanted: (name: string) => boolean,
): Promise<ZipMember[]> {
  const members: ZipMember[] = [];
  try {
    // Each member that is read checks its own size, so that a wrong one does not make the others unreadable.
    const options = { decodeStrings: false, validateEntrySizes: false, autoClose: false };
    const zip = await fromRandomAccessReaderPromise(new Ranges(bytes), bytes.size, options);
    for await (const entry of zip.eachEntry()) {
      const name = nameOf(entry);
      if (!isWanted(name)) continue;
      const { fileDataStart: start } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
      const end = start + entry.compressedSize;
      const isPlain = entry.canDecodeFileData();
      const isStored = isPlain && entry.compressionMethod === 0;
      const openPacked = async (): Promise<Chunks> => unpacked(await zip.openReadStreamPromise(entry));
      const open = isStored ? () => bytes.open(start, end) : isPlain ? openPacked : undefined;
      members.push({ name, start, end, isStored, open });
    }
  } catch (error) {
    if (isOfFile(error)) throw error;
    throw new ZipError(messageOf(error), { cause: error });
  }
  members.sort((a, b) => a.start - b.start);
  // Otherwise a small file could hold the same bytes a million times.
  if (members.some(({ start }, at) => start < (members[at - 1]?.end ?? 0)))
    throw new ZipError("its members overlap");
  return members;
}

/** Decodes the name; nothing is written under it, so any name will do. */
function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);
}

async function* unpacked(stream: Readable): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) yield chunk; // a byte stream yields only these
  } catch (error) {
    if (isOfFile(error)) throw error;
    throw new DamagedError(messageOf(error), { cause: error });
  }
}

/** Whether the file cannot be read. All other errors are about what it holds. */
function isOfFile(error: unknown): boolean {
  const code = codeOf(error);
  return error instanceof ObjectError || (code !== undefined && !code.startsWith("Z_"));
}

class Ranges extends RandomAccessReader {
  readonly #bytes: ZipBytes;

  constructor(bytes: ZipBytes) {
    super();
    this.#bytes = bytes;
  }

  override _readStreamForRange(from: number, to: number): Readable {
    return Readable.from(openLater(this.#bytes, from, to), { objectMode: false });
  }
}

async function* openLater(bytes: ZipBytes, from: number, to: number): AsyncGenerator<Uint8Array> {
  if (to > bytes.size) throw new Error("it names bytes after the end of the file");
  yield* await bytes.open(from, to);
}
