/** Runs the real `crawl` command against a farm of servers on this machine. */
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Farm } from "../../../bench/lab/crawl/farm/farm.js";
import { gather, TELL_PEAK, type Measured } from "../measure.js";
import { BIN, parseLines } from "../run.js";
import { openWarm, type Result, type Warm } from "../warm.js";

/** The peak is 0 if the process was killed. */
export interface CrawlResult extends Measured {
  readonly signal: NodeJS.Signals | null;
}

export interface CrawlRunOptions {
  readonly stdin?: string;
  readonly cwd?: string;
  /** The number of blocks of 512 bytes (or 1,024) that a file may have, which simulates a full disk without root. */
  readonly maxFileBlocks?: number;
  readonly onStart?: (child: ChildProcess) => void;
}

/** These options make waits short and allow the addresses of a farm; later options override them. */
const COMMON = [
  "--allow-private",
  "--delay",
  "20ms",
  "--retry-delay",
  "50ms",
  "--labeller",
  "rules",
  "-j",
  "1",
];

const warm = new Map<Farm, Warm>();

/**
 * Runs `crawl` with these arguments in a shared process, one run after the other, which resolves the farm's names and trusts its
 * authority. `leaveFarm` ends the process.
 */
export function crawl(
  farm: Farm,
  args: readonly string[],
  { stdin = "", cwd }: Pick<CrawlRunOptions, "stdin" | "cwd"> = {},
): Promise<Result> {
  const own =
    warm.get(farm) ?? openWarm({ imports: [farm.names], env: { NODE_EXTRA_CA_CERTS: writeAuthority(farm) } });
  warm.set(farm, own);
  return own.run(["crawl", ...COMMON, ...args], { stdin: [stdin], ...(cwd !== undefined && { cwd }) });
}

export function leaveFarm(farm: Farm): void {
  warm.get(farm)?.close();
}

function writeAuthority(farm: Farm): string {
  const authority = join(mkdtempSync(join(tmpdir(), "thresher-ca-")), "ca.pem");
  writeFileSync(authority, farm.authority);
  return authority;
}

/** Does the same in a separate process, and measures its memory. */
export function crawlAlone(
  farm: Farm,
  args: readonly string[],
  { stdin, cwd, onStart, maxFileBlocks }: CrawlRunOptions = {},
): Promise<CrawlResult> {
  return new Promise((resolve, reject) => {
    const node = ["--import", TELL_PEAK, "--import", farm.names, BIN, "crawl", ...COMMON, ...args];
    const limit = `trap '' XFSZ; ulimit -f ${maxFileBlocks}; exec "$0" "$@"`;
    const [program, programArgs] =
      maxFileBlocks === undefined
        ? [process.execPath, node]
        : ["/bin/sh", ["-c", limit, process.execPath, ...node]];
    const child = spawn(program, programArgs, {
      stdio: ["pipe", "pipe", "pipe", "pipe"],
      cwd,
      env: { ...process.env, NODE_EXTRA_CA_CERTS: writeAuthority(farm) },
    });
    const said = gather(child);
    child.on("error", reject);
    child.on("close", (code, signal) => {
      resolve({ code, signal, ...said() });
    });
    child.stdin.on("error", () => undefined); // a command that fails early does not read its input
    child.stdin.end(stdin ?? "");
    onStart?.(child);
  });
}

/** The files that a crawl left in its folder. */
export interface Crawled {
  readonly documents: readonly Record<string, unknown>[];
  readonly outcomes: ReadonlyMap<string, Record<string, unknown>>;
  readonly rejects: readonly Record<string, unknown>[];
  readonly archives: readonly string[];
}

export function readCrawl(dir: string): Crawled {
  const text = (name: string): string =>
    existsSync(join(dir, name)) ? readFileSync(join(dir, name), "utf8") : "";
  const packed = join(dir, "text.jsonl.gz");
  const warc = join(dir, "warc");
  return {
    documents: existsSync(packed) ? parseLines(gunzipSync(readFileSync(packed)).toString()) : [],
    outcomes: new Map(parseLines(text("outcomes.jsonl")).map((row) => [String(row["url"]), row])),
    rejects: parseLines(text("rejects.jsonl")),
    archives: existsSync(warc)
      ? readdirSync(warc)
          .filter((name) => name.endsWith(".warc.gz"))
          .map((name) => join(warc, name))
          .sort()
      : [],
  };
}

/** Sorts ids, for sets of documents that were written in different orders. */
export function sortedIds(documents: readonly Record<string, unknown>[]): string[] {
  return documents.map(({ id }) => String(id)).sort();
}
