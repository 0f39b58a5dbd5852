/** Tells whether an image belongs to the text before it, whatever comes behind. */
import type { ElementNode } from "../../tree.js";
import { isBlankText } from "../around.js";

/** Where a walk is: its block, and the least depth since the last text. */
interface Place {
  readonly block: { readonly tag: string; readonly depth: number };
  readonly leastDepth: number;
  readonly hasText: boolean;
}

/** Elements between an image and its paragraph or figure, and boxes around that with nothing else in them, at most. */
const MAX_WRAPPERS = 4;

/** Whether an image is a paragraph or a figure of its own in a box that holds the text before as well. */
export function followsText({ block, leastDepth, hasText }: Place, image: ElementNode): boolean {
  if (hasText || (block.tag !== "p" && block.tag !== "figure")) return false;
  let box: ElementNode | null = image;
  for (let step = 0; box !== null && box.tag !== block.tag && step <= MAX_WRAPPERS; step += 1)
    box = box.parent;
  let depth = block.depth - 1;
  for (let outer = box?.parent; outer?.tag === "div" && isHollow(outer); outer = outer.parent) depth -= 1;
  return leastDepth >= depth;
}

/** Nodes of a box with nothing but an element, at most: white space, and comments that are none. */
const MAX_HOLLOW = 4;

function isHollow({ children }: ElementNode): boolean {
  if (children.length > MAX_HOLLOW) return false;
  return children.filter((child) => !isBlankText(child)).length === 1;
}
