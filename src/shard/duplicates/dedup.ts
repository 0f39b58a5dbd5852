/** Finds the duplicates of a whole job on this machine, and writes the decisions beside the outputs of the shards. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { tellCount } from "../../count.js";
import { UsageError } from "../../outcome.js";
import { BadShard, TryAgain } from "../attempt/failures.js";
import { readRows, type OpenJob } from "../job.js";
import { commitText, readJson } from "../store/json-file.js";
import { openShardFile, type FileFacts } from "../attempt/outputs.js";
import { readReceipt } from "../receipt.js";
import type { Store } from "../store/store.js";
import { formatDecision, formatHead, type Decision, type Wishes } from "./decision.js";
import { readSignatures } from "./signed-shard.js";
import { openSolver, type Solver } from "./solve.js";
import { toFields } from "../../json.js";

export const DUPLICATES = "duplicates.json";

export interface DedupOptions {
  readonly wishes: Wishes;
  /** Whether shards that are not done are left out. */
  readonly isPartial: boolean;
  /** Memory for the tables in bytes; the rest of them goes to disk. */
  readonly memoryBytes: number;
  readonly signal: AbortSignal;
  readonly say: (sentence: string) => void;
}

/** Written when the decisions on all shards are complete; decisions only count once it exists. */
export interface DuplicatesNote {
  readonly duplicates: number;
  readonly dedup: Wishes["documents"];
  readonly lines: number | null;
  /** The fingerprint of the job. */
  readonly fingerprint: string;
  readonly shards: number;
  readonly documents: number;
  readonly duplicate: number;
  readonly nearDuplicate: number;
  /** Number of documents that stay but lose lines. */
  readonly stripped: number;
}

interface Signed {
  readonly shard: string;
  readonly signatures: FileFacts;
}

/**
 * Runs the duplicate detection. Throws TryAgain when a shard is not done and not left out, BadShard when signatures are
 * missing or damaged, and UsageError when the job has no signatures.
 */
export async function dedupJob(opened: OpenJob, options: DedupOptions): Promise<DuplicatesNote> {
  const { job, store } = opened;
  const { wishes } = options;
  const { signed: shards, missing } = await listSigned(opened);
  if (missing.length > 0 && (shards.length === 0 || !options.isPartial)) {
    const some = missing.slice(0, 3).join(", ");
    throw new TryAgain(
      `${missing.length} of ${job.shards} shards are not done yet, among them ${some}; --partial leaves out unfinished shards`,
    );
  }
  const solver = openSolver(options);
  const counts = { documents: 0, duplicate: 0, nearDuplicate: 0, stripped: 0 };
  try {
    for (const [at, signed] of shards.entries()) {
      const decisions = await decide(store, signed, { solver, signal: options.signal });
      // From here on the decisions of an earlier run no longer count.
      if (at === 0) await store.remove(DUPLICATES);
      const head = {
        ...signed,
        wishes,
        signatures: signed.signatures.sha256,
        documents: signed.signatures.records,
      };
      await writeDecisions(store, head, decisions);
      counts.documents += signed.signatures.records;
      for (const decision of decisions) counts[kindOf(decision)] += 1;
      options.say(
        `${at + 1} of ${tellCount(shards.length, "shard")}, ${tellCount(counts.documents, "document")}`,
      );
    }
  } finally {
    solver.close();
  }
  // Decisions of an earlier run on these shards do not fit the others.
  for (const shard of missing) await store.remove(nameDecisions(shard));
  const note: DuplicatesNote = {
    ...{ duplicates: 1, dedup: wishes.documents, lines: wishes.lines ?? null },
    ...{ fingerprint: job.fingerprint, shards: shards.length, ...counts },
  };
  await commitText(store, DUPLICATES, `${JSON.stringify(note)}\n`, "replace");
  return note;
}

/**
 * Reads the note of an earlier run; undefined when no run has completed. Throws BadShard when the note is of another
 * job.
 */
export async function readDuplicatesNote({ job, store }: OpenJob): Promise<DuplicatesNote | undefined> {
  const found = await readJson(store, DUPLICATES);
  if (found === undefined) return undefined;
  const { duplicates, fingerprint } = toFields(found);
  if (duplicates !== 1 || fingerprint !== job.fingerprint)
    throw new BadShard(`${DUPLICATES} in ${store.name} belongs to another job`);
  return found as DuplicatesNote; // `dedupJob` wrote it
}

export function nameDecisions(shard: string): string {
  return `duplicates/${shard}.jsonl.gz`;
}

/** Lists the shards with their signatures, and the names of those that are not done. */
async function listSigned(opened: OpenJob): Promise<{ signed: Signed[]; missing: string[] }> {
  const { job, store } = opened;
  const signed: Signed[] = [];
  const missing: string[] = [];
  for await (const { shard } of readRows(opened)) {
    const receipt = await readReceipt(store, { shard, fingerprint: job.fingerprint });
    if (receipt === undefined) missing.push(shard);
    else if (receipt.signatures === undefined)
      throw new UsageError(`the shards of ${store.name} have no signatures; plan the job with --signatures`);
    else signed.push({ shard, signatures: receipt.signatures });
  }
  return { signed, missing };
}

interface Deciding {
  readonly solver: Solver;
  readonly signal: AbortSignal;
}

/** Returns the decisions on one shard, the only ones held in memory. */
async function decide(
  store: Store,
  { shard, signatures }: Signed,
  { solver, signal }: Deciding,
): Promise<Decision[]> {
  const decisions: Decision[] = [];
  for await (const signature of readSignatures(store, signatures)) {
    signal.throwIfAborted();
    const decision = solver.decide(shard, signature);
    if (decision !== undefined) decisions.push(decision);
  }
  return decisions;
}

function kindOf(decision: Decision): "duplicate" | "nearDuplicate" | "stripped" {
  if ("dropped" in decision) return "stripped";
  return decision.copy.equal === undefined ? "duplicate" : "nearDuplicate";
}

async function writeDecisions(
  store: Store,
  { shard, wishes, signatures, documents }: Omit<Parameters<typeof formatHead>[0], "copies" | "stripped">,
  decisions: readonly Decision[],
): Promise<void> {
  const name = nameDecisions(shard);
  const path = join(store.scratch, `duplicates.${shard}.${randomBytes(4).toString("hex")}`);
  const file = await openShardFile(path, name);
  try {
    const stripped = decisions.filter((decision) => "dropped" in decision).length;
    const copies = decisions.length - stripped;
    await file.write(formatHead({ shard, wishes, signatures, documents, copies, stripped }));
    for (const decision of decisions) await file.write(formatDecision(decision));
    await file.finish();
    await store.commit(name, path, "replace");
  } catch (error) {
    await file.discard();
    throw error;
  }
}
