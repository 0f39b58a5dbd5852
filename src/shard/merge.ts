/** Merges the outputs of all shards in the order of the manifest. */
import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { formatJson, parseJson, toFields } from "../json.js";
import { openGrowing } from "../write/files/growing-file.js";
import { openGzip } from "../write/files/gzip.js";
import { besides, findPlace, makeFolder, type FilePlace } from "../write/files/place.js";
import { draftOf, publishDraft } from "../write/files/sink.js";
import { PARQUET } from "../write/tables/parquet.js";
import type { Sink } from "../write/writer.js";
import { formatReject } from "../write/reject-record.js";
import { explained } from "../write-error.js";
import { VERSION } from "../version.js";
import { readDecided } from "./duplicates/apply.js";
import type { DuplicatesNote } from "./duplicates/dedup.js";
import { BadOutput, BadShard, TryAgain } from "./attempt/failures.js";
import type { OpenJob } from "./job.js";
import { readOutput } from "./read-output.js";
import { nameReceipt, type Receipt } from "./receipt.js";
import { readReceipts } from "./status.js";
import type { Store } from "./store/store.js";

/** The formats that a merge can write without cleaning the pages again. */
export const MERGED_FORMATS = ["jsonl", "text", "parquet"] as const;
export type MergedFormat = (typeof MERGED_FORMATS)[number];

/** The parts of a receipt that a merge needs. */
export type DoneShard = Pick<Receipt, "shard" | "index" | "text" | "rejects" | "signatures">;

export interface DoneShards {
  /** In the order of the manifest. */
  readonly done: readonly DoneShard[];
  /** The indexes of the rows that are not done. */
  readonly missing: readonly number[];
}

/** Finds the shards that are done. Throws TryAgain when a shard is not done, unless `isPartial` is set. */
export async function findDone(
  opened: OpenJob,
  { isPartial }: { readonly isPartial: boolean },
): Promise<DoneShards> {
  const done: DoneShard[] = [];
  const missing: number[] = [];
  for await (const { row, receipt, damage } of readReceipts(opened)) {
    if (damage !== undefined) throw damage;
    if (receipt !== undefined) done.push(receipt);
    else if (isPartial) missing.push(row.index);
    else
      throw new TryAgain(
        `row ${row.index} is not done; run it first, or merge the finished shards with --partial`,
      );
  }
  return { done, missing };
}

/** The shards to merge, which are read one after another. */
export interface Merging {
  readonly opened: OpenJob;
  readonly shards: readonly DoneShard[];
  readonly signal: AbortSignal;
  /** The completed duplicate detection whose decisions are applied, if any. */
  readonly duplicates?: DuplicatesNote | undefined;
  /** Called for each line that is merged. */
  readonly onLine?: () => void;
}

/** Reads all lines of all shards and returns their number. Throws BadShard when a file does not match its receipt. */
export async function mergeLines(
  { opened, shards, signal, duplicates, onLine }: Merging,
  kind: "text" | "rejects",
  write: (line: string) => Promise<void>,
): Promise<number> {
  let count = 0;
  const { store } = opened;
  for (const shard of shards)
    try {
      for await (const line of duplicates === undefined
        ? readOutput(store, shard[kind])
        : readWithout(store, shard, { duplicates, kind })) {
        signal.throwIfAborted();
        await write(line);
        count += 1;
        onLine?.();
      }
    } catch (cause) {
      if (!(cause instanceof BadOutput)) throw cause;
      const remedy = `remove ${nameReceipt(shard.shard)} and run row ${shard.index} again`;
      throw new BadShard(`${cause.message}; ${remedy}`, { cause });
    }
  return count;
}

interface Leaving {
  readonly duplicates: DuplicatesNote;
  readonly kind: "text" | "rejects";
}

/**
 * Yields what the decisions on duplicates leave of a shard, or its rejects together with the duplicates, in the order
 * of its documents.
 */
async function* readWithout(
  store: Store,
  shard: DoneShard,
  { duplicates, kind }: Leaving,
): AsyncGenerator<string> {
  const decided = readDecided(store, shard, duplicates);
  if (kind === "text") {
    for await (const one of decided) if ("line" in one) yield one.line;
    return;
  }
  let rejected = 0;
  let number = 0;
  for await (const line of readOutput(store, shard.rejects)) {
    const { at } = toFields(JSON.parse(line));
    // A reject at index `at` follows the documents before that index that were not rejected.
    for (const before = Number(at) - rejected; number < before; number += 1) {
      const one = await decided.next();
      if (one.done !== true && "reject" in one.value) yield formatReject(one.value.reject).trimEnd();
    }
    rejected += 1;
    yield line;
  }
  for await (const one of decided) if ("reject" in one) yield formatReject(one.reject).trimEnd();
}

/** Returns a function that writes a record, given as a line of JSON, in the format. The caller closes the sink. */
export function createLineWriter(
  sink: Pick<Sink, "write">,
  format: Exclude<MergedFormat, "parquet">,
): (line: string) => Promise<void> {
  if (format === "jsonl") return (line) => sink.write(`${line}\n`);
  let isFirst = true;
  return async (line) => {
    const { text } = toFields(JSON.parse(line));
    if (typeof text !== "string" || text === "") return;
    await sink.write(isFirst ? `${text}\n` : `\n${text}\n`);
    isFirst = false;
  };
}

/** Removes the field `at` of a reject: its index within the shard means nothing in a merged file. */
export function dropNumber(line: string): string {
  const fields = Object.entries(toFields(parseJson(line)));
  return formatJson(Object.fromEntries(fields.filter(([name]) => name !== "at")));
}

/**
 * Writes a Parquet file. The records are first collected in a file beside it; `see` is called with each of them. The
 * file appears complete or not at all. Returns the number of records.
 */
export async function mergeToParquet(
  merging: Merging,
  path: string,
  see?: (line: string) => void,
): Promise<number> {
  const place = await findPlace(path);
  const from = besides(place.path, "records.gz");
  await makeFolder(dirname(place.path));
  try {
    const count = await writeRecords(merging, { name: place.name, path: from }, see);
    const { signal, opened } = merging;
    await PARQUET.pack({ from, place, signal }, { fingerprint: opened.job.pipeline, version: VERSION });
    await publishDraft(place);
    return count;
  } finally {
    await rm(from, { force: true });
    await rm(draftOf(place), { force: true });
  }
}

async function writeRecords(
  merging: Merging,
  { name, path }: Pick<FilePlace, "name" | "path">,
  see?: (line: string) => void,
): Promise<number> {
  const file = await explained(name, () => openGrowing(path));
  try {
    const nothing = (): Promise<void> => Promise.resolve();
    const bare = {
      write: (chunk: string | Uint8Array) => explained(name, () => file.write(chunk)),
      close: nothing,
      discard: nothing,
    };
    const sink = openGzip(bare, { member: "block" });
    const write = createLineWriter(sink, "jsonl");
    const count = await mergeLines(merging, "text", (line) => {
      see?.(line);
      return write(line);
    });
    await sink.close();
    await explained(name, () => file.sync());
    return count;
  } finally {
    await file.close();
  }
}
