/**
 * Converts the records of a run, stored as JSON Lines, to a format whose files cannot be continued after an
 * interruption.
 */
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { formatJson, parseJson } from "../json.js";
import type { StoredRecord } from "./document-record.js";
import { readLines } from "./files/growing-file.js";
import { openDraft } from "./files/sink.js";
import type { PackJob, Sink } from "./writer.js";

/** A writer for documents that are already records. */
export interface RecordWriter {
  write(record: StoredRecord): Promise<void>;
  /** Writes the remaining records and the end of the file. */
  close(): Promise<void>;
}

/** Size in bytes of the chunks that are unpacked and split into lines. */
const CHUNK_CHARS = 1 << 20;

/**
 * Implements a format's `Packer`: writes the draft of the file and returns its length in bytes. `open` starts the
 * file's writer.
 */
export async function packRecords(
  { from, place, signal }: PackJob,
  open: (sink: Pick<Sink, "write">) => RecordWriter,
): Promise<number> {
  const draft = await openDraft(place, 0);
  try {
    const records = open(draft);
    for await (const line of readLines(unpackText(from))) {
      signal.throwIfAborted();
      await records.write(readStored(line));
    }
    await records.close();
    return await draft.finish();
  } catch (error) {
    await draft.discard();
    throw error;
  }
}

function readStored(line: string): StoredRecord {
  // This program wrote the line.
  const { carried, ...record } = parseJson(line) as Omit<StoredRecord, "carried"> & { carried?: object };
  return carried === undefined ? record : { ...record, carried: formatJson(carried) };
}

function unpackText(path: string): AsyncIterable<string> {
  const unpacked = createGunzip({ chunkSize: CHUNK_CHARS }).setEncoding("utf8");
  // Errors are thrown where the stream is read.
  return pipeline(createReadStream(path), unpacked, () => undefined);
}
