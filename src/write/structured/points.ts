/** Recognises tables that set a numbered point of a text beside its number, as in laws of the European Union. */
import { isRow, type Group, type Part } from "./blocks.js";
import { cutLine, leadLine } from "./inline.js";

/** "(a)", "(12)", "iv)", "3.", or a dash. */
const NUMBER = /^(?:\([\p{L}\d]{1,5}\)|[\p{L}\d]{1,5}[.)]|[—–-])$/u;

/** The parts of the point, in which its text follows the number; undefined if the table is not a single row of both. */
export function readPoint({ parts: [row, other] }: Group): Part[] | undefined {
  if (row === undefined || other !== undefined || !isRow(row)) return undefined;
  const [leaf, more] = row.parts;
  if (more !== undefined) return readLongPoint(row.parts);
  if (leaf?.kind !== "leaf") return undefined;
  const [whole, next] = leaf.lines;
  if (whole?.block !== "tr" || next !== undefined) return undefined;
  // An empty cell before the number indents it.
  const indent = whole.text.search(/[^\t]/);
  const line = indent > 0 ? cutLine(whole, [indent, whole.text.length]) : whole;
  const [number = "", text, another] = line.text.split("\t", 3);
  if (text === undefined || another !== undefined || !NUMBER.test(number)) return undefined;
  return [{ kind: "leaf", lines: [{ ...line, text: line.text.replace("\t", " "), block: "p" }] }];
}

/** Reads a point whose text is several blocks, such as points in it. */
function readLongPoint([cell, body, other]: readonly Part[]): Part[] | undefined {
  if (cell?.kind !== "group" || body?.kind !== "group" || other !== undefined) return undefined;
  const [number, more] = cell.parts;
  const [first, ...rest] = body.parts;
  if (number?.kind !== "leaf" || more !== undefined || first?.kind !== "leaf") return undefined;
  const [mark, another] = number.lines;
  const [line, ...lines] = first.lines;
  if (mark === undefined || another !== undefined || !NUMBER.test(mark.text)) return undefined;
  if (line === undefined || !TEXT_BLOCKS.has(line.block)) return undefined;
  const led = leadLine(line, `${mark.text} `);
  return [{ kind: "leaf", lines: [{ ...led, block: "p" }, ...lines] }, ...rest];
}

/** Blocks of a text that a number may be written before. */
const TEXT_BLOCKS: ReadonlySet<string> = new Set(["p", "td", "div"]);
