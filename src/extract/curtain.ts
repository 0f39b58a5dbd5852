/** A page into the element that hides all of it, or its main content, until a script has run, if there is one. */
import type { ElementNode, ParsedPage } from "../tree.js";
import { isBlank } from "./characters.js";
import { findHiddenMain } from "./hidden-main.js";
import { isHiddenByPage, isHiddenByTag, isInvisible } from "./visible.js";

/** A curtain before the whole page hides at least so many characters, and so many times what stands outside of it. */
const MIN_CHARACTERS = 200;
const MIN_RATIO = 4;

/**
 * Pages hide their body, or a box around all of it, against flicker, and show it from a script. That hides nothing from
 * a reader. A box is told from closed menus by how little stands outside of it: nothing at all, or little where the box
 * is only invisible. (Of 5,492 pages of the gold sets four hide most of their text in a box: an invisible one and one
 * with `display: none` and nothing outside are the page, two with `display: none` are a menu and an advertisement.)
 * Others so hide what stands below their header: see `hidden-main.ts`.
 */
export function findCurtain({ root }: ParsedPage): ElementNode | undefined {
  const hidden: ElementNode[] = [];
  const shown = countText(root, (element) => {
    if (isHiddenByPage(element)) hidden.push(element);
    else return true;
    return false;
  });
  return chooseCurtain(root, hidden, shown);
}

/**
 * Of the elements that the page itself hides, in order and without those inside of others, the one that is a curtain;
 * `shown` counts the characters outside of all of them. Pages that hide nothing are not read again.
 */
export function chooseCurtain(
  root: ElementNode,
  hidden: readonly ElementNode[],
  shown: number,
): ElementNode | undefined {
  if (hidden.length === 0) return undefined;
  return hidden.find((element) => isWholePage(element, shown)) ?? findHiddenMain(root, hidden);
}

function isWholePage(element: ElementNode, shown: number): boolean {
  if (!canBeWholePage(element, shown)) return false;
  const characters = countText(element, () => true);
  return characters >= MIN_CHARACTERS && characters >= MIN_RATIO * shown;
}

/** Whether a hidden element may be one, where so much or more text stands outside of it. */
function canBeWholePage(element: ElementNode, shown: number): boolean {
  const { tag } = element;
  if (shown === 0 || tag === "html" || tag === "body") return true;
  return !element.attributes.has("hidden") && isInvisible(element);
}

/** The characters of all text nodes that are not blank, below the elements that are not hidden by tag and that `enters` takes. */
function countText(root: ElementNode, enters: (element: ElementNode) => boolean): number {
  let characters = 0;
  const open = [{ element: root, next: 0 }];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const child = top.element.children[top.next];
    top.next += 1;
    if (child === undefined) open.pop();
    else if (child.kind === "text") {
      if (!isBlank(child.value)) characters += child.value.length;
    } else if (!isHiddenByTag(child) && enters(child)) open.push({ element: child, next: 0 });
  }
  return characters;
}
