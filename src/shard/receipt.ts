/** Reads and writes receipts, which state the results of a shard. A shard is done when it has a receipt. */
import { toFields } from "../json.js";
import type { Reason } from "../outcome.js";
import { BadShard } from "./attempt/failures.js";
import { readJson } from "./store/json-file.js";
import type { FileFacts } from "./attempt/outputs.js";
import type { Store } from "./store/store.js";

export interface Receipt {
  readonly contract: number;
  readonly shard: string;
  readonly index: number;
  /** 1, plus one for each time that rejects were retried. */
  readonly generation: number;
  /** The fingerprint of the job. */
  readonly fingerprint: string;
  readonly version: string;
  readonly in: number;
  readonly out: number;
  readonly rejected: number;
  readonly reasons: Readonly<Partial<Record<Reason, number>>>;
  /** The number of skipped records by type: records that hold no page, which is not a failure. */
  readonly passedOver: Readonly<Record<string, number>>;
  readonly bytesIn: number;
  /** Unpacked bytes of the text file. */
  readonly bytesOut: number;
  /** Bytes of damaged parts of archives that were skipped. */
  readonly bytesSkipped: number;
  /** The SHA-256 of the unpacked text file. */
  readonly sha256: string;
  readonly text: FileFacts;
  readonly rejects: FileFacts;
  /** Set when the job requests signatures. */
  readonly signatures?: FileFacts;
  readonly attempt: string;
  readonly host: string;
  readonly workers: number;
  readonly startedAt: string;
  readonly seconds: number;
  /** CPU seconds of this process and its child processes; null when the system does not report them. */
  readonly cpuSeconds: number | null;
  /** The sum of the peak memory of these processes. */
  readonly peakMemoryMb: number;
  /** Percentiles of the time per document, in milliseconds. */
  readonly ms: Readonly<Record<"p50" | "p99" | "p99.9", number>>;
}

export function nameReceipt(shard: string): string {
  return `receipts/${shard}.json`;
}

/** The advice in the message about a damaged receipt. */
const REMEDY = "; remove it and run its row again";

/**
 * Reads the receipt of a shard; undefined when the shard is not done. Throws BadShard when the receipt is damaged or
 * belongs to another job.
 */
export async function readReceipt(
  store: Store,
  { shard, fingerprint }: Pick<Receipt, "shard" | "fingerprint">,
): Promise<Receipt | undefined> {
  const name = nameReceipt(shard);
  const found = await readJson(store, name, REMEDY);
  if (found === undefined) return undefined;
  const fields = toFields(found);
  const isWhole =
    fields["shard"] === shard && typeof fields["in"] === "number" && typeof fields["sha256"] === "string";
  if (!isWhole) throw new BadShard(`${name} in ${store.name} is damaged${REMEDY}`);
  if (fields["fingerprint"] !== fingerprint)
    throw new BadShard(`${name} in ${store.name} belongs to another job; each job needs its own place`);
  return found as Receipt; // `run` wrote it
}

export function formatReceipt(receipt: Receipt): string {
  return `${JSON.stringify(receipt)}\n`;
}
