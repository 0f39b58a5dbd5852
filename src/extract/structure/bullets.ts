/** Builds nested lists from paragraphs that are list items by their bullets, with the depth that Word gives them. */
import type { Holder } from "../../document.js";
import type { ElementNode } from "../../document/tree.js";
import { elementBefore } from "../around.js";
import type { Bullet } from "../lines/generators/word-bullets.js";

/** The last bulleted paragraph, and the lists that are open there, innermost last. */
export interface Bullets {
  last: ElementNode | undefined;
  open: { readonly level: number; readonly list: number; readonly item: number }[];
}

/** The largest number of siblings that are searched for the paragraph before. */
const MAX_SIBLINGS = 5_000;

/** Returns the index of the item's holder. Continues the open list if the element before it was an item as well. */
export function openBullet(
  { holders, bullets }: { readonly holders: Holder[]; readonly bullets: Bullets },
  element: ElementNode,
  { bullet: { level }, outer }: { readonly bullet: Bullet; readonly outer: number },
): number {
  const isNext = bullets.last !== undefined && bullets.last === elementBefore(element, MAX_SIBLINGS);
  const open = isNext ? bullets.open.filter((list) => list.level <= level) : [];
  const around = open.at(-1);
  const isSame = around?.level === level;
  if (!isSame) holders.push({ tag: "ul", ...holderIn(around?.item ?? outer) });
  const list = isSame ? around.list : holders.length - 1;
  holders.push({ tag: "li", parent: list });
  const item = holders.length - 1;
  bullets.last = element;
  bullets.open = [...(isSame ? open.slice(0, -1) : open), { level, list, item }];
  return item;
}

function holderIn(parent: number): Pick<Holder, "parent"> {
  return parent < 0 ? {} : { parent };
}
