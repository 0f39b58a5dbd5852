/** Takes a paragraph each of whose lines is code for the block of code that it is: `<p><code>a<br>b</code></p>`. */
import { isHeadingTag, type LabelledLine } from "../../document.js";
import type { Leaf } from "./blocks.js";

/** The same lines, or a block of code in its place; a single line of code is a part of a text. */
export function raiseCode(leaf: Leaf): Leaf {
  const { lines } = leaf;
  if (lines.length < 2 || !lines.every(isCode)) return leaf;
  return { kind: "leaf", lines: lines.map((line) => ({ ...line, block: "pre" as const })) };
}

/** Cells have their text in one line, whatever it is. */
const NO_CODE: ReadonlySet<string> = new Set(["tr", "td", "th"]);

function isCode({ block, text, spans }: LabelledLine): boolean {
  if (spans === undefined || NO_CODE.has(block) || isHeadingTag(block)) return false;
  return spans.some(({ kind, start, end }) => kind === "code" && start === 0 && end === text.length);
}
