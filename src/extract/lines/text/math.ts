/** Finds the marks that an element of MathML needs in a formula on one line: `a/b`, `x^2`, `(a+b)/c`. */
import type { ElementNode } from "../../../document/tree.js";

/** What is written before the second and the third part of a formula. */
const MARKS: ReadonlyMap<string, readonly string[]> = new Map([
  ["mfrac", ["/"]],
  ["msup", ["^"]],
  ["msub", ["_"]],
  ["msubsup", ["_", "^"]],
]);
/** Child nodes that are read: a formula has three parts at most, with whitespace between them. */
const MAX_NODES = 8;

interface MathMarks {
  readonly before: string;
  readonly after: string;
}

/** Returns the marks before and after an element of a formula; undefined if it needs no marks. */
export function findMathMarks(element: ElementNode): MathMarks | undefined {
  if (element.tag === "msqrt") return { before: "√(", after: ")" };
  const { parent } = element;
  const marks = parent?.namespace === "mathml" ? MARKS.get(parent.tag) : undefined;
  if (parent === null || marks === undefined) return undefined;
  const parts = parent.children.slice(0, MAX_NODES).filter(({ kind }) => kind === "element");
  const mark = marks[parts.indexOf(element) - 1] ?? "";
  const isGroup = element.children.filter(({ kind }) => kind === "element").length > 1;
  return isGroup ? { before: `${mark}(`, after: ")" } : mark === "" ? undefined : { before: mark, after: "" };
}
