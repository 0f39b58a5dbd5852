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
  const hidden = new Map<ElementNode, number>();
  let shown = 0;
  const open: { element: ElementNode; next: number; under: ElementNode | undefined }[] = [];
  open.push({ element: page.root, next: 0, under: undefined });
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const child = top.element.children[top.next];
    top.next += 1;
    if (child === undefined) {
      open.pop();
    } else if (child.kind === "text") {
      if (isBlank(child.value)) continue;
      if (top.under === undefined) shown += child.value.length;
      else hidden.set(top.under, (hidden.get(top.under) ?? 0) + child.value.length);
    } else if (!isHiddenByTag(child)) {
      open.push({ element: child, next: 0, under: top.under ?? (isHiddenByPage(child) ? child : undefined) });
    }
  }
  for (const [element, characters] of hidden) {
    if (shown > 0 && !canBeCurtain(element)) continue;
    if (characters >= MIN_CHARACTERS && characters >= MIN_RATIO * shown) return element;
  }
  return undefined;
}

function canBeCurtain(element: ElementNode): boolean {
  const { tag } = element;
  return tag === "html" || tag === "body" || (!element.attributes.has("hidden") && isInvisible(element));
}
