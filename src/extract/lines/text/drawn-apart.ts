/** Checks whether class names say that two texts side by side are drawn apart. */
import type { ElementNode, TextNode } from "../../../document/tree.js";
import { classOf } from "../../bounded-attributes.js";
import { isForScreenReaders } from "../visible/for-listeners.js";
import { isFlexibleByStyle } from "../visible/visible.js";

/** Class names of boxes whose children are blocks (CSS Flexbox, section 4): of Bootstrap, Tailwind and Bulma. */
const FLEXIBLE = /(?:^|\s)(?:d-|is-)?(?:inline-)?(?:flex|grid)(?=\s|$)/;
/** Class names of blocks, floats, labels and buttons, and of elements with space around them, in the same libraries. */
const APART =
  /(?:^|\s)(?:(?:d-|is-|display-)?(?:block|flex|grid)|(?:pull|float)-(?:left|right|start|end)|badge|label|tag|btn|button|[mp][lrsex]-[1-9]\d?)(?=\s|$)/;

/** A text of one letter or digit, with the quote before it, may be a part of a word that is drawn letter by letter. */
const LONE = /^["'“‘«„]*[\p{L}\p{N}]?$/u;
const END = /[\p{L}\p{N}.!?)%]$/u;
const START = /^[\p{L}\p{N}(]/u;
/** Elements around each text that are looked at. */
const MAX_AROUND = 6;

/** Checks whether a class name, or the style of the box around both, draws a text apart from the text before it. */
export function isDrawnApart(
  { node: before, tail }: { readonly node: TextNode; readonly tail: string },
  { parent }: TextNode,
  text: string,
): boolean {
  if (!END.test(tail) || !START.test(text) || LONE.test(tail) || LONE.test(text)) return false;
  const left = openAround(before.parent);
  const right = openAround(parent);
  const around = right.find((element) => left.includes(element));
  if (around === undefined) return false;
  if (FLEXIBLE.test(classOf(around)) || isFlexibleByStyle(around)) return true;
  const crossed = [...left.slice(0, left.indexOf(around)), ...right.slice(0, right.indexOf(around))];
  // Words for screen readers may also end a word that others see cut short.
  const mayBeHeard = !/^\p{Ll}/u.test(text);
  return crossed.some((element) => {
    const names = classOf(element);
    return names !== "" && (APART.test(names) || (mayBeHeard && isForScreenReaders(names)));
  });
}

function openAround(element: ElementNode | null): ElementNode[] {
  const found: ElementNode[] = [];
  for (let open = element; open !== null && found.length < MAX_AROUND; open = open.parent) found.push(open);
  return found;
}
