/** Writes the description and the manifest of a job, once: a job never changes. */
import { tellCount } from "../../count.js";
import { dropsCopies } from "../../filter/options.js";
import { UsageError } from "../../outcome.js";
import { createPipeline } from "../../pipeline.js";
import { VERSION } from "../../version.js";
import { makeScratch } from "../store/folder-store.js";
import {
  CONTRACT,
  digestOptions,
  formatManifest,
  JOB,
  MANIFEST,
  openJob,
  type Job,
  type JobOptions,
} from "../job.js";
import { commitText, readJson } from "../store/json-file.js";
import { sizeOfRow, type ShardRow } from "./manifest.js";
import { openStore } from "../store/open-store.js";

export interface NewJob {
  readonly place: string;
  readonly output?: string;
  readonly root: string;
  readonly rows: readonly ShardRow[];
  readonly options: JobOptions;
}

/** Refused filters: they depend on the documents before, so the result would depend on where shards begin. */
const ACROSS_DOCUMENTS =
  "leave out --dedup and --dedup-lines: a shard does not see the documents of other shards";

/** Throws UsageError for options that a job cannot have, before any input is read. */
export function checkJobOptions({ clean }: JobOptions): void {
  if (dropsCopies(clean)) throw new UsageError(ACROSS_DOCUMENTS);
}

/**
 * Writes a new job; "exists" when the same job was planned before. Throws UsageError when another job is at the place,
 * and OutputError.
 */
export async function makeJob({ place, output, root, rows, options }: NewJob): Promise<"done" | "exists"> {
  checkJobOptions(options);
  const pipeline = await fingerprintOf(options);
  const { text, digest } = formatManifest(rows);
  const job: Job = {
    contract: CONTRACT,
    version: VERSION,
    fingerprint: digestOptions(pipeline, options),
    pipeline,
    options,
    root,
    ...(output === undefined ? {} : { output }),
    shards: rows.length,
    bytes: rows.reduce((sum, row) => sum + sizeOfRow(row), 0),
    manifest: digest,
  };
  const store = await openStore(place);
  await makeScratch(store);
  if (await isThere(job, place)) return "exists";
  await commitText(store, MANIFEST, text, "replace");
  const json = `${JSON.stringify(job, undefined, 2)}\n`;
  if ((await commitText(store, JOB, json, "first")) === "done") return "done";
  await isThere(job, place);
  return "exists";
}

async function isThere(job: Job, place: string): Promise<boolean> {
  const store = await openStore(place);
  if ((await readJson(store, JOB)) === undefined) return false;
  const { job: found } = await openJob(place);
  if (JSON.stringify(found) === JSON.stringify(JSON.parse(JSON.stringify(job)))) return true;
  throw new UsageError(
    `${place} holds a job with ${tellDifference(found, job)}; a job cannot change, so give another place with -o`,
  );
}

function tellDifference(found: Job, job: Job): string {
  if (found.fingerprint !== job.fingerprint) return "other options, models or code";
  if (found.bytes === job.bytes && found.shards !== job.shards)
    return `${tellCount(found.shards, "shard")}, not ${job.shards} (--shard-size)`;
  return "other inputs, places or sizes of shards";
}

async function fingerprintOf({ clean, form }: JobOptions): Promise<string> {
  const pipeline = await createPipeline({ ...clean, workers: 1 }, { form });
  try {
    return pipeline.fingerprint;
  } finally {
    await pipeline.close();
  }
}
