/** Counts the tags on the path of a line. */
import type { Line } from "../../../document.js";

/** The fields of a line that BoilerNet's tag counts need. */
type PlacedText = Pick<Line, "text" | "path" | "linkChars">;

/** The step that replaces the steps that a long path leaves out. */
const LEFT_OUT = "…";
const LINK = "a";

/**
 * Counts each tag on the path of a line. A line is a block, and elements inside it are not on its path. Links count
 * nevertheless, by their share of the text, which is like the mean over the leaves of the line.
 */
export function countTags({ text, path, linkChars }: PlacedText): Map<string, number> {
  const counts = new Map<string, number>();
  for (const step of path === "" ? [] : path.split(">")) {
    if (step === LEFT_OUT) continue;
    const tag = tagOf(step);
    counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  if (linkChars > 0 && !counts.has(LINK)) counts.set(LINK, Math.min(1, linkChars / Math.max(1, text.length)));
  return counts;
}

/** Adds the counts of `tags` to `values` from the index `base` on, and the count of all other tags after them. */
export function fillTags(
  line: PlacedText,
  tags: ReadonlyMap<string, number>,
  { values, base }: { readonly values: Float32Array; readonly base: number },
): void {
  for (const [tag, count] of countTags(line)) {
    const at = base + (tags.get(tag) ?? tags.size);
    values[at] = (values[at] ?? 0) + count;
  }
}

/** A step begins with its tag: "div#main.wide[role=main]". */
function tagOf(step: string): string {
  const end = step.search(/[#.[]/);
  return end < 0 ? step : step.slice(0, end);
}
