/**
 * Serves texts that another program made, stored as JSON lines of `{id, text}` or `{id, text, pageType}`, as a system,
 * and counts outputs that are missing or that no document needs.
 */
import { createHash } from "node:crypto";
import { basename } from "node:path";
import { readJsonlLines } from "../corpora/jsonl.js";
import type { GoldDocument } from "../corpora/gold.js";
import type { System, SystemOutput } from "./system.js";
import { SystemUnavailable } from "./errors.js";

/**
 * The problems of stored outputs, each listed by id or by `file:line`. Complete once `run` was called for every
 * document.
 */
export interface StoredAudit {
  /** Documents without an output: each counts as a failure of kind "missing". */
  readonly missing: readonly string[];
  /** Outputs whose id no document has. */
  readonly unknown: readonly string[];
  /** Ids that occur again; only their first output counts. */
  readonly repeated: readonly string[];
  /** Lines that are not a JSON object with a string `id` and a string `text`. */
  readonly malformed: readonly string[];
}

export interface StoredSystem extends System {
  /** Returns whether this document has an output. A corpus without any output was not run, which is not a failure. */
  has(id: string): boolean;
  audit(): StoredAudit;
}

const SUFFIX = /\.jsonl(?:\.gz)?$/;
/** The limit on outputs in one set of files: all are held in memory, and a larger number is a mistake. */
const MAX_OUTPUTS = 2_000_000;

export function isStoredPath(path: string): boolean {
  return SUFFIX.test(path);
}

/** Returns the system's name for a file: "peers/canola/justext@wceb-ext.jsonl.gz" gives "justext@wceb-ext". */
export function nameStored(path: string): string {
  return basename(path).replace(SUFFIX, "");
}

/**
 * Reads all files; one system may have one file for each corpus. Throws SystemUnavailable if a file cannot be read, or
 * if there are more than `MAX_OUTPUTS` outputs.
 */
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

/**
 * Yields the lines of a file. Throws SystemUnavailable if the file cannot be read to its end, because all later outputs
 * would count as missing.
 */
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
