/** Finds cents that are raised beside a price, without the point between them: `$12<sup>99</sup>`. */
import type { ElementNode } from "../../../document/tree.js";
import { classOf } from "../../bounded-attributes.js";
import { smallTextOf } from "../visible/small-text.js";

/** A sum that lacks its cents, with or without the point before them. */
const SUM = /(\p{Sc})\s?(?:\d{1,3}(?:[.,]\d{3})+|\d+)([.,]?)\s*$/u;
const PRICE_CLASS = /price|amount|cost|cents/i;
/** Numbers of notes are less than these. */
const USUAL_CENTS = /^(?:00|49|[5-9]\d)$/;
/** The most characters and nodes that are read in an element, and nodes before the cents. */
const SMALL = { maxText: 20, maxNodes: 8 };
const MAX_BEFORE = 4;
/** The most children of a parent, because each raised one is looked for among them. */
const MAX_SIBLINGS = 500;

/**
 * Returns the sign that is missing before the cents: a comma for euros, else a point, or "" if the page has it.
 * Undefined if the element is anything else, such as a power or the number of a note.
 */
export function readCents(raised: ElementNode): string | undefined {
  const { parent, children } = raised;
  const [only, other] = children;
  if (parent === null || only?.kind !== "text" || other !== undefined || !/^\s*\d\d\s*$/.test(only.value))
    return undefined;
  if (!USUAL_CENTS.test(only.value.trim()) && !PRICE_CLASS.test(`${classOf(raised)} ${classOf(parent)}`))
    return undefined;
  if (parent.children.length > MAX_SIBLINGS) return undefined;
  const at = parent.children.indexOf(raised);
  const before = parent.children
    .slice(Math.max(0, at - MAX_BEFORE), at)
    .map((node) => (node.kind === "text" ? node.value.slice(-SMALL.maxText) : smallTextOf(node, SMALL)))
    .join("");
  const [, currency, point] = SUM.exec(before) ?? [];
  if (currency === undefined || point === undefined) return undefined;
  return point !== "" ? "" : currency === "€" ? "," : ".";
}
