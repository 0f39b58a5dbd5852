/** Sets how V8 runs in a process that cleans many pages. */
import { setFlagsFromString } from "node:v8";

// What V8 sees of the first pages can make it put the parts of every later one where only a full collection finds them,
// and all that they hold stays with them: seen to take 25 % of the speed of a process for good.
const OPTIONS = ["--no-allocation-site-pretenuring"];
// A function is optimized once it has run for four times as long as usual. That saves an eighth of the CPU time of the first
// 120 pages, most of which is for functions that are optimized too early, and again; later pages lose nothing (docs/speed.md).
// V8 of Node.js 22 and later counts otherwise: it knows no such option, and says so on stderr.
if (Number.parseInt(process.versions.v8, 10) < 12) OPTIONS.push("--interrupt-budget=270336");

/** To be called as soon as the process starts. */
export function runSteadily(): void {
  for (const option of OPTIONS) setFlagsFromString(option);
}
