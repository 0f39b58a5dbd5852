/** Reads lists of paths, one per line, plain or gzipped, as Common Crawl publishes them. */
import { createReadStream } from "node:fs";
import { decompress, isGzip } from "../../acquire/packed/decompress.js";
import { chunksUntilAborted, peek, splitLines, type Chunks } from "../../acquire/streams.js";
import { UsageError } from "../../outcome.js";
import { codeOf, messageOf } from "../../thrown.js";
import type { Io } from "../io.js";

/** Bytes that show whether the list is compressed. */
const MAGIC_BYTES = 64;
/** Most bytes that a path may have. */
const MOST_BYTES = 1 << 16;

/**
 * Puts `under` before each path. Throws UsageError if the list cannot be read, and the signal's reason when it aborts.
 */
export async function* readPaths(
  list: string,
  under: string,
  { stdin, signal }: Pick<Io, "stdin" | "signal">,
): AsyncGenerator<string> {
  const source: Chunks = list === "-" ? stdin : createReadStream(list);
  try {
    const { head, chunks } = await peek(chunksUntilAborted(source, signal), MAGIC_BYTES);
    signal.throwIfAborted();
    const plain = isGzip(head) ? decompress(chunks, "gzip") : chunks;
    for await (const { number, bytes } of splitLines(plain, MOST_BYTES)) {
      if (bytes === undefined) throw new UsageError(`line ${number} of ${list} is too long for a path`);
      const path = Buffer.from(bytes).toString("utf8").trim();
      if (path !== "") yield `${under}${path}`;
    }
    signal.throwIfAborted();
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    throw new UsageError(`the list ${list} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
