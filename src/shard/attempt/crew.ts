/** Opens what cleans the pages of shards, and refuses where that would not clean as the job says. */
import { resolveCleanOptions } from "../../options/options.js";
import { UsageError } from "../../outcome.js";
import { createPipeline, type Pipeline } from "../../pipeline.js";
import { VERSION } from "../../version.js";
import { createSharedCleaners, type SharedCleaners } from "../../work/shared-cleaners.js";
import { BadShard } from "./failures.js";
import { digestOptions, type OpenJob } from "../job.js";

export interface RunOptions {
  readonly workers: number;
  /** Names this attempt among others: letters, digits, - and _. */
  readonly attempt: string;
  /** Attempts after which a shard is given up; none when absent. */
  readonly maxAttempts?: number;
  /** Where the model lies on this machine, where that is not where it lay when the job was planned. */
  readonly modelDir?: string;
  /** The folder that relative paths of inputs lead on from, where that is another one here. */
  readonly root?: string;
  readonly signal: AbortSignal;
  /** Tells a person what is going on. */
  readonly say: (sentence: string) => void;
  /** Called after each document. */
  readonly onDocument?: (done: number, bytesRead: number) => void;
}

/** What cleans pages for all shards of one run. */
export interface Crew {
  readonly pipeline: Pipeline;
  readonly cleaners: SharedCleaners;
}

/**
 * Pages are cleaned by processes beside this one, even where one is enough: a page that kills its process costs no more
 * than itself. Throws BadShard where code, options or models are not those of the job.
 */
export async function openCrew({ job }: OpenJob, { workers, modelDir }: RunOptions): Promise<Crew> {
  const { clean, form, signatures } = job.options;
  if (job.version !== VERSION)
    throw new BadShard(`the job was planned by thresher ${job.version}, and this is ${VERSION}`);
  let cleaners: SharedCleaners | undefined;
  try {
    const options = { ...clean, workers, ...(modelDir === undefined ? {} : { modelDir }) };
    cleaners = createSharedCleaners({ workers, usual: resolveCleanOptions(options) });
    const pipeline = await createPipeline(options, {
      // What is signed has to come with its lines.
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
  throw new BadShard("the models here, or the code, are not those that the job was planned with");
}

export async function closeCrew({ pipeline, cleaners }: Crew): Promise<void> {
  await pipeline.close();
  await cleaners.close();
}
