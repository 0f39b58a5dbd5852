/** Turns a paragraph whose lines are all code into a code block: `<p><code>a<br>b</code></p>`. */
import { isHeadingTag, type LabelledLine } from "../../../document.js";
import type { Leaf } from "../blocks.js";

/** Returns the lines as a code block, or the leaf unchanged. A single line of code stays in its paragraph. */
export function raiseCode(leaf: Leaf): Leaf {
  const { lines } = leaf;
  if (lines.length < 2 || !lines.every(isCode)) return leaf;
  return { kind: "leaf", lines: lines.map((line) => ({ ...line, block: "pre" as const })) };
}

/** Table cells are left as they are, because their text is always one line. */
const NO_CODE: ReadonlySet<string> = new Set(["tr", "td", "th"]);

function isCode({ block, text, spans }: LabelledLine): boolean {
  if (spans === undefined || NO_CODE.has(block) || isHeadingTag(block)) return false;
  return spans.some(({ kind, start, end }) => kind === "code" && start === 0 && end === text.length);
}
