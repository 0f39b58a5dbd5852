/** Runs the real command in a separate process, and measures its peak memory, for input made to exhaust it. */
import { spawn, type ChildProcess } from "node:child_process";
import { pipeline, Readable } from "node:stream";
import { BIN } from "./run.js";

export interface Measured {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The peak of resident memory, for all threads of the process. */
  readonly peakMb: number;
}

/** Runs in the process before the command, and writes the peak at its end to a pipe without other output. */
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
    // A command may stop reading early, which is not a failure of the test.
    pipeline(Readable.from(stdin ?? []), child.stdin, () => undefined);
  });
}

/** Collects the output so far of a process with four pipes, which writes its peak to the last. */
export function gather(child: ChildProcess): () => Omit<Measured, "code"> {
  const [stdout, stderr, peak] = ([1, 2, 3] as const).map((at) => {
    const texts: string[] = [];
    // We read these three pipes.
    (child.stdio[at] as Readable).setEncoding("utf8").on("data", (text: string) => texts.push(text));
    return () => texts.join("");
  }) as [() => string, () => string, () => string]; // one for each
  return () => ({ stdout: stdout(), stderr: stderr(), peakMb: Number(peak()) });
}
