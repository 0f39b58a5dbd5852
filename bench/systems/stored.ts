/** Texts that somebody else made, as JSON lines of `{id, text}`, as a system: what it lacks and what it has too much is counted. */
import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { GoldDocument, System, SystemOutput } from "../types.js";
import { SystemUnavailable } from "./errors.js";

/** What is wrong with stored outputs, each listed by id or by `file:line`. Complete once every document has been asked for. */
export interface StoredAudit {
  /** Documents without an output: each counts as the failure "missing". */
  readonly missing: readonly string[];
  /** Outputs that no document asked for. */
  readonly unknown: readonly string[];
  /** Ids that come again; their first output counts. */
  readonly repeated: readonly string[];
  /** Lines that are not a JSON object with a string `id` and a string `text`. */
  readonly malformed: readonly string[];
}

export interface StoredSystem extends System {
  /** Whether there is an output for this document: a corpus without any was not run, which is no failure. */
  has(id: string): boolean;
  audit(): StoredAudit;
}

const SUFFIX = /\.jsonl(?:\.gz)?$/;
/** Outputs in one set of files: more is a mistake, and all are held in memory. */
const MAX_OUTPUTS = 2_000_000;

export function isStoredPath(path: string): boolean {
  return SUFFIX.test(path);
}

/** "peers/canola/justext@wceb-ext.jsonl.gz" is of "justext@wceb-ext". */
export function nameStored(path: string): string {
  return basename(path).replace(SUFFIX, "");
}

/** Reads all files (one system may have one for each corpus). Throws SystemUnavailable when one cannot be read. */
export async function createStoredSystem(name: string, paths: readonly string[]): Promise<StoredSystem> {
  const outputs = new Map<string, string>();
  const repeated: string[] = [];
  const malformed: string[] = [];
  const missing = new Set<string>();
  const asked = new Set<string>();
  const digests: string[] = [];

  for (const path of paths) {
    const hash = createHash("sha256");
    let number = 0;
    for await (const line of readLines(path, hash, name)) {
      number += 1;
      if (line.trim() === "") continue;
      const output = parseOutput(line);
      if (output === undefined) malformed.push(`${path}:${number}`);
      else if (outputs.has(output.id)) repeated.push(output.id);
      else outputs.set(output.id, output.text);
      if (outputs.size > MAX_OUTPUTS)
        throw new SystemUnavailable(`${name}: more than ${MAX_OUTPUTS} outputs`);
    }
    digests.push(hash.digest("hex").slice(0, 12));
  }

  return {
    name,
    takes: "both",
    describe: `stored outputs, sha256 ${digests.join(" ")}`,
    has: (id) => outputs.has(id),
    run({ id }: GoldDocument): Promise<SystemOutput> {
      asked.add(id);
      const text = outputs.get(id);
      if (text !== undefined) return Promise.resolve({ ok: true, text });
      missing.add(id);
      return Promise.resolve({ ok: false, failure: "missing", detail: "the file has no output for this id" });
    },
    audit: () => ({
      missing: [...missing],
      unknown: [...outputs.keys()].filter((id) => !asked.has(id)),
      repeated,
      malformed,
    }),
    close: () => Promise.resolve(),
  };
}

async function* readLines(path: string, hash: Hash, name: string): AsyncGenerator<string> {
  const file = createReadStream(path);
  file.on("data", (chunk) => hash.update(chunk));
  const text: Readable = path.endsWith(".gz") ? file.pipe(createGunzip()) : file;
  const failure = new Promise<never>((_, reject) => {
    for (const stream of new Set<Readable>([file, text])) stream.once("error", reject);
  });
  const lines = createInterface({ input: text, crlfDelay: Infinity })[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await Promise.race([lines.next(), failure]);
      if (next.done === true) return;
      yield next.value;
    }
  } catch (error) {
    throw new SystemUnavailable(
      `${name}: cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    );
  } finally {
    file.destroy();
  }
}

function parseOutput(line: string): { readonly id: string; readonly text: string } | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== "object" || value === null || !("id" in value) || !("text" in value))
      return undefined;
    const { id, text } = value;
    return typeof id === "string" && typeof text === "string" ? { id, text } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
