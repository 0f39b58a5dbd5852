/** Reads the progress of a job. */
import { mapOrdered } from "../ordered.js";
import { isFailed, readAttempts } from "./attempt/attempts.js";
import { BadShard } from "./attempt/failures.js";
import { readRows, type OpenJob } from "./job.js";
import { sizeOfRow, type NumberedRow } from "./plan/manifest.js";
import { readReceipt, type Receipt } from "./receipt.js";

/** A job counts as failed when more than this share of its shards failed; its results are then not worth using. */
export const MOST_FAILED = 0.001;
/** How many receipts are read at once. */
const READ_AHEAD = 16;

export type JobState = "done" | "partial" | "running" | "waiting" | "failed";

export interface FailedShard {
  readonly shard: string;
  readonly index: number;
  readonly attempts: number;
  readonly message: string;
}

export interface Status {
  readonly state: JobState;
  readonly shards: number;
  readonly done: number;
  readonly running: number;
  readonly failed: number;
  /** Not started, or to be retried. */
  readonly missing: number;
  /** How many of the missing shards have been tried. */
  readonly tried: number;
  readonly failures: readonly FailedShard[];
  /** The rows that are neither done, running nor failed, as ranges for `run --index` and batch engines. */
  readonly toRun: readonly string[];
  readonly documents: { readonly in: number; readonly out: number; readonly rejected: number };
  readonly reasons: Readonly<Record<string, number>>;
  readonly bytes: { readonly planned: number; readonly done: number; readonly skipped: number };
  readonly work: { readonly seconds: number; readonly cpuSeconds: number; readonly peakMemoryMb: number };
  /** An estimate, if as many shards keep running as now, or one if none is; null when no shard is done yet. */
  readonly secondsLeft: number | null;
}

export async function readStatus(opened: OpenJob): Promise<Status> {
  const { job, store } = opened;
  const attempts = await readAttempts(store);
  const sum = createSum();
  const failures: FailedShard[] = [];
  const toRun: number[] = [];
  const counts = { done: 0, running: 0, missing: 0, tried: 0 };
  let bytesDone = 0;
  for await (const { row, receipt, damage } of readReceipts(opened)) {
    const { shard, index } = row;
    const tries = attempts.get(shard);
    if (receipt !== undefined) {
      counts.done += 1;
      bytesDone += sizeOfRow(row);
      sum.add(receipt);
    } else if (damage !== undefined)
      failures.push({ shard, index, attempts: tries?.ended ?? 0, message: damage.message });
    else if (tries !== undefined && tries.running > 0) counts.running += 1;
    else if (tries !== undefined && isFailed(tries))
      failures.push({ shard, index, attempts: tries.ended, message: tries.message ?? "" });
    else {
      counts.missing += 1;
      if (tries !== undefined) counts.tried += 1;
      toRun.push(index);
    }
  }
  const { work, ...sums } = sum.all();
  const left = job.bytes - bytesDone;
  const secondsLeft =
    bytesDone === 0 ? null : ((work.seconds / bytesDone) * left) / Math.max(1, counts.running);
  return {
    state: judge({ ...counts, failed: failures.length, shards: job.shards }),
    shards: job.shards,
    ...counts,
    failed: failures.length,
    failures,
    toRun: toRanges(toRun),
    ...sums,
    bytes: { planned: job.bytes, done: bytesDone, skipped: sums.skipped },
    work,
    secondsLeft: secondsLeft === null ? null : Math.round(secondsLeft),
  };
}

interface ReceiptOfRow {
  readonly row: NumberedRow;
  readonly receipt: Receipt | undefined;
  /** The error of a damaged receipt. */
  readonly damage: BadShard | undefined;
}

/** Yields all rows, with their receipts if they have one. */
export async function* readReceipts(opened: OpenJob): AsyncGenerator<ReceiptOfRow> {
  const { job, store } = opened;
  yield* mapOrdered(readRows(opened), READ_AHEAD, async (row) => ({
    row,
    ...(await lookAtReceipt(store, { ...row, ...job })),
  }));
}

async function lookAtReceipt(...asked: Parameters<typeof readReceipt>): Promise<Omit<ReceiptOfRow, "row">> {
  try {
    return { receipt: await readReceipt(...asked), damage: undefined };
  } catch (error) {
    if (!(error instanceof BadShard)) throw error;
    return { receipt: undefined, damage: error };
  }
}

function judge(of: Pick<Status, "shards" | "running" | "missing" | "failed">): JobState {
  if (of.failed > of.shards * MOST_FAILED) return "failed";
  if (of.running > 0) return "running";
  if (of.missing > 0) return "waiting";
  return of.failed > 0 ? "partial" : "done";
}

interface Sum {
  add(receipt: Receipt): void;
  all(): Pick<Status, "documents" | "reasons" | "work"> & { readonly skipped: number };
}

function createSum(): Sum {
  const documents = { in: 0, out: 0, rejected: 0 };
  const work = { seconds: 0, cpuSeconds: 0, peakMemoryMb: 0 };
  const reasons = new Map<string, number>();
  let skipped = 0;
  return {
    add(receipt) {
      documents.in += receipt.in;
      documents.out += receipt.out;
      documents.rejected += receipt.rejected;
      work.seconds += receipt.seconds;
      work.cpuSeconds += receipt.cpuSeconds ?? 0;
      work.peakMemoryMb = Math.max(work.peakMemoryMb, receipt.peakMemoryMb);
      skipped += receipt.bytesSkipped;
      for (const [reason, count] of Object.entries(receipt.reasons))
        reasons.set(reason, (reasons.get(reason) ?? 0) + count);
    },
    all: () => ({
      documents,
      reasons: Object.fromEntries([...reasons].sort(([, a], [, b]) => b - a)),
      work: { ...work, seconds: round(work.seconds), cpuSeconds: round(work.cpuSeconds) },
      skipped,
    }),
  };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Joins sorted indexes into ranges: "0-3", "7". */
export function toRanges(sorted: readonly number[]): string[] {
  const ranges: [number, number][] = [];
  for (const index of sorted) {
    const last = ranges.at(-1);
    if (last?.[1] === index - 1) last[1] = index;
    else ranges.push([index, index]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
}
