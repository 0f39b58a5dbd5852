/** Shows the progress of a run: a line for each finished system, and a counter if stderr is a terminal. */
import type { BenchIo } from "./bench-options.js";

const REDRAW_MS = 200;

export class Progress {
  private counter = "";
  private drawnAt = 0;

  constructor(private readonly stderr: BenchIo["stderr"]) {}

  /** Writes a line that stays. */
  say(line: string): void {
    this.clear();
    this.stderr.write(`${line}\n`);
  }

  /** Writes a line that the next one replaces, at most once every 200 ms; only to a terminal. */
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
    // written as bytes, because control characters in strings are shown escaped
    this.stderr.write(Buffer.from(`\r${" ".repeat(this.counter.length)}\r`));
    this.counter = "";
  }
}
