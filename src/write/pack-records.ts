/** The records that a run has put down, in JSON Lines, into the draft of a Parquet file. */
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { readLines } from "./files/growing-file.js";
import { createParquetRecords } from "./parquet.js";
import type { FilePlace } from "./files/place.js";
import type { DocumentRecord } from "./document-record.js";
import { openDraft } from "./files/sink.js";
import type { WriterOptions } from "./writer.js";

/** Characters that are split into lines at a time. */
const CHUNK_CHARS = 1 << 20;

/**
 * `from` is packed by gzip. Returns the bytes of the draft, which is on disk then. Throws OutputError where it cannot be
 * written, and the reason of the signal.
 */
export async function packRecords(
  from: string,
  place: FilePlace,
  options: Pick<WriterOptions, "fingerprint" | "version">,
  signal: AbortSignal,
): Promise<number> {
  const draft = await openDraft(place, 0);
  try {
    const records = createParquetRecords(draft, options);
    for await (const line of readLines(unpackText(from))) {
      signal.throwIfAborted();
      await records.write(JSON.parse(line) as DocumentRecord); // what this program wrote
    }
    await records.close();
    return await draft.finish();
  } catch (error) {
    await draft.discard();
    throw error;
  }
}

function unpackText(path: string): AsyncIterable<string> {
  const unpacked = createGunzip({ chunkSize: CHUNK_CHARS }).setEncoding("utf8");
  // What goes wrong is thrown where the stream is read.
  return pipeline(createReadStream(path), unpacked, () => undefined);
}
