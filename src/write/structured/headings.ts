/** Turns lines into headings if they are in a block inside a heading, or in an element with the role of a heading. */
import {
  isHeadingTag,
  type Document,
  type HeadingTag,
  type Holder,
  type LabelledLine,
} from "../../document.js";

/**
 * The largest number of lines in a heading, such as a section's name and its title; a heading with more is a box of
 * facts.
 */
const MAX_LINES = 2;

/** The holders of a page that are headings. */
interface Headings {
  readonly holders: readonly Holder[];
  /** The number of lines in each heading, by holder. */
  readonly lines: Map<number, number>;
}

/** Marks the lines of a document that are in a heading with its block. */
export function raiseHeadings(doc: Document<LabelledLine>): Document<LabelledLine> {
  const { holders } = doc;
  if (holders === undefined || !holders.some((holder) => tagOf(holder) !== undefined)) return doc;
  const headings: Headings = { holders, lines: new Map() };
  for (const { holder } of doc.lines) {
    const at = findHeading(holders, holder);
    if (at !== undefined) headings.lines.set(at, (headings.lines.get(at) ?? 0) + 1);
  }
  let before: number | undefined;
  const lines = doc.lines.map((line) => {
    const heading = headingOf(line, headings);
    const isSame = heading !== undefined && heading === before;
    before = heading;
    if (heading === undefined) return line;
    const raised = raise(line, holders, heading);
    return isSame ? { ...raised, breakBefore: "line" as const } : raised;
  });
  return { ...doc, lines };
}

/** Moves a line, and the images in it, out of the heading's holder. */
function raise(line: LabelledLine, holders: readonly Holder[], heading: number): LabelledLine {
  const { spans, holder, block } = line;
  const move = (at: number | undefined): number => {
    const from = findHeading(holders, at);
    return from === undefined ? (at ?? -1) : (holders[from]?.parent ?? -1);
  };
  const keepsBlock = block === "pre" || block === "tr";
  return {
    ...line,
    ...(spans !== undefined && { spans: spans.map((span) => ({ ...span, holder: move(span.holder) })) }),
    block: keepsBlock ? block : (tagOf(holders[heading]) ?? block),
    holder: move(holder),
  };
}

function headingOf({ holder }: LabelledLine, { holders, lines }: Headings): number | undefined {
  const at = findHeading(holders, holder);
  return at !== undefined && (lines.get(at) ?? 0) <= MAX_LINES ? at : undefined;
}

/** The outermost of the headings that are nested directly around a line. */
function findHeading(holders: readonly Holder[], at: number | undefined): number | undefined {
  let found: number | undefined;
  for (let id = at; id !== undefined && tagOf(holders[id]) !== undefined; id = holders[id]?.parent)
    found = id;
  return found;
}

function tagOf(holder: Holder | undefined): HeadingTag | undefined {
  return holder !== undefined && isHeadingTag(holder.tag) ? holder.tag : undefined;
}
