/** Counts the tags on the path of a line. */
import type { Line } from "../../../document.js";

/** What BoilerNet reads of the place of a line. */
type PlacedText = Pick<Line, "text" | "path" | "linkChars">;

/** The step in place of those that a long path leaves out. */
const LEFT_OUT = "…";
const LINK = "a";

/**
 * How often each tag is on the path of a line. A line is a block: what is inside of it is not on its path, but for
 * links, which count by the share of the text that they hold, as the mean over the line's leaves would.
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

/** Writes the counts of `tags` from place `base` on, and that of all other tags after them. */
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
