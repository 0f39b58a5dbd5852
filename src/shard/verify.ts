/** Checks that a job is complete: nothing is missing or duplicated, and each file matches its receipt. */
import { tellCount } from "../count.js";
import { BadShard } from "./attempt/failures.js";
import { OUTPUT_FOLDERS, type OpenJob } from "./job.js";
import type { NumberedRow, ShardInput } from "./plan/manifest.js";
import { readOutput } from "./read-output.js";
import { nameReceipt, type Receipt } from "./receipt.js";
import { MOST_FAILED, readReceipts } from "./status.js";
import { isFailed, readAttempts } from "./attempt/attempts.js";

/** The result of a check. The job is complete if `missing` and `problems` are empty. */
export interface Verdict {
  readonly shards: number;
  readonly done: number;
  /** Rows without a receipt. */
  readonly missing: readonly number[];
  /** The problems, one sentence each. */
  readonly problems: readonly string[];
  /** Files that no receipt names: left by attempts that died, or not from this program. */
  readonly strays: readonly string[];
  readonly documents: { readonly in: number; readonly out: number; readonly rejected: number };
}

/** Checks a job and calls `onShard` after each shard. */
export async function verifyJob(opened: OpenJob, onShard: (row: NumberedRow) => void): Promise<Verdict> {
  const { job, store } = opened;
  const problems: string[] = [];
  const missing: number[] = [];
  const known = new Set<string>();
  const documents = { in: 0, out: 0, rejected: 0 };
  const read = createOverlaps(problems);
  let done = 0;
  for await (const { row, receipt, damage } of readReceipts(opened)) {
    read.add(row);
    if (damage !== undefined) {
      problems.push(damage.message);
      known.add(nameReceipt(row.shard));
    } else if (receipt === undefined) missing.push(row.index);
    else {
      done += 1;
      documents.in += receipt.in;
      documents.out += receipt.out;
      documents.rejected += receipt.rejected;
      problems.push(...(await checkShard(opened, row, receipt)));
      const { text, rejects, signatures } = receipt;
      for (const name of [nameReceipt(row.shard), text.file, rejects.file, signatures?.file])
        if (name !== undefined) known.add(name);
    }
    onShard(row);
  }
  const failed = [...(await readAttempts(store)).values()].filter(isFailed).length;
  if (missing.length > 0 && Math.min(failed, missing.length) > job.shards * MOST_FAILED)
    problems.push(`${Math.min(failed, missing.length)} of ${job.shards} shards have failed`);
  return { shards: job.shards, done, missing, problems, strays: await findStrays(opened, known), documents };
}

/** Checks counts and digests of a shard, and reads its files in full. */
async function checkShard(
  { store }: OpenJob,
  { shard, index }: NumberedRow,
  receipt: Receipt,
): Promise<string[]> {
  const problems: string[] = [];
  const { text, rejects, signatures } = receipt;
  if (receipt.index !== index) problems.push(`the receipt of ${shard} belongs to row ${receipt.index}`);
  if (receipt.in !== receipt.out + receipt.rejected)
    problems.push(`${shard}: ${receipt.in} in, but ${receipt.out} out and ${receipt.rejected} rejected`);
  const reasons = Object.values(receipt.reasons).reduce((sum, count) => sum + count, 0);
  if (text.records !== receipt.out || rejects.records !== receipt.rejected || reasons !== receipt.rejected)
    problems.push(`${shard}: the counts of its receipt do not agree`);
  if (signatures !== undefined && signatures.records !== receipt.out)
    problems.push(
      `${shard}: ${tellCount(signatures.records, "signature")} for ${tellCount(receipt.out, "document")}`,
    );
  for (const facts of [text, rejects, ...(signatures === undefined ? [] : [signatures])]) {
    try {
      const lines = readOutput(store, facts);
      while ((await lines.next()).done !== true);
    } catch (error) {
      if (!(error instanceof BadShard)) throw error;
      problems.push(error.message);
    }
  }
  return problems;
}

async function findStrays({ store }: OpenJob, known: ReadonlySet<string>): Promise<string[]> {
  const strays: string[] = [];
  // Other folders are not checked.
  for (const folder of OUTPUT_FOLDERS)
    for await (const name of store.list(`${folder}/`)) if (!known.has(name)) strays.push(name);
  return strays;
}

interface Overlaps {
  add(row: NumberedRow): void;
}

/** Finds byte ranges that two shards read. Relies on the parts of a file being planned in order. */
function createOverlaps(problems: string[]): Overlaps {
  const ends = new Map<string, number>();
  const add = ({ uri, bytes, offset, length }: ShardInput): void => {
    if (offset < (ends.get(uri) ?? 0)) problems.push(`${uri} is read twice from byte ${offset} on`);
    ends.set(uri, length === null ? bytes : offset + length);
  };
  return {
    add({ inputs }) {
      inputs.forEach(add);
    },
  };
}
