/** Tells tables that set a point of a text behind its number, as laws of the European Union have them. */
import { isRow, type Group, type Leaf } from "./blocks.js";

/** "(a)", "(12)", "iv)", "3.", or a dash. */
const NUMBER = /^(?:\([\p{L}\d]{1,5}\)|[\p{L}\d]{1,5}[.)]|[—–•-])$/u;

/** The point as one paragraph; undefined where the table is more than one row of a number and a text. */
export function readPoint({ parts: [row, other] }: Group): Leaf | undefined {
  if (row === undefined || other !== undefined || !isRow(row)) return undefined;
  const [leaf, more] = row.parts;
  if (more !== undefined || leaf?.kind !== "leaf") return undefined;
  const [line, next] = leaf.lines;
  if (line?.block !== "tr" || next !== undefined) return undefined;
  const [number = "", text, another] = line.text.split("\t", 3);
  if (text === undefined || another !== undefined || !NUMBER.test(number)) return undefined;
  return { kind: "leaf", lines: [{ ...line, text: line.text.replace("\t", " "), block: "p" }] };
}
