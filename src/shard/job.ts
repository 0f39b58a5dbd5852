/**
 * Reads and checks the description of a job: its options, inputs and outputs, and the code and models it was planned
 * with.
 */
import { createHash } from "node:crypto";
import type { InputOptions } from "../acquire/inputs.js";
import { toFields } from "../json.js";
import type { CleanOptions } from "../options/options.js";
import { UsageError } from "../outcome.js";
import type { Form } from "../write/registry.js";
import { readLines } from "../write/files/growing-file.js";
import { BadShard } from "./attempt/failures.js";
import { readJson } from "./store/json-file.js";
import { formatRow, nameShard, type NumberedRow, type ShardRow } from "./plan/manifest.js";
import { openStore } from "./store/open-store.js";
import type { Store } from "./store/store.js";

/** The format version of all files of a job. */
export const CONTRACT = 1;
export const JOB = "job.json";
export const MANIFEST = "manifest.jsonl";
/** The folders of the outputs. */
export const OUTPUT_FOLDERS = ["text", "rejects", "receipts", "signatures"] as const;

/** The options that shape the outputs, as a plain object that JSON can hold. */
export interface JobOptions {
  readonly clean: Omit<CleanOptions, "workers">;
  readonly form: Omit<Form, "fingerprint">;
  readonly input: Pick<InputOptions, "from" | "column">;
  /** Whether shards write signatures, with which duplicates across the whole corpus can be found. */
  readonly signatures?: true;
}

export interface Job {
  readonly contract: typeof CONTRACT;
  /** The version of Thresher that planned the job. */
  readonly version: string;
  /** Digest of the code version, the models and all options that shape the outputs. */
  readonly fingerprint: string;
  /** The fingerprint of the pipeline, which every record contains. */
  readonly pipeline: string;
  readonly options: JobOptions;
  /** The folder that relative paths of inputs start from. */
  readonly root: string;
  /** The place of the outputs, if they are not beside this file. */
  readonly output?: string;
  readonly shards: number;
  readonly bytes: number;
  /** The SHA-256 of the manifest. */
  readonly manifest: string;
}

/** The fingerprint of a job. `pipeline` is the fingerprint of its pipeline. */
export function digestOptions(pipeline: string, { form, input, signatures }: JobOptions): string {
  return createHash("sha256")
    .update(JSON.stringify([CONTRACT, pipeline, form, input, ...(signatures ? ["signatures"] : [])]))
    .digest("hex")
    .slice(0, 16);
}

export interface OpenJob {
  readonly job: Job;
  /** The place of the job and its manifest. */
  readonly at: Store;
  /** The place of the outputs. */
  readonly store: Store;
}

/**
 * Opens a job. Throws UsageError when there is no job, and BadShard when this version of the program cannot read it.
 */
export async function openJob(place: string): Promise<OpenJob> {
  const at = await openStore(place);
  const job = readJob(await readJson(at, JOB), place);
  return { job, at, store: job.output === undefined ? at : await openStore(job.output) };
}

function readJob(found: unknown, place: string): Job {
  if (found === undefined)
    throw new UsageError(
      `there is no job in ${place}; \`thresher shard plan INPUT… -o ${place}\` creates one`,
    );
  const { contract, fingerprint, manifest, root } = toFields(found);
  if (contract !== CONTRACT)
    throw new BadShard(`${place} was planned by another version of thresher (contract ${String(contract)})`);
  const isWhole = [fingerprint, manifest, root].every((field) => typeof field === "string");
  if (!isWhole) throw new BadShard(`${JOB} in ${place} is damaged`);
  return found as Job; // `plan` wrote it
}

/**
 * Yields the rows of the manifest, all or those that `isWanted` selects, in order. Throws BadShard when the manifest is
 * not the one that was planned.
 */
export async function* readRows(
  { job, at }: OpenJob,
  isWanted: (index: number) => boolean = () => true,
): AsyncGenerator<NumberedRow> {
  const stream = await at.open(MANIFEST);
  if (stream === undefined) throw new BadShard(`there is no ${MANIFEST} in ${at.name}`);
  stream.setEncoding("utf8");
  const digest = createHash("sha256");
  let index = 0;
  const wanted: NumberedRow[] = [];
  for await (const line of readLines(stream as AsyncIterable<string>)) {
    digest.update(`${line}\n`);
    if (isWanted(index)) wanted.push({ ...readRow(line, index), index });
    index += 1;
  }
  if (digest.digest("hex") !== job.manifest)
    throw new BadShard(`${MANIFEST} in ${at.name} is not the one that was planned`);
  yield* wanted;
}

function readRow(line: string, index: number): ShardRow {
  try {
    const row = JSON.parse(line) as ShardRow; // `plan` wrote it: its name and the digest of the whole file prove that
    if (row.shard === nameShard(index, row.inputs)) return row;
  } catch {
    // Broken JSON is treated like a row with a wrong name.
  }
  throw new BadShard(`row ${index} of ${MANIFEST} is damaged`);
}

/** The text of the manifest file, and its SHA-256. */
export function formatManifest(rows: readonly ShardRow[]): {
  readonly text: string;
  readonly digest: string;
} {
  const text = rows.map(formatRow).join("");
  return { text, digest: createHash("sha256").update(text).digest("hex") };
}
