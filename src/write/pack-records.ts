/**
 * Converts the records of a run, stored as JSON Lines, to a format whose files cannot be continued after an
 * interruption.
 */
import { createReadStream } from "node:fs";
import { formatJson, parseJson } from "../json.js";
import type { StoredRecord } from "./document-record.js";
import { readGzipLines } from "./files/gzip.js";
import { openDraft } from "./files/sink.js";
import type { PackJob, Sink } from "./writer.js";

/** A writer for documents that are already records. */
export interface RecordWriter {
  write(record: StoredRecord): Promise<void>;
  /** Writes the remaining records and the end of the file. */
  close(): Promise<void>;
}

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
    for await (const line of readGzipLines(createReadStream(from))) {
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
