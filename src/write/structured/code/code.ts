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

/** The text of a line of code without its dropped spans. */
export function shownCode({ text, spans = [] }: Pick<Line, "text" | "spans">): string {
  let code = "";
  let at = 0;
  for (const { kind, start, end } of spans) {
    if (kind !== "drop" || start < at) continue;
    code += text.slice(at, start);
    at = end;
  }
  return code + text.slice(at);
}
