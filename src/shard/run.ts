/** Runs shards: cleans the inputs of a row of the manifest, commits the output files, and writes the receipt. */
import { tellCount } from "../count.js";
import { hostname } from "node:os";
import { EXIT } from "../outcome.js";
import { VERSION } from "../version.js";
import { readAttempts } from "./attempt/attempts.js";
import { cleanParts, type CleanedParts } from "./attempt/clean-parts.js";
import { closeCrew, openCrew, type Crew, type RunOptions } from "./attempt/crew.js";
import { openCursor, nameUnfinished, type Attempt } from "./attempt/cursor.js";
import { checkInputs } from "./store/etag.js";
import { BadShard, explainFailure } from "./attempt/failures.js";
import type { OpenJob } from "./job.js";
import { commitText } from "./store/json-file.js";
import { toPart, type NumberedRow } from "./plan/manifest.js";
import { commitFiles, openShardFiles, type FactsOfFiles, type ShardFiles } from "./attempt/outputs.js";
import { formatReceipt, nameReceipt, readReceipt, type Receipt } from "./receipt.js";
import type { Store } from "./store/store.js";
import { findSuspects } from "./attempt/suspects.js";
import { sweep } from "./store/sweep.js";
import { measureCpuSeconds, measurePeakMb } from "../usage.js";
import { messageOf } from "../thrown.js";

export interface Done {
  readonly receipt: Receipt;
  /** Whether another attempt did the shard, earlier or at the same time. */
  readonly isOfAnother: boolean;
}

export interface Runner {
  /** Runs a row. Throws BadShard, TryAgain, OutputError, and the signal's reason. */
  run(row: NumberedRow): Promise<Done>;
  close(): Promise<void>;
}

/** Creates a runner, which loads models only when there is a row to run. */
export function createRunner(opened: OpenJob, options: RunOptions): Runner {
  let crew: Promise<Crew> | undefined;
  return {
    async run(row) {
      const { job, store } = opened;
      const earlier = await readReceipt(store, { ...row, ...job });
      if (earlier !== undefined) return { receipt: earlier, isOfAnother: true };
      await checkAttempts(store, row, options);
      crew ??= openCrew(opened, options);
      return runRow(opened, row, { ...options, crew: await crew });
    },
    async close() {
      // If opening the crew failed, `run` has thrown that error.
      const living = await crew?.catch(() => undefined);
      if (living !== undefined) await closeCrew(living);
    },
  };
}

/** Throws BadShard when the shard has had too many attempts. */
async function checkAttempts(
  store: Store,
  { shard }: NumberedRow,
  { maxAttempts = Infinity }: RunOptions,
): Promise<void> {
  if (maxAttempts === Infinity) return;
  const { ended = 0, message = "" } = (await readAttempts(store, shard)).get(shard) ?? {};
  if (ended >= maxAttempts)
    throw new BadShard(`shard ${shard} was given up after ${ended} attempts; the last one: ${message}`);
}

interface RowOptions extends RunOptions {
  readonly crew: Crew;
}

async function runRow(opened: OpenJob, row: NumberedRow, options: RowOptions): Promise<Done> {
  const { store } = opened;
  const { attempt, signal } = options;
  const { shard } = row;
  try {
    return await runAttempt(opened, row, options);
  } catch (error) {
    const told = explainFailure(error);
    // An interruption is not a failure of the shard.
    if (!signal.aborted) await noteFailure(store, { shard, attempt }, told);
    throw told;
  }
}

async function runAttempt(opened: OpenJob, row: NumberedRow, options: RowOptions): Promise<Done> {
  const { job, store } = opened;
  const { attempt, say } = options;
  const { shard, inputs } = row;
  const startedAt = new Date();
  const cpuBefore = measureCpuSeconds();
  const root = options.root ?? job.root;
  const parts = inputs.map((input) => toPart(input, root));
  const check = (): Promise<void> => checkInputs(inputs, parts);
  await check();
  const suspects = await findSuspects(store, shard);
  if (suspects.deaths > 0)
    say(
      `shard ${shard}: ${tellCount(suspects.deaths, "attempt")} crashed; the documents that were being cleaned are now cleaned one at a time`,
    );
  const cursor = openCursor(store, { shard, attempt });
  let files: ShardFiles | undefined;
  try {
    const isSigned = job.options.signatures === true;
    files = await openShardFiles(store, { shard, attempt }, { generation: 1, isSigned });
    const cleaned = await cleanParts(parts, { ...options, job, suspects, cursor, files });
    await check();
    const receipt: Receipt = {
      ...stateReceipt(opened, row, { cleaned, facts: await files.finish() }),
      ...stateWork(options, startedAt, cpuBefore),
    };
    const done = await commit(store, receipt, files);
    await cursor.remove();
    await sweep(store, shard);
    return done;
  } catch (error) {
    await files?.discard();
    await cursor.remove();
    throw error;
  }
}

interface Result {
  readonly cleaned: CleanedParts;
  readonly facts: FactsOfFiles;
}

type Work = Pick<
  Receipt,
  "attempt" | "host" | "workers" | "startedAt" | "seconds" | "cpuSeconds" | "peakMemoryMb"
>;

function stateReceipt(
  { job }: OpenJob,
  { shard, index }: NumberedRow,
  { cleaned, facts }: Result,
): Omit<Receipt, keyof Work> {
  const { text } = facts;
  return {
    contract: job.contract,
    ...{ shard, index, generation: 1 },
    fingerprint: job.fingerprint,
    version: VERSION,
    ...cleaned,
    bytesOut: text.plainBytes,
    sha256: text.sha256,
    ...facts,
  };
}

function stateWork({ attempt, workers }: RunOptions, startedAt: Date, cpuBefore: number | null): Work {
  const cpu = measureCpuSeconds();
  return {
    attempt,
    host: hostname(),
    workers,
    startedAt: startedAt.toISOString(),
    seconds: (Date.now() - startedAt.getTime()) / 1000,
    cpuSeconds: cpu === null || cpuBefore === null ? null : Number((cpu - cpuBefore).toFixed(2)),
    peakMemoryMb: measurePeakMb(),
  };
}

/** Commits the data first and the receipt last. Files left by an attempt that died in between are replaced. */
async function commit(store: Store, receipt: Receipt, files: ShardFiles): Promise<Done> {
  const held = await store.hold(receipt.shard);
  try {
    const other = (): Promise<Receipt | undefined> => readReceipt(store, receipt);
    const earlier = await other();
    if (earlier !== undefined) {
      await files.discard();
      return { receipt: earlier, isOfAnother: true };
    }
    await commitFiles(store, files, held);
    const committed = await commitText(store, nameReceipt(receipt.shard), formatReceipt(receipt), "first");
    if (committed === "done") return { receipt, isOfAnother: false };
    return { receipt: (await other()) ?? receipt, isOfAnother: true };
  } finally {
    await held.release();
  }
}

/** Writes a file with the error, which `status` reads. */
async function noteFailure(store: Store, of: Attempt, error: unknown): Promise<void> {
  const message = messageOf(error);
  const exit = error instanceof BadShard ? EXIT.badShard : EXIT.tryAgain;
  const note = { ...of, exit, message, at: new Date().toISOString() };
  const name = `_tmp/${nameUnfinished(of, "error")}`;
  // A full disk makes this fail as well, but the exit code still tells the batch engine.
  await commitText(store, name, `${JSON.stringify(note)}\n`, "replace").catch(() => undefined);
}
