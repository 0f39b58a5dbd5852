/** Makes headings of lines that lie in a block inside of one, or in a box whose role is to be one. */
import {
  isHeadingTag,
  type Document,
  type HeadingTag,
  type Holder,
  type LabelledLine,
} from "../../document.js";

/** Lines of one heading, as a section's name and its title; a heading that has more is a box of facts. */
const MAX_LINES = 2;

/** What is known of the headings among the holders of a page. */
interface Headings {
  readonly holders: readonly Holder[];
  /** How many lines each has. */
  readonly lines: Map<number, number>;
}

/** A document whose lines say themselves that they are headings; all structured formats begin with this. */
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

/** What is drawn in a heading leaves it as well, and stays beside the line. */
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

/** The outermost of the headings right around a line. */
function findHeading(holders: readonly Holder[], at: number | undefined): number | undefined {
  let found: number | undefined;
  for (let id = at; id !== undefined && tagOf(holders[id]) !== undefined; id = holders[id]?.parent)
    found = id;
  return found;
}

function tagOf(holder: Holder | undefined): HeadingTag | undefined {
  return holder !== undefined && isHeadingTag(holder.tag) ? holder.tag : undefined;
}
