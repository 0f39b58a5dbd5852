/** Packs the records that a run has written, in JSON Lines, into a file of a format that cannot be gone on with. */
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { formatJson, parseJson } from "../json.js";
import type { StoredRecord } from "./document-record.js";
import { readLines } from "./files/growing-file.js";
import { openDraft } from "./files/sink.js";
import type { PackJob, Sink } from "./writer.js";

/** A writer for documents that are records already. */
export interface RecordWriter {
  write(record: StoredRecord): Promise<void>;
  /** Writes what is still held back, and what ends the file. */
  close(): Promise<void>;
}

/** Characters that are split into lines at a time. */
const CHUNK_CHARS = 1 << 20;

/** The work of a format's `Packer`; `open` begins its file. */
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
  // As this program wrote it.
  const { carried, ...record } = parseJson(line) as Omit<StoredRecord, "carried"> & { carried?: object };
  return carried === undefined ? record : { ...record, carried: formatJson(carried) };
}

function unpackText(path: string): AsyncIterable<string> {
  const unpacked = createGunzip({ chunkSize: CHUNK_CHARS }).setEncoding("utf8");
  // Reading the stream throws what goes wrong.
  return pipeline(createReadStream(path), unpacked, () => undefined);
}
