/** Writes code as Markdown, in fences that are longer than any run of backticks inside, and without line numbers. */
import type { Line } from "../../../document.js";
import { joinCode } from "../code/code.js";

/** Writes a code block. The fence is longer than any run of backticks inside (CommonMark 0.31, 4.5). */
export function writeCode(lines: readonly Pick<Line, "text" | "spans">[], lang: string | undefined): string {
  const code = joinCode(lines, withoutDropped).replace(/^\n+/, "").trimEnd();
  if (code.trim() === "") return "";
  let longest = 2;
  for (const [run] of code.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = "`".repeat(longest + 1);
  return `${fence}${lang ?? ""}\n${code}\n${fence}`;
}

/** The text of a line without line numbers and other dropped spans. */
function withoutDropped({ text, spans = [] }: Pick<Line, "text" | "spans">): string {
  let code = "";
  let at = 0;
  for (const { kind, start, end } of spans) {
    if (kind !== "drop" || start < at) continue;
    code += text.slice(at, start);
    at = end;
  }
  return code + text.slice(at);
}

/** Writes indented text as a code span, which keeps the spaces at its start. */
export function writeIndented(code: string): string {
  const longest = code.match(/`+/g)?.reduce((most, run) => Math.max(most, run.length), 0) ?? 0;
  const fence = "`".repeat(longest + 1);
  return `${fence}${code}${code.endsWith("`") ? " " : ""}${fence}`;
}
