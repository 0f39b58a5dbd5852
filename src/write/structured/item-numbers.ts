/** Drops the number of a list item that the page shows in a line of its own, because a list numbers its items itself. */
import type { Document, Holder, LabelledLine } from "../../document.js";
import { isContent } from "../shown-lines.js";

/** A number as pages show it: `1`, `01`, `1.`. */
const NUMBER = /^0{0,2}(\d{1,3})[.)]?$/;

export function leaveItemNumbers(doc: Document<LabelledLine>): Document<LabelledLine> {
  const { holders } = doc;
  if (holders === undefined || !doc.lines.some(isNumber)) return doc;
  const dropped = new Set<LabelledLine>();
  const lines = doc.lines.filter(isContent);
  for (const [at, line] of lines.entries()) {
    if (!isNumber(line)) continue;
    const item = findAround(line.holder, holders, ({ tag }) => tag === "li");
    const goesOn = findAround(lines[at + 1]?.holder, holders, (around) => around === item) !== undefined;
    if (goesOn) dropped.add(line);
  }
  if (dropped.size === 0) return doc;
  return { ...doc, lines: doc.lines.map((line) => (dropped.has(line) ? drop(line) : line)) };
}

/** Checks whether the line is nothing but the number of its item. */
function isNumber({ text, number }: LabelledLine): boolean {
  return number !== undefined && Number(NUMBER.exec(text)?.[1]) === number;
}

/** Returns the first holder that fits: the given one, or one around it. */
function findAround(
  holder: number | undefined,
  holders: readonly Holder[],
  fits: (holder: Holder) => boolean,
): Holder | undefined {
  let around = holders[holder ?? -1];
  while (around !== undefined && !fits(around)) around = holders[around.parent ?? -1];
  return around;
}

function drop(line: LabelledLine): LabelledLine {
  const { length } = line.text;
  return { ...line, spans: [{ kind: "drop", start: 0, end: length }] };
}
