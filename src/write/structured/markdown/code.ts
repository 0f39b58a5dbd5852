/** Writes code as Markdown, in fences that are longer than any run of backticks inside, and without line numbers. */
import type { Line } from "../../../document.js";
import { joinCode, shownCode } from "../code/code.js";

/** Writes a code block. */
export function writeCode(lines: readonly Pick<Line, "text" | "spans">[], lang: string | undefined): string {
  const code = joinCode(lines, shownCode).replace(/^\n+/, "").trimEnd();
  if (code.trim() === "") return "";
  const fence = fenceOf(code, 3);
  return `${fence}${lang ?? ""}\n${code}\n${fence}`;
}

/** Writes indented text as a code span, which keeps the spaces at its start. */
export function writeIndented(code: string): string {
  const fence = fenceOf(code, 1);
  return `${fence}${code}${code.endsWith("`") ? " " : ""}${fence}`;
}

/** A fence of at least `least` backticks that is longer than any run of them in the code (CommonMark 0.31, 4.5 and 6.1). */
function fenceOf(code: string, least: number): string {
  const runs = code.match(/`+/g) ?? [];
  return "`".repeat(runs.reduce((length, run) => Math.max(length, run.length + 1), least));
}
