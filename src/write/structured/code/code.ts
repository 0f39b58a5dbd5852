/** Finds the lines of code blocks, and joins them. */
import type { LabelledLine, Line } from "../../../document.js";
import type { Group, Part } from "../blocks.js";

/** The lines of a `pre`; undefined for any other group, and for a `pre` that holds more than code. */
export function readCodeLines({ holder, parts }: Group): LabelledLine[] | undefined {
  if (holder.tag !== "pre" || !parts.every(isCode)) return undefined;
  return parts.flatMap((part) => (part.kind === "leaf" ? part.lines : []));
}

function isCode(part: Part): boolean {
  return part.kind === "leaf" && part.lines.every(({ block }) => block === "pre" || block === "li");
}

/**
 * Joins chunks of code. A chunk that continues in the next one ends with its line breaks; other chunks get one between
 * them.
 */
export function joinCode<T>(chunks: readonly T[], read: (chunk: T) => string): string {
  const code: string[] = [];
  for (const chunk of chunks) {
    const text = read(chunk);
    if (text !== "") code.push(code.at(-1)?.endsWith("\n") === false ? `\n${text}` : text);
  }
  return code.join("");
}

/** The text of a line of code without line numbers and other dropped spans, and without the space behind each of them. */
export function withoutNumbers({ text, spans = [] }: Pick<Line, "text" | "spans">): string {
  const dropped = spans.filter(({ kind }) => kind === "drop");
  const gap = dropped.length > 1 && dropped.every(({ end }) => /^[ \n]?$/.test(text.charAt(end))) ? " " : "";
  let code = "";
  let at = 0;
  for (const { start, end } of dropped) {
    if (start < at) continue;
    code += text.slice(at, start);
    at = end + (text.startsWith(gap, end) ? gap.length : 0);
  }
  return code + text.slice(at);
}
