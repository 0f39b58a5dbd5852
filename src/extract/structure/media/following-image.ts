/** Decides whether an image belongs to the text before it, whatever follows. */
import type { ElementNode } from "../../../document/tree.js";
import { isBlankText } from "../../around.js";

/** The position of a walk: its block, and the least depth since the last text. */
interface Place {
  readonly block: { readonly tag: string; readonly depth: number };
  readonly leastDepth: number;
  readonly hasText: boolean;
}

/** The largest number of elements between an image and its paragraph or figure. */
const MAX_WRAPPERS = 4;

/** Whether an image is alone in a paragraph or figure, in a box that also holds the text before it. */
export function followsText({ block, leastDepth, hasText }: Place, image: ElementNode): boolean {
  if (hasText || (block.tag !== "p" && block.tag !== "figure")) return false;
  let box: ElementNode | null = image;
  for (let step = 0; box !== null && box.tag !== block.tag && step <= MAX_WRAPPERS; step += 1)
    box = box.parent;
  let depth = block.depth - 1;
  for (let outer = box?.parent; outer?.tag === "div" && isHollow(outer); outer = outer.parent) depth -= 1;
  return leastDepth >= depth;
}

/** The largest number of child nodes of a box that holds one element only; the others are whitespace. */
const MAX_HOLLOW = 4;

function isHollow({ children }: ElementNode): boolean {
  if (children.length > MAX_HOLLOW) return false;
  return children.filter((child) => !isBlankText(child)).length === 1;
}
