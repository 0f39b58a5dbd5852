/** Runs a script of models/train in the user's Python, and checks whether that Python has what the script needs. */
import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { UsageError } from "../outcome.js";

/** The default name of Python: the installer for Windows brings no `python3`. */
export function nameOfPython(platform: NodeJS.Platform = process.platform): string {
  return platform === "win32" ? "python" : "python3";
}

const SCRIPTS = fileURLToPath(new URL("../../models/train/", import.meta.url));
const NEEDED = "torch, onnx, numpy";
/** Loading PyTorch from a cold disk takes a minute; training on the largest gold takes hours. */
const CHECK_MS = 180_000;
const TRAIN_MS = 24 * 3_600_000;
/** Number of characters kept of a script's output, whose end says what went wrong. */
const LAST_WORDS = 4000;

interface Running {
  readonly signal?: AbortSignal | undefined;
  /** Gets each line that the script writes to stderr. */
  readonly tell?: ((line: string) => void) | undefined;
}

/** Returns why this Python cannot train a network, with what to install; undefined if it can. */
export async function whyNoPython(python: string, signal?: AbortSignal): Promise<string | undefined> {
  const code = `import sys; assert sys.version_info >= (3, 9), "it is older than Python 3.9"; import ${NEEDED}`;
  const said = await run(python, ["-c", code], CHECK_MS, { signal });
  if (said === undefined) return undefined;
  const [reason = ""] = said.trim().split("\n").slice(-1);
  return `training a whole network needs PyTorch, which "${python}" does not have (${reason}): install it with "${python} -m pip install torch onnx numpy", or choose another Python with --python`;
}

/** Throws UsageError with the last output of the script if it fails. */
export async function runScript(
  python: string,
  args: readonly string[],
  running: Running = {},
): Promise<void> {
  const said = await run(python, args, TRAIN_MS, running);
  if (said === undefined) return;
  throw new UsageError(`training the network failed: ${said.trim().split("\n").slice(-3).join("\n")}`);
}

/** Returns the last output if the program failed, else undefined. Throws the signal's reason when it aborts. */
async function run(
  python: string,
  args: readonly string[],
  timeout: number,
  { signal, tell }: Running,
): Promise<string | undefined> {
  signal?.throwIfAborted();
  // `-B`, because the package may belong to another user, so no bytecode files may be left in it.
  // A path is relative to the user's folder, and not to that of the scripts.
  const program = /[/\\]/.test(python) ? resolve(python) : python;
  const child = spawn(program, ["-B", ...args], {
    ...{ cwd: SCRIPTS, stdio: ["ignore", "ignore", "pipe"], timeout, killSignal: "SIGKILL" },
    ...(signal && { signal }),
  });
  let last = "";
  let line = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    last = (last + text).slice(-LAST_WORDS);
    const lines = (line + text).split("\n");
    line = (lines.pop() ?? "").slice(-LAST_WORDS);
    for (const one of lines) tell?.(one);
  });
  return new Promise((settle, reject) => {
    child.on("error", (error) => {
      if (signal?.aborted === true) reject(signal.reason as Error); // as `throwIfAborted` does
      else settle(`it cannot be started: ${error.message}`);
    });
    child.on("close", (code, killed) => {
      if (code === 0) settle(undefined);
      else
        settle(
          `${last}\n${killed === null ? (last.trim() === "" ? `it ended with ${code}` : "") : `it was ended by ${killed}`}`,
        );
    });
  });
}
