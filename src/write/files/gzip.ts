/** Packs what is written into gzip members: a reader can start at any of them, and a writer can go on behind any. */
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Sink } from "../writer.js";

/** The UTF-8 bytes that a member of "block" holds at least; larger members are hardly smaller when packed. */
const BLOCK_BYTES = 1 << 20;

const NOTHING = new Uint8Array(0);

const pack = promisify(gzip);

interface GzipSink extends Sink {
  /** Waits until all members are written, and returns the bytes that no member holds yet. */
  held(): Promise<Uint8Array>;
}

interface GzipOptions {
  readonly member: "block" | "record";
  /** What an earlier sink into the same file held at its end. */
  readonly held?: Uint8Array;
  /** Whether there are members in the file already. */
  readonly hasBegun?: boolean;
}

/**
 * Opens a sink that packs into another one. With "record" each write is a member of its own, as WARC wants it; with "block" a member
 * ends at the first write that fills a block. What is written decides where members end, nothing else.
 */
export function openGzip(sink: Sink, { member, held = NOTHING, hasBegun = false }: GzipOptions): GzipSink {
  let parts: Uint8Array[] = [held];
  let length = held.length;
  let isEmpty = !hasBegun;
  // A member is packed by another thread while the next one fills.
  let packing = Promise.resolve();
  const flush = async (): Promise<void> => {
    const plain = Buffer.concat(parts, length);
    parts = [];
    length = 0;
    isEmpty = false;
    await packing;
    packing = pack(plain).then((packed) => sink.write(packed));
    packing.catch(() => undefined); // the next write, or the end, throws it
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
      // The file goes away, so an error while packing does not matter.
      await packing.catch(() => undefined);
      await sink.discard();
    },
    async held() {
      await packing;
      return Buffer.concat(parts, length);
    },
  };
}
