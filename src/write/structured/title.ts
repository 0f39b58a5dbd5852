/** Puts the title of a page above its text if the text does not begin with it. */
import type { Document, LabelledLine } from "../../document.js";
import type { ShownLine } from "../shown-lines.js";
import { isHeading } from "./blocks.js";

interface Titled {
  /** The title, if no shown line repeats it. */
  readonly title?: string;
  readonly shown: readonly ShownLine<LabelledLine>[];
}

/** The title is moved above at most this many characters: a date, a byline, a list of sections. */
const MAX_ABOVE = 400;

/** Adds no title to an empty document, or to one that was read from text. */
export function placeTitle(
  { meta: { title }, source }: Document<LabelledLine>,
  shown: readonly ShownLine<LabelledLine>[],
): Titled {
  const [first] = shown;
  if (first === undefined || source === "text") return { shown };
  if (isRepeated(shown, title)) return { shown: setApart(shown.slice(1)) };
  const at = shown.findIndex(({ line }) => line.block === "h1");
  const isBelow = !isSame(first.line.text, title) && isSame(shown[at]?.line.text, title);
  if (at === 0 || (!isBelow && isHeadline(first.line.text, title))) return { shown: raise(shown) };
  if (at > 0) {
    const end = endOfHeading(shown, at);
    const texts = shown.slice(at, end).map(({ line }) => line.text);
    const isTitle = [texts[0] ?? "", texts.join(" ")].some((text) => isHeadline(text, title));
    if (title !== undefined && !isTitle) return { title, shown };
    const above = shown.slice(0, at).reduce((sum, { line }) => sum + line.text.length, 0);
    return above > MAX_ABOVE ? { shown } : { shown: moveUp(shown, at, end) };
  }
  return title === undefined ? { shown } : { title, shown };
}

/** The end of the heading that begins at `at`; one with line breaks has several lines. */
function endOfHeading(shown: readonly ShownLine<LabelledLine>[], at: number): number {
  let end = at + 1;
  while (shown[end]?.gap === "line" && shown[end]?.line.block === "h1") end += 1;
  return end;
}

/** Whether the first line, as of a trail of links, is the title that the heading below it repeats. */
function isRepeated([first, second]: readonly ShownLine<LabelledLine>[], title: string | undefined): boolean {
  if (first === undefined || second === undefined || isHeading(first.line) || !isHeading(second.line))
    return false;
  // Pictures that are before either line keep them apart.
  const spans = [...(first.line.spans ?? []), ...(second.line.spans ?? [])];
  return (
    isSame(first.line.text, second.line.text) &&
    isHeadline(first.line.text, title) &&
    !spans.some(({ isAlone }) => isAlone === true)
  );
}

/** Makes the first line, which is the title, a heading if it is none. */
function raise(shown: readonly ShownLine<LabelledLine>[]): readonly ShownLine<LabelledLine>[] {
  const [first, ...others] = shown;
  if (first === undefined || isHeading(first.line)) return shown;
  const line = withoutHolder(first.line);
  return [{ ...first, line: { ...line, block: "h1" } }, ...setApart(others)];
}

function withoutHolder(line: LabelledLine): LabelledLine {
  const { text, path, linkChars, breakBefore, score, label, block } = line;
  const { spans = [], links = [] } = line;
  return { text, path, linkChars, breakBefore, score, label, block, spans, links };
}

function moveUp(
  shown: readonly ShownLine<LabelledLine>[],
  at: number,
  end: number,
): ShownLine<LabelledLine>[] {
  const [head, ...others] = shown
    .slice(at, end)
    .map((entry) => ({ ...entry, line: withoutHolder(entry.line) }));
  const title = head === undefined ? [] : [{ ...head, gap: "none" } as const, ...others];
  return [...title, ...setApart(shown.slice(0, at)), ...setApart(shown.slice(end))];
}

/** Makes the first of the lines begin a new block. */
function setApart(shown: readonly ShownLine<LabelledLine>[]): ShownLine<LabelledLine>[] {
  return shown.map((entry, at) => (at === 0 ? { ...entry, gap: "block" } : entry));
}

/** Whether a text is the title, or either is most of the other. */
function isHeadline(text: string, title: string | undefined): boolean {
  if (title === undefined) return false;
  const [one, other] = [normalise(text), normalise(title)];
  if (one === "" || other === "") return false;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short === long || (long.includes(short) && short.length * 2 > long.length);
}

function isSame(one = "", other = ""): boolean {
  return normalise(one) === normalise(other);
}

function normalise(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
