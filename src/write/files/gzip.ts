/** Characters or bytes into gzip members, so that a reader can start at, and a writer go on behind, any of them. */
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Sink } from "../writer.js";

/** UTF-8 bytes that a member of blocks holds at least; larger ones pack hardly better. */
const BLOCK_BYTES = 1 << 20;

const NOTHING = new Uint8Array(0);

const pack = promisify(gzip);

export interface GzipSink extends Sink {
  /** The bytes that no member holds yet; those of all members are written then. */
  held(): Promise<Uint8Array>;
}

export interface GzipOptions {
  readonly member: "block" | "record";
  /** What an earlier sink into the same file held at its end. */
  readonly held?: Uint8Array;
  /** Whether there are members in the file already. */
  readonly hasBegun?: boolean;
}

/**
 * A sink into another one. With "record" each write is a member of its own, as WARC wants it; with "block" a member
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
    packing.catch(() => undefined); // told with the next write, or the end
  };
  return {
    async write(chunk) {
      const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
      parts.push(bytes);
      length += bytes.length;
      if (member === "record" || length >= BLOCK_BYTES) await flush();
    },
    async close() {
      // A file without any member is no gzip.
      if (length > 0 || isEmpty) await flush();
      await packing;
      await sink.close();
    },
    async discard() {
      // What went wrong with it is of no interest any more.
      await packing.catch(() => undefined);
      await sink.discard();
    },
    async held() {
      await packing;
      return Buffer.concat(parts, length);
    },
  };
}
