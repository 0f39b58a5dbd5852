/** Reads a packed file of JSON lines of a shard whole or not at all: what is cut, damaged or of another run throws. */
import { createHash } from "node:crypto";
import { createGunzip } from "node:zlib";
import { readLines } from "../../write/files/growing-file.js";
import { BadShard } from "../failures.js";
import type { FileFacts } from "../outputs.js";
import type { Store } from "../store.js";

/** What the receipt of its shard says of the file. */
type Expected = Pick<FileFacts, "file" | "records" | "sha256">;

/** The lines of a file in order. Throws BadShard as soon as something is wrong with it, which may be at its end. */
export async function* readPackedRows<T>(
  store: Store,
  { file, records, sha256 }: Expected,
  parse: (line: string, number: number) => T,
): AsyncGenerator<T> {
  const digest = createHash("sha256");
  let number = 0;
  for await (const line of unpackLines(store, file)) {
    digest.update(`${line}\n`);
    yield parseRow(line, number, { file, parse });
    number += 1;
  }
  if (number !== records) throw damaged(file, `it has ${number} lines, and ${records} were written`);
  if (digest.digest("hex") !== sha256) throw damaged(file, "it is not the file that its receipt tells of");
}

/** The lines of a packed file. Throws BadShard where it is missing or damaged. */
export async function* unpackLines(store: Store, file: string): AsyncGenerator<string> {
  const stream = await store.open(file);
  if (stream === undefined) throw damaged(file, "it is missing");
  const plain = createGunzip();
  stream.on("error", (error) => plain.destroy(error));
  stream.pipe(plain).setEncoding("utf8");
  try {
    yield* readLines(plain as AsyncIterable<string>);
  } catch (cause) {
    throw isDamage(cause) ? damaged(file, String(cause), cause) : cause;
  } finally {
    stream.destroy();
    plain.destroy();
  }
}

interface RowReader<T> {
  readonly file: string;
  readonly parse: (line: string, number: number) => T;
}

function parseRow<T>(line: string, number: number, { file, parse }: RowReader<T>): T {
  try {
    return parse(line, number);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw damaged(file, `line ${number + 1}: ${message}`, cause);
  }
}

/** Errors of zlib have such codes; those of disks and networks may not come again. */
function isDamage(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^Z_/.test(String(error.code));
}

export function damaged(file: string, what: string, cause?: unknown): BadShard {
  return new BadShard(`${file} cannot be used: ${what}`, { cause });
}
