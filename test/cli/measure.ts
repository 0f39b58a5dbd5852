/** Runs the real command in a process of its own, and measures the most memory that it had, for input that is made to exhaust it. */
import { spawn, type ChildProcess } from "node:child_process";
import { pipeline, Readable } from "node:stream";
import { BIN } from "./run.js";

export interface Measured {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Resident memory at its peak, all threads of the process. */
  readonly peakMb: number;
}

/** Runs in the process before the command: the peak is known at its end, and goes where no output goes. */
export const TELL_PEAK = `data:text/javascript,${encodeURIComponent(
  `import { writeSync } from "node:fs";
import { measureOwnPeakMb } from "${new URL("../../dist/usage.js", import.meta.url).href}";
process.on("exit", () => writeSync(3, String(measureOwnPeakMb())));`,
)}`;

/** `stdin` is read only as fast as the command takes it. */
export function measure(args: readonly string[], stdin?: AsyncIterable<Uint8Array>): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--import", TELL_PEAK, BIN, ...args], {
      stdio: ["pipe", "pipe", "pipe", "pipe"],
    });
    const said = gather(child);
    child.on("error", reject);
    child.on("close", (code) => {
      resolve({ code, ...said() });
    });
    // A command that has seen enough reads no more: that is no failure of ours.
    pipeline(Readable.from(stdin ?? []), child.stdin, () => undefined);
  });
}

/** What a process with four pipes, of which it tells its peak on the last, has said so far. */
export function gather(child: ChildProcess): () => Omit<Measured, "code"> {
  const [stdout, stderr, peak] = ([1, 2, 3] as const).map((at) => {
    const texts: string[] = [];
    // These three are pipes that we read.
    (child.stdio[at] as Readable).setEncoding("utf8").on("data", (text: string) => texts.push(text));
    return () => texts.join("");
  }) as [() => string, () => string, () => string]; // one for each
  return () => ({ stdout: stdout(), stderr: stderr(), peakMb: Number(peak()) });
}
