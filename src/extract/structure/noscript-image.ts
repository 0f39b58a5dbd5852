/** Finds the image that a page has for browsers without scripts only: a script puts it in the place of a picture without address. */
import { decodeAttribute } from "../../references.js";
import type { ElementNode } from "../../tree.js";
import { elementBefore } from "../around.js";
import { findElement } from "../elements.js";
import { readImage } from "./image.js";
import type { Meaning } from "./spans.js";

/** Characters of such an image, as the source has it, and its attributes. */
const MAX_SOURCE = 10_000;
const MAX_ATTRIBUTES = 40;
const IMAGE = /^\s*<img\s([^>]*)>(?:\s*<\/img>)?\s*$/i;
const ATTRIBUTE = /([\w:-]{1,40})\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g;

/** Elements beside it, around it, and in the figure that it stands in, that are looked at. */
const MAX_SIBLINGS = 500;
const MAX_OUTER = 4;
const MAX_LOOKED = 100;

/** Undefined where the page shows the image by itself, or where it may be there to count readers. */
export function readNoscript(noscript: ElementNode): Meaning | undefined {
  const [only, other] = noscript.children;
  if (only?.kind !== "text" || other !== undefined || only.value.length > MAX_SOURCE) return undefined;
  const source = IMAGE.exec(only.value)?.[1];
  if (source === undefined || !standsForIt(noscript)) return undefined;
  return readImage({ ...noscript, tag: "img", attributes: readAttributes(source), children: [] });
}

function readAttributes(source: string): ElementNode["attributes"] {
  const attributes = new Map<string, string>();
  for (const [, name = "", double, single, bare] of source.matchAll(ATTRIBUTE)) {
    if (attributes.size >= MAX_ATTRIBUTES) break;
    attributes.set(name.toLowerCase(), decodeAttribute(double ?? single ?? bare ?? ""));
  }
  return attributes;
}

/** Whether it is behind an image that is still to be loaded, or is all that a figure has. */
function standsForIt(noscript: ElementNode): boolean {
  const before = elementBefore(noscript, MAX_SIBLINGS);
  if (before !== undefined && /^(?:img|picture)$/.test(before.tag)) return !holdsImage(before);
  let box = noscript.parent;
  for (let step = 0; box !== null && step < MAX_OUTER; step += 1) {
    if (box.tag === "figure" || box.tag === "picture") return !holdsImage(box);
    box = box.parent;
  }
  return false;
}

/** Whether it is, or holds, an image with an address; what has more than can be looked at may hold one. */
function holdsImage(element: ElementNode): boolean {
  const isImage = (inner: ElementNode): boolean => inner.tag === "img" && readImage(inner) !== undefined;
  if (isImage(element)) return true;
  let looked = 0;
  const found = findElement(element, (inner) => {
    looked += 1;
    return looked > MAX_LOOKED || isImage(inner);
  });
  return found !== undefined;
}
