/** Reads what a run wrote, masks what may differ between versions and runs, and compares the outputs of two runs. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { listFiles } from "./inputs.js";

/** The files that every run writes beside its output. */
export const [STATS, REJECTS, STDOUT, STDERR] = ["stats.json", "rejects.jsonl", "stdout", "stderr"] as const;

export interface Stats {
  readonly fingerprint: string;
  readonly documents: number;
  readonly rejects: number;
}

/** Returns the run's statistics; undefined when the run ended without writing them. */
export function readStats(folder: string): Stats | undefined {
  const path = join(folder, STATS);
  // The form of `--stats`.
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Stats) : undefined;
}

/** The record ids of WET files are digests of the fingerprint too, so they are masked. */
const WET_IDS = /^(WARC-(?:Record|Warcinfo)-ID: <urn:uuid:)[0-9a-f-]{36}>\r$/gm;

/** Reads one file of a run as one character per byte, with the fingerprint replaced by zeros. */
function readOutput(folder: string, name: string): string {
  const { fingerprint } = readStats(folder) ?? {};
  const bytes = readFileSync(join(folder, name));
  const text = (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("latin1");
  if (name === STATS) return withoutRun(text);
  const masked = fingerprint === undefined ? text : text.replaceAll(fingerprint, "0".repeat(16));
  return name.includes(".wet") ? masked.replace(WET_IDS, "$1>\r") : masked;
}

/** Drops `run`, which holds times, memory and the number of workers, and the fingerprint. */
function withoutRun(json: string): string {
  const stats = JSON.parse(json) as Record<string, unknown>; // as in `readStats`
  return `${JSON.stringify({ ...stats, run: undefined, fingerprint: undefined }, undefined, 2)}\n`;
}

export interface Outputs {
  readonly folder: string;
  readonly exitCode: number | null;
  /** SHA-256 of each file's masked content. */
  readonly digests: ReadonlyMap<string, string>;
  /** The total size of all files as they were compared, in bytes. */
  readonly bytes: number;
}

/** Hashes all files that a run left in its folder. */
export function digestOutputs(folder: string, exitCode: number | null): Outputs {
  const digests = new Map<string, string>();
  let bytes = 0;
  for (const name of listFiles(folder)) {
    const text = readOutput(folder, name);
    bytes += text.length;
    digests.set(name, createHash("sha256").update(text, "latin1").digest("hex"));
  }
  return { folder, exitCode, digests, bytes };
}

/** Returns one paragraph for each difference between the two runs. */
export function findDifferences(one: Outputs, other: Outputs): string[] {
  const exit = one.exitCode === other.exitCode ? [] : [`exit code: ${one.exitCode} / ${other.exitCode}`];
  const names = [...new Set([...one.digests.keys(), ...other.digests.keys()])];
  const files = names
    .filter((name) => one.digests.get(name) !== other.digests.get(name))
    .map((name) => {
      if (!one.digests.has(name)) return `${name}: only the second run wrote it`;
      if (!other.digests.has(name)) return `${name}: only the first run wrote it`;
      return `${name}: ${showDifference(readOutput(one.folder, name), readOutput(other.folder, name))}`;
    });
  return [...exit, ...files];
}

/** How many characters are shown before the first difference, and how many in all. */
const [BEFORE, SHOWN] = [60, 200];

/** Shows the first line that differs, around the first character that differs, as both runs have it. */
function showDifference(one: string, other: string): string {
  let at = 0;
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  const start = one.lastIndexOf("\n", at - 1) + 1;
  const number = one.slice(0, start).split("\n").length;
  const from = Math.max(start, at - BEFORE);
  const show = (text: string): string => {
    const end = text.indexOf("\n", at);
    const line = text.slice(from, Math.min(end < 0 ? text.length : end, from + SHOWN));
    return `${from > start ? "…" : ""}${Buffer.from(line, "latin1").toString()}`;
  };
  const id = /^\{"id":("(?:[^"\\]|\\.)*")/.exec(one.slice(start))?.[1];
  const where = `line ${number}${id === undefined ? "" : `, document ${Buffer.from(id, "latin1").toString()}`}`;
  return `${where}\n    first:  ${show(one)}\n    second: ${show(other)}`;
}
