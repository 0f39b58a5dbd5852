/** Runs the compiled command many times in one process: what a start costs is paid once. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Result } from "./run.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Reads the runs from stdin, gives each its own streams, and writes what came of them. */
const DRIVER = `
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { createMessages } from "./dist/cli/io.js";
import { main } from "./dist/cli/main.js";
const results = [];
for (const { args, stdin } of JSON.parse(await text(process.stdin))) {
  const said = { out: [], err: [] };
  const stdout = new PassThrough().on("data", (chunk) => said.out.push(chunk));
  const stderr = createMessages(new PassThrough().on("data", (chunk) => said.err.push(chunk)));
  const input = Readable.from(stdin === undefined ? [] : [Buffer.from(stdin)]);
  const code = await main(args, { stdin: input, stdout, stderr, signal: new AbortController().signal });
  for (const stream of [stdout, stderr]) await new Promise((resolve) => stream.write("", resolve));
  const [all, messages] = [said.out, said.err].map((chunks) => Buffer.concat(chunks).toString());
  results.push({ code, stdout: all, stderr: messages });
}
process.stdout.write(JSON.stringify(results), () => process.exit(0));
`;

export interface Run {
  readonly args: readonly string[];
  readonly stdin?: string;
}

/** What comes of each run, in order. They share a process, so only what ends by itself belongs here. */
export function thresherMany(runs: readonly Run[]): Promise<readonly Result[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--input-type=module", "-e", DRIVER], { cwd: ROOT });
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve(JSON.parse(Buffer.concat(stdout).toString()) as Result[]);
      else reject(new Error(`the runs ended with ${String(code)}: ${Buffer.concat(stderr).toString()}`));
    });
    child.stdin.end(JSON.stringify(runs));
  });
}
