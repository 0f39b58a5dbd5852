/** Makes sinks in memory, and options, for the tests of the writers. */
import type { Sink, WriterOptions } from "../../../src/write/writer.js";

export interface MemorySink extends Sink {
  /** All bytes that were written so far. */
  bytes(): Buffer;
  /** The bytes of each call. */
  readonly chunks: Uint8Array[];
}

/** Makes a sink that keeps what it receives in memory. */
export function createMemorySink(): MemorySink {
  const chunks: Uint8Array[] = [];
  return {
    chunks,
    bytes: () => Buffer.concat(chunks),
    write(chunk) {
      chunks.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
    discard: () => Promise.resolve(),
  };
}

export const OPTIONS: WriterOptions = {
  lines: "none",
  links: "drop",
  fingerprint: "0123456789abcdef",
  version: "1.2.3",
  documents: "many",
};
