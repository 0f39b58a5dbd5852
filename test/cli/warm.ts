/** Runs the compiled command many times in shared processes, so that each starts only once. */
import { spawn, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Gives each run its own streams, folder and environment, one run after the other, and reports its result. */
const DRIVER = `
import { PassThrough, Readable } from "node:stream";
import { createMessages } from "./dist/cli/io.js";
import { main } from "./dist/cli/main.js";
import { runSteadily } from "./dist/work/run-steadily.js";
runSteadily();
let last = Promise.resolve();
process.on("message", (run) => { last = last.then(() => answer(run)); });
process.on("disconnect", () => process.exit());
async function answer({ number, args, stdin, cwd, env }) {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  const said = { out: [], err: [] };
  const stdout = new PassThrough().on("data", (chunk) => said.out.push(chunk));
  const stderr = createMessages(new PassThrough().on("data", (chunk) => said.err.push(chunk)));
  const input = Readable.from(stdin.map((chunk) => Buffer.from(chunk)), { objectMode: false });
  const code = await main(args, { stdin: input, stdout, stderr, signal: new AbortController().signal });
  for (const stream of [stdout, stderr]) await new Promise((resolve) => stream.write("", resolve));
  const [all, messages] = [said.out, said.err].map((chunks) => Buffer.concat(chunks).toString());
  process.send({ number, result: { code, stdout: all, stderr: messages } });
}
`;

interface Wish {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
}

export interface RunOptions {
  /** The chunks of stdin. */
  readonly stdin?: readonly (string | Uint8Array)[];
  /** The folder in which it runs; the root of the project if absent. */
  readonly cwd?: string;
}

/** A process that runs the command on request. */
export interface Warm {
  readonly run: (args: readonly string[], options?: RunOptions) => Promise<Result>;
  readonly close: () => void;
}

/** Starts with the first run, and does not keep the caller alive. A run that hangs blocks all others, so only runs that end by themselves belong here. */
export function openWarm({
  imports = [],
  env = {},
}: { imports?: readonly string[]; env?: NodeJS.ProcessEnv } = {}): Warm {
  let child: ChildProcess | undefined;
  let number = 0;
  const wishes = new Map<number, Wish>();
  const start = (): ChildProcess => {
    const flags = imports.flatMap((one) => ["--import", one]);
    const started = spawn(process.execPath, [...flags, "--input-type=module", "-e", DRIVER], {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      serialization: "advanced",
    });
    started.on("message", (told: { number: number; result: Result }) => {
      wishes.get(told.number)?.resolve(told.result);
      wishes.delete(told.number);
      if (wishes.size === 0) rest(started);
    });
    started.on("error", fail);
    started.on("exit", (code, signal) => {
      child = undefined;
      fail(new Error(`the process of the command ended with ${String(code ?? signal)}`));
    });
    return started;
  };
  const fail = (error: Error): void => {
    for (const { reject } of wishes.values()) reject(error);
    wishes.clear();
  };
  return {
    run: (args, { stdin = [], cwd = ROOT } = {}) =>
      new Promise((resolve, reject) => {
        child ??= start();
        wishes.set((number += 1), { resolve, reject });
        child.ref();
        child.channel?.ref();
        child.send({ number, args, stdin, cwd, env: { ...process.env, ...env } });
      }),
    close: () => child?.disconnect(),
  };
}

function rest(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}
