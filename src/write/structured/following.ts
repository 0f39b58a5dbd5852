/** Keeps images that follow a shown line if the line that they are recorded with is not shown. */
import type { InlineSpan, LabelledLine } from "../../document.js";
import type { ShownLine } from "../shown-lines.js";

/** Returns the shown lines, and these images as lines without text. */
export function addFollowing(
  lines: readonly LabelledLine[],
  shown: readonly ShownLine<LabelledLine>[],
): readonly ShownLine<LabelledLine>[] {
  const following = findFollowing(lines, shown);
  if (following.size === 0) return shown;
  return shown.flatMap((entry) => [entry, ...(following.get(entry.line) ?? [])]);
}

/** Finds these images by the line before them. Captions are skipped, so that images can follow each other. */
function findFollowing(
  lines: readonly LabelledLine[],
  shown: readonly ShownLine<LabelledLine>[],
): Map<LabelledLine, ShownLine<LabelledLine>[]> {
  const found = new Map<LabelledLine, ShownLine<LabelledLine>[]>();
  if (shown.length === lines.length) return found;
  let isShown: Set<LabelledLine> | undefined;
  let before: LabelledLine | undefined;
  for (const line of lines) {
    const images = line.spans?.filter(({ follows }) => follows === true) ?? [];
    if (images.length > 0 && before !== undefined) {
      isShown ??= new Set(shown.map((entry) => entry.line));
      if (isShown.has(before) && !isShown.has(line)) {
        const entries = found.get(before) ?? [];
        found.set(before, [...entries, ...images.map(drawLike(before))]);
      }
    }
    if (line.block !== "figcaption") before = line;
  }
  return found;
}

/** Returns a function that shows an image or formula as a line without text, with the score and label of a line. */
export function drawLike({ score, label }: LabelledLine): (span: InlineSpan) => ShownLine<LabelledLine> {
  const place = { path: "", linkChars: 0, breakBefore: "block", block: "figure" } as const;
  return (span) => {
    const { holder } = span;
    const spans = [{ ...span, start: 0, end: 0 }];
    const line = { ...place, score, label, text: "", spans, ...(holder === undefined ? {} : { holder }) };
    return { line, gap: "block" };
  };
}
