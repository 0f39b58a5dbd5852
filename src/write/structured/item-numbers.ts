/**
 * Drops the numbers of list items that the page shows as text, because a list numbers its items itself. A list with
 * bullets whose items begin with 1, 2, 3 becomes a numbered one.
 */
import type { Document, Holder, LabelledLine } from "../../document.js";
import { isContent } from "../shown-lines.js";

/** A number as pages show it: `1`, `01`, `1.`. */
const NUMBER = /^0{0,2}(\d{1,3})[.)]?$/;
/** A number at the beginning of an item's text. */
const LEAD = /^0{0,2}(\d{1,3})[.)]\s+(?=\S)/;

export function leaveItemNumbers(listed: Document<LabelledLine>): Document<LabelledLine> {
  const doc = numberItems(listed);
  const { holders } = doc;
  if (holders === undefined || !doc.lines.some(hasNumber)) return doc;
  const dropped = new Map<LabelledLine, number>();
  const lines = doc.lines.filter(isContent);
  for (const [at, line] of lines.entries()) {
    if (!isNumber(line)) continue;
    const item = findAround(line.holder, holders, isItem);
    const goesOn = findAround(lines[at + 1]?.holder, holders, (around) => around === item) !== undefined;
    if (goesOn) dropped.set(line, line.text.length);
  }
  for (const numbered of listsOf(lines, holders))
    if (numbered.length > 1 && numbered.every(isLed))
      for (const line of numbered) dropped.set(line, LEAD.exec(line.text)?.[0].length ?? 0);
  if (dropped.size === 0) return doc;
  return { ...doc, lines: doc.lines.map((line) => drop(line, dropped.get(line))) };
}

/** Makes lists with bullets numbered ones if their items begin with numbers one after the other. */
function numberItems(doc: Document<LabelledLine>): Document<LabelledLine> {
  const { holders } = doc;
  if (holders === undefined || !doc.lines.some(isTyped)) return doc;
  const firsts = new Map<Holder, LabelledLine>();
  for (const line of doc.lines) {
    const item = isContent(line) ? findAround(line.holder, holders, isItem) : undefined;
    if (item !== undefined && !firsts.has(item)) firsts.set(item, line);
  }
  const lists = new Map<number, LabelledLine[]>();
  for (const [{ parent = -1 }, line] of firsts) {
    const known = lists.get(parent);
    if (known === undefined) lists.set(parent, [line]);
    else known.push(line);
  }
  const numbers = new Map<LabelledLine, number>();
  const numbered = holders.map((holder, at) => {
    const lines = holder.tag === "ul" ? (lists.get(at) ?? []) : [];
    if (lines.length < 2 || !lines.every((line, index) => isTyped(line) && readLead(line) === index + 1))
      return holder;
    for (const [index, line] of lines.entries()) numbers.set(line, index + 1);
    return { ...holder, tag: "ol" as const };
  });
  if (numbers.size === 0) return doc;
  const lines = doc.lines.map((line) => {
    const number = numbers.get(line);
    return number === undefined ? line : { ...line, number };
  });
  return { ...doc, holders: numbered, lines };
}

/** Checks whether the line is of a list with bullets and begins with a number. */
function isTyped(line: LabelledLine): boolean {
  return line.holder !== undefined && line.number === undefined && LEAD.test(line.text);
}

function readLead({ text }: LabelledLine): number {
  return Number(LEAD.exec(text)?.[1]);
}

function hasNumber(line: LabelledLine): boolean {
  return isNumber(line) || isLed(line);
}

/** Checks whether the line is nothing but the number of its item. */
function isNumber({ text, number }: LabelledLine): boolean {
  return number !== undefined && Number(NUMBER.exec(text)?.[1]) === number;
}

/** Checks whether the line begins with the number of its item. */
function isLed(line: LabelledLine): boolean {
  return line.number !== undefined && readLead(line) === line.number;
}

/** The first lines of the numbered items, list by list. */
function listsOf(lines: readonly LabelledLine[], holders: readonly Holder[]): Iterable<LabelledLine[]> {
  const lists = new Map<number, LabelledLine[]>();
  for (const line of lines) {
    if (line.number === undefined) continue;
    const list = findAround(line.holder, holders, isItem)?.parent ?? -1;
    const known = lists.get(list);
    if (known === undefined) lists.set(list, [line]);
    else known.push(line);
  }
  return lists.values();
}

function isItem({ tag }: Holder): boolean {
  return tag === "li";
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

/** Drops the first characters of a line. */
function drop(line: LabelledLine, end: number | undefined): LabelledLine {
  if (end === undefined) return line;
  const behind = (line.spans ?? [])
    .filter((span) => span.end > end || span.start === span.end)
    .map((span) => (span.start < end && span.end > end ? { ...span, start: end } : span));
  return { ...line, spans: [{ kind: "drop", start: 0, end }, ...behind] };
}
