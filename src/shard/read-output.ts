/** Reads the output files of shards and checks them against their receipts. */
import { tellCount } from "../count.js";
import { createHash } from "node:crypto";
import { readGzipLines } from "../write/files/gzip.js";
import { BadOutput, BadShard } from "./attempt/failures.js";
import type { FileFacts } from "./attempt/outputs.js";
import type { Store } from "./store/store.js";
import { codeOf } from "../thrown.js";

/**
 * Yields the lines of a file without line ends. Throws BadOutput, at the end, when the file does not match its receipt.
 */
export async function* readOutput(store: Store, facts: FileFacts): AsyncGenerator<string> {
  try {
    yield* readChecked(store, facts);
  } catch (error) {
    throw error instanceof BadShard ? new BadOutput(error.message, { cause: error }) : error;
  }
}

async function* readChecked(store: Store, facts: FileFacts): AsyncGenerator<string> {
  const { file, records, sha256 } = facts;
  const digest = createHash("sha256");
  let count = 0;
  const notFound = (): Error => new BadShard(`${file} is missing, although it has a receipt`);
  for await (const line of unpackLines(store, file, notFound)) {
    digest.update(line).update("\n");
    count += 1;
    yield line;
  }
  if (count !== records)
    throw new BadShard(`${file} has ${tellCount(count, "record")}, but its receipt states ${records}`);
  if (digest.digest("hex") !== sha256) throw new BadShard(`${file} differs from its receipt (sha256)`);
}

/**
 * Yields the lines of a gzip file without line ends. Throws BadShard when the file is cut short or damaged, and
 * `notFound()` when it is missing.
 */
export async function* unpackLines(
  store: Store,
  file: string,
  notFound: () => Error,
): AsyncGenerator<string> {
  const packed = await store.open(file);
  if (packed === undefined) throw notFound();
  try {
    yield* readGzipLines(packed);
  } catch (error) {
    const code = codeOf(error) ?? "";
    // The error codes of zlib for damaged data.
    if (code.startsWith("Z_")) throw new BadShard(`${file} is damaged: ${code}`, { cause: error });
    throw error;
  }
}
