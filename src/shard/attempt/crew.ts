/** Opens the pipeline and workers that clean the pages of shards, and checks that they match the job. */
import { resolveCleanOptions } from "../../options/options.js";
import { UsageError } from "../../outcome.js";
import { createPipeline, type Pipeline } from "../../pipeline.js";
import { VERSION } from "../../version.js";
import { createSharedCleaners, type SharedCleaners } from "../../work/shared-cleaners.js";
import { BadShard } from "./failures.js";
import { digestOptions, type OpenJob } from "../job.js";

export interface RunOptions {
  readonly workers: number;
  /** A unique name of this attempt: letters, digits, - and _. */
  readonly attempt: string;
  /** A shard is given up after this many attempts; unlimited when absent. */
  readonly maxAttempts?: number;
  /** The folder of the model on this machine, if it differs from that of the machine that planned the job. */
  readonly modelDir?: string;
  /** The folder that relative paths of inputs start from, if it differs on this machine. */
  readonly root?: string;
  readonly signal: AbortSignal;
  /** Reports progress to the user. */
  readonly say: (sentence: string) => void;
  /** Called after each document. */
  readonly onDocument?: (done: number, bytesRead: number) => void;
}

/** The pipeline and the workers for all shards of one run. */
export interface Crew {
  readonly pipeline: Pipeline;
  readonly cleaners: SharedCleaners;
}

/**
 * Opens the crew. Pages are always cleaned in child processes, even with one worker: a page that kills its process then
 * costs nothing else. Throws BadShard when code, options or models are not those of the job.
 */
export async function openCrew({ job }: OpenJob, { workers, modelDir }: RunOptions): Promise<Crew> {
  const { clean, form, signatures } = job.options;
  if (job.version !== VERSION)
    throw new BadShard(`the job was planned by thresher ${job.version}, but this is ${VERSION}`);
  let cleaners: SharedCleaners | undefined;
  try {
    const options = { ...clean, workers, ...(modelDir === undefined ? {} : { modelDir }) };
    cleaners = createSharedCleaners({ workers, usual: resolveCleanOptions(options) });
    const pipeline = await createPipeline(options, {
      // Signing a document needs its lines.
      ...(signatures !== true && { form }),
      shared: cleaners,
    });
    if (digestOptions(pipeline.fingerprint, job.options) === job.fingerprint) return { pipeline, cleaners };
    await pipeline.close();
  } catch (error) {
    await cleaners?.close();
    if (error instanceof UsageError) throw new BadShard(error.message, { cause: error });
    throw error;
  }
  await cleaners.close();
  throw new BadShard("the models or the code differ from those that the job was planned with");
}

export async function closeCrew({ pipeline, cleaners }: Crew): Promise<void> {
  await pipeline.close();
  await cleaners.close();
}
