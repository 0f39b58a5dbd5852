/**
 * Reads texts that another program made, as JSON lines of `{id, text}` or `{id, text, pageType}`, as a system: what it
 * lacks and what it has too much is counted.
 */
import { createHash } from "node:crypto";
import { basename } from "node:path";
import { readJsonlLines } from "../corpora/jsonl.js";
import type { GoldDocument } from "../corpora/gold.js";
import type { System, SystemOutput } from "./system.js";
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
  const outputs = new Map<string, Output>();
  const repeated: string[] = [];
  const malformed: string[] = [];
  const missing = new Set<string>();
  const asked = new Set<string>();
  const digests: string[] = [];

  for (const path of paths) {
    const hash = createHash("sha256");
    for await (const { number, text } of readLines(path, name)) {
      hash.update(`${text}\n`);
      const output = parseOutput(text);
      if (output === undefined) malformed.push(`${path}:${number}`);
      else if (outputs.has(output.id)) repeated.push(output.id);
      else outputs.set(output.id, output);
      if (outputs.size > MAX_OUTPUTS)
        throw new SystemUnavailable(`${name}: more than ${MAX_OUTPUTS} outputs`);
    }
    digests.push(hash.digest("hex").slice(0, 12));
  }

  return {
    name,
    takes: "both",
    describe: `stored outputs, sha256 of their lines ${digests.join(" ")}`,
    has: (id) => outputs.has(id),
    run({ id }: GoldDocument): Promise<SystemOutput> {
      asked.add(id);
      const output = outputs.get(id);
      if (output !== undefined) {
        const { text, pageType } = output;
        return Promise.resolve({ ok: true, text, ...(pageType === undefined ? {} : { pageType }) });
      }
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

/** A file that cannot be read to its end would make every later output a missing one: it is refused as a whole. */
async function* readLines(path: string, name: string): AsyncGenerator<{ number: number; text: string }> {
  const refuse = (why: string, cause?: unknown): SystemUnavailable =>
    new SystemUnavailable(`${name}: cannot read ${path}: ${why}`, { cause });
  try {
    for await (const event of readJsonlLines(path)) {
      if (event.kind === "broken") throw refuse(`${event.detail} (line ${event.number})`);
      yield event;
    }
  } catch (error) {
    if (error instanceof SystemUnavailable) throw error;
    throw refuse(error instanceof Error ? error.message : String(error), error);
  }
}

interface Output {
  readonly id: string;
  readonly text: string;
  readonly pageType?: string;
}

function parseOutput(line: string): Output | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== "object" || value === null || !("id" in value) || !("text" in value))
      return undefined;
    const { id, text } = value;
    if (typeof id !== "string" || typeof text !== "string") return undefined;
    const pageType = "pageType" in value ? value.pageType : undefined;
    return { id, text, ...(typeof pageType === "string" ? { pageType } : {}) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
