/** A page into the element that hides the whole of it until a script has run, if there is one. */
import type { ElementNode, ParsedPage } from "../tree.js";
import { isBlank } from "./characters.js";
import { isHiddenByPage, isHiddenByTag, isInvisible } from "./visible.js";

/** A curtain hides at least so many characters, and so many times what stands outside of it. */
const MIN_CHARACTERS = 200;
const MIN_RATIO = 4;

/**
 * Pages hide their body, or a box around all of it, against flicker, and show it from a script. That hides nothing from
 * a reader. A box is told from closed menus by how little stands outside of it: nothing at all, or little where the box
 * is only invisible. (Of 5,492 pages of the gold sets four hide most of their text in a box: an invisible one and one
 * with `display: none` and nothing outside are the page, two with `display: none` are a menu and an advertisement.)
 */
export function findCurtain(page: ParsedPage): ElementNode | undefined {
  const hidden: ElementNode[] = [];
  const shown = countText(page.root, (element) => {
    if (isHiddenByPage(element)) hidden.push(element);
    else return true;
    return false;
  });
  return chooseCurtain(hidden, shown);
}

/**
 * Of the elements that the page itself hides, in order and without those inside of others, the one that is a curtain;
 * `shown` counts the characters outside of all of them.
 */
export function chooseCurtain(hidden: readonly ElementNode[], shown: number): ElementNode | undefined {
  return hidden.find((element) => {
    if (!canBeCurtain(element, shown)) return false;
    const characters = countText(element, () => true);
    return characters >= MIN_CHARACTERS && characters >= MIN_RATIO * shown;
  });
}

/** Whether a hidden element may be one, where so much or more text stands outside of it. */
export function canBeCurtain(element: ElementNode, shown: number): boolean {
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
