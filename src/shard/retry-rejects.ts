/**
 * Retries the documents of a shard that were rejected for reasons of the machine, one at a time with nothing else
 * running. If any succeeds, the shard gets a new generation: files with new names, and a receipt that names them
 * instead of the old ones.
 */
import type { InputPart } from "../acquire/parts.js";
import type { Page } from "../document.js";
import { toFields } from "../json.js";
import { REASONS, type Outcome, type Reason } from "../outcome.js";
import { untagged } from "../pipeline.js";
import { formatDocument } from "../write/registry.js";
import { formatNumbered, judgeFailure, openShardSource } from "./attempt/clean-parts.js";
import type { Crew, RunOptions } from "./attempt/crew.js";
import { resign } from "./duplicates/signed-shard.js";
import { checkInputs } from "./store/etag.js";
import { BadShard } from "./attempt/failures.js";
import type { OpenJob } from "./job.js";
import { commitText } from "./store/json-file.js";
import { toPart, type NumberedRow } from "./plan/manifest.js";
import { commitFiles, openShardFiles, type ShardFiles } from "./attempt/outputs.js";
import { readOutput } from "./read-output.js";
import { formatReceipt, nameReceipt, readReceipt, type Receipt } from "./receipt.js";
import { sortKeys } from "../text-order.js";

/** Reject reasons that depend on the machine and not only on the document. */
export const RETRIED: readonly Reason[] = ["timeout", "out-of-memory", "killed-process", "crashed"];

export interface Retried {
  /** The number of documents that were retried, and of those that succeeded. */
  readonly tried: number;
  readonly mended: number;
}

interface RetryOptions extends RunOptions {
  readonly crew: Crew;
}

export function hasRetryable({ reasons }: Receipt): boolean {
  return RETRIED.some((reason) => (reasons[reason] ?? 0) > 0);
}

/** Retries the rejects of a shard. Changes nothing when no document succeeds. Throws like `Runner.run`. */
export async function retryRejects(
  opened: OpenJob,
  row: NumberedRow,
  receipt: Receipt,
  options: RetryOptions,
): Promise<Retried> {
  const { job, store } = opened;
  const { attempt } = options;
  const { shard } = row;
  const root = options.root ?? job.root;
  const parts = row.inputs.map((input) => toPart(input, root));
  await checkInputs(row.inputs, parts);
  const generation = receipt.generation + 1;
  const isSigned = receipt.signatures !== undefined;
  const files = await openShardFiles(store, { shard, attempt }, { generation, isSigned });
  try {
    const retold = await tellAgain(opened, { shard, parts, receipt, files }, options);
    const facts = await files.finish();
    if (retold.mended > 0)
      await commit(opened, files, {
        ...receipt,
        ...countAgain(receipt, retold),
        ...{ generation, attempt },
        ...facts,
      });
    return retold;
  } finally {
    await files.discard();
  }
}

interface Telling {
  readonly shard: string;
  readonly parts: readonly InputPart[];
  readonly receipt: Receipt;
  readonly files: ShardFiles;
}

interface Retold extends Retried {
  /** The change in the number of rejects, by reason. */
  readonly changes: ReadonlyMap<string, number>;
}

/** Writes the text and the rejects file again: copies what stays, in order, and retries the rest in between. */
async function tellAgain(
  { job, store }: OpenJob,
  { shard, parts, receipt, files }: Telling,
  { crew, signal }: RetryOptions,
): Promise<Retold> {
  const ids = new Set(parts.map(({ id }) => id));
  const form = { ...job.options.form, fingerprint: crew.pipeline.fingerprint };
  const texts = readOutput(store, receipt.text);
  const rejects = readOutput(store, receipt.rejects);
  const { signatures: before } = receipt;
  const signatures = before && files.signatures && resign(store, before, files.signatures);
  const changes = new Map<string, number>();
  const change = (reason: string, by: number): void =>
    void changes.set(reason, (changes.get(reason) ?? 0) + by);
  let nextReject = await rejects.next();
  let number = 0;
  const counts = { tried: 0, mended: 0 };
  const tryAgain = async (page: Outcome<Page>): Promise<void> => {
    counts.tried += 1;
    for await (const { outcome, account } of crew.pipeline.run(untagged([page]), signal)) {
      const judged = judgeFailure(outcome, ids);
      if (judged.ok) {
        counts.mended += 1;
        await files.text.write(account.formatted ?? formatDocument(judged.value, form));
        await signatures?.add(judged.value);
      } else {
        change(judged.reason, 1);
        await files.rejects.write(formatNumbered(judged, number));
      }
    }
  };
  for await (const page of openShardSource(parts, job).pages(signal)) {
    const line = nextReject.done === true ? undefined : nextReject.value;
    const { at, reason } = toFields(line === undefined ? undefined : JSON.parse(line));
    if (line === undefined || at !== number) {
      const kept = await texts.next();
      if (kept.done === true) throw new BadShard(`${receipt.text.file} has fewer records than its input`);
      await files.text.write(`${kept.value}\n`);
      await signatures?.keep();
    } else {
      nextReject = await rejects.next();
      if (page.ok && RETRIED.some((one) => one === reason)) {
        change(String(reason), -1);
        await tryAgain(page);
      } else await files.rejects.write(`${line}\n`);
    }
    number += 1;
  }
  signal.throwIfAborted();
  if (number !== receipt.in)
    throw new BadShard(`${shard} had ${receipt.in} documents, but now has ${number}`);
  // Both files must be read to their ends, because only then are they checked against the receipt.
  if ((await texts.next()).done !== true || (await rejects.next()).done !== true)
    throw new BadShard(`the files of ${shard} hold more than its receipt states`);
  await signatures?.end();
  return { ...counts, changes };
}

function countAgain(
  { out, rejected, reasons }: Receipt,
  { mended, changes }: Retold,
): Pick<Receipt, "out" | "rejected" | "reasons"> {
  const counts = Object.keys(REASONS).map((name) => {
    const reason = name as Reason; // the keys of REASONS are the reasons
    return [reason, (reasons[reason] ?? 0) + (changes.get(reason) ?? 0)] as const;
  });
  return {
    out: out + mended,
    rejected: rejected - mended,
    reasons: sortKeys(Object.fromEntries(counts.filter(([, count]) => count > 0))),
  };
}

/**
 * Commits the new files first, then the receipt that names them, from which moment they count; then removes the old
 * files.
 */
async function commit({ job, store }: OpenJob, files: ShardFiles, next: Receipt): Promise<void> {
  const { shard, generation, text } = next;
  const receipt = { ...next, bytesOut: text.plainBytes, sha256: text.sha256 };
  const held = await store.hold(shard);
  try {
    const before = await readReceipt(store, { shard, fingerprint: job.fingerprint });
    if (before?.generation !== generation - 1) return; // another attempt has retried them meanwhile
    await commitFiles(store, files, held);
    await commitText(store, nameReceipt(shard), formatReceipt(receipt), "replace");
    await store.remove(before.text.file);
    await store.remove(before.rejects.file);
    if (before.signatures) await store.remove(before.signatures.file);
  } finally {
    await held.release();
  }
}
