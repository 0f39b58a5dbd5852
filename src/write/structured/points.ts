/** Recognises tables that set a numbered point of a text beside its number, as in laws of the European Union. */
import { isRow, type Group, type Leaf } from "./blocks.js";
import { cutLine } from "./inline.js";

/** "(a)", "(12)", "iv)", "3.", or a dash. */
const NUMBER = /^(?:\([\p{L}\d]{1,5}\)|[\p{L}\d]{1,5}[.)]|[—–-])$/u;

/** The point as one paragraph; undefined if the table is not a single row of a number and a text. */
export function readPoint({ parts: [row, other] }: Group): Leaf | undefined {
  if (row === undefined || other !== undefined || !isRow(row)) return undefined;
  const [leaf, more] = row.parts;
  if (more !== undefined || leaf?.kind !== "leaf") return undefined;
  const [whole, next] = leaf.lines;
  if (whole?.block !== "tr" || next !== undefined) return undefined;
  // An empty cell before the number indents it.
  const indent = whole.text.search(/[^\t]/);
  const line = indent > 0 ? cutLine(whole, [indent, whole.text.length]) : whole;
  const [number = "", text, another] = line.text.split("\t", 3);
  if (text === undefined || another !== undefined || !NUMBER.test(number)) return undefined;
  return { kind: "leaf", lines: [{ ...line, text: line.text.replace("\t", " "), block: "p" }] };
}
