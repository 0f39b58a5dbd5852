/** Tells people how far a run has come: a line for each system that is done, and a counter where stderr is a terminal. */
import type { BenchIo } from "./bench-options.js";

const REDRAW_MS = 200;

export class Progress {
  private counter = "";
  private drawnAt = 0;

  constructor(private readonly stderr: BenchIo["stderr"]) {}

  /** A line that stays. */
  say(line: string): void {
    this.clear();
    this.stderr.write(`${line}\n`);
  }

  /** A line that the next one replaces. */
  count(text: string): void {
    const now = performance.now();
    if (this.stderr.isTTY !== true || now - this.drawnAt < REDRAW_MS) return;
    this.clear();
    this.drawnAt = now;
    this.counter = text;
    this.stderr.write(text);
  }

  clear(): void {
    if (this.counter === "") return;
    // As bytes, because control characters of strings are shown escaped.
    this.stderr.write(Buffer.from(`\r${" ".repeat(this.counter.length)}\r`));
    this.counter = "";
  }
}
