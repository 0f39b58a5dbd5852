/** States what became of a shard. Only what has a receipt is done. */
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
  /** 1, and one more each time that rejects were tried again. */
  readonly generation: number;
  /** That of the job. */
  readonly fingerprint: string;
  readonly version: string;
  readonly in: number;
  readonly out: number;
  readonly rejected: number;
  readonly reasons: Readonly<Partial<Record<Reason, number>>>;
  /** Records that held no page and are no failure, by type. */
  readonly passedOver: Readonly<Record<string, number>>;
  readonly bytesIn: number;
  /** Unpacked bytes of the text. */
  readonly bytesOut: number;
  /** Bytes of damaged stretches of archives. */
  readonly bytesSkipped: number;
  /** Of the unpacked text. */
  readonly sha256: string;
  readonly text: FileFacts;
  readonly rejects: FileFacts;
  /** Where the job asks for them. */
  readonly signatures?: FileFacts;
  readonly attempt: string;
  readonly host: string;
  readonly workers: number;
  readonly startedAt: string;
  readonly seconds: number;
  /** Of this process and those that it started, where the system says so. */
  readonly cpuSeconds: number | null;
  /** The sum of what each of them had at most. */
  readonly peakMemoryMb: number;
  /** Times of documents. */
  readonly ms: Readonly<Record<"p50" | "p99" | "p99.9", number>>;
}

export function nameReceipt(shard: string): string {
  return `receipts/${shard}.json`;
}

/** What helps where a receipt is damaged. */
const REMEDY = "; remove it and run its row again";

/** Undefined where the shard is not done. Throws BadShard where the receipt is none, or one of another job. */
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
    throw new BadShard(`${name} in ${store.name} is of another job; each job needs a place of its own`);
  return found as Receipt; // as `run` wrote it
}

export function formatReceipt(receipt: Receipt): string {
  return `${JSON.stringify(receipt)}\n`;
}
