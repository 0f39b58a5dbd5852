/**
 * Compresses output into gzip members, so that a reader can start at any member and a writer can append after any; and
 * reads its lines.
 */
import { pipeline, type Readable, type Writable } from "node:stream";
import { promisify } from "node:util";
import { createGunzip, gzip } from "node:zlib";
import type { Sink } from "../writer.js";
import { readLines } from "./growing-file.js";
import { openFileOrStdout } from "./sink.js";

/** The least UTF-8 bytes of a "block" member; larger members hardly compress better. */
const BLOCK_BYTES = 1 << 20;

/** The size in bytes of the chunks that are unpacked and split into lines. */
const UNPACKED_BYTES = 1 << 20;

const NOTHING = new Uint8Array(0);

const pack = promisify(gzip);

interface GzipSink extends Sink {
  /** Waits until all members are written, and returns the bytes that are not yet in a member. */
  held(): Promise<Uint8Array>;
}

interface GzipOptions {
  readonly member: "block" | "record";
  /** The bytes that an earlier sink for the same file returned from `held`. */
  readonly held?: Uint8Array;
  /** Whether the file already contains members. */
  readonly hasBegun?: boolean;
}

/** Opens a file, or stdout for "-", as `openFileOrStdout` does. What is written is compressed if the name ends with .gz. */
export async function openByName(path: string, stdout: Writable): Promise<Sink> {
  const sink = await openFileOrStdout(path, stdout);
  return /\.gz$/i.test(path) ? openGzip(sink, { member: "block" }) : sink;
}

/** Yields the lines of gzip data without line ends. Throws the errors of the stream, and of zlib when it is damaged. */
export function readGzipLines(packed: Readable): AsyncGenerator<string> {
  const unpacked = createGunzip({ chunkSize: UNPACKED_BYTES }).setEncoding("utf8");
  // Errors are thrown where the stream is read.
  return readLines(pipeline(packed, unpacked, () => undefined));
}

/**
 * Opens a sink that compresses into another one. With "record" each write is a member of its own, as WARC requires;
 * with "block" a member ends at the first write that fills a block. Only the written data decides where members end.
 */
export function openGzip(sink: Sink, { member, held = NOTHING, hasBegun = false }: GzipOptions): GzipSink {
  let parts: Uint8Array[] = [held];
  let length = held.length;
  let isEmpty = !hasBegun;
  // A member is compressed in another thread while the next one fills.
  let packing = Promise.resolve();
  const flush = async (): Promise<void> => {
    const plain = Buffer.concat(parts, length);
    parts = [];
    length = 0;
    isEmpty = false;
    await packing;
    packing = pack(plain).then((packed) => sink.write(packed));
    packing.catch(() => undefined); // the next write or `close` throws it
  };
  return {
    async write(chunk) {
      const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
      parts.push(bytes);
      length += bytes.length;
      if (member === "record" || length >= BLOCK_BYTES) await flush();
    },
    async close() {
      // A file without any member is not valid gzip.
      if (length > 0 || isEmpty) await flush();
      await packing;
      await sink.close();
    },
    async discard() {
      // The file is discarded, so a compression error does not matter.
      await packing.catch(() => undefined);
      await sink.discard();
    },
    async held() {
      await packing;
      return Buffer.concat(parts, length);
    },
  };
}
