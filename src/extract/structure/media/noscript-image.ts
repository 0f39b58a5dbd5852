/** Finds the image in a `noscript` that replaces a picture which a script loads late. */
import { decodeAttribute } from "../../../references.js";
import type { ElementNode } from "../../../document/tree.js";
import { elementBefore } from "../../around.js";
import { classOf } from "../../bounded-attributes.js";
import { findElement } from "../../elements.js";
import { readImage } from "./image.js";
import type { Meaning } from "../spans.js";

/** The largest size of a `noscript` in characters, and the largest number of attributes of its image. */
const MAX_SOURCE = 10_000;
const MAX_ATTRIBUTES = 40;
const IMAGE = /^\s*<img\s([^>]*)>(?:\s*<\/img>)?\s*$/i;
const ATTRIBUTE = /([\w:-]{1,40})\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g;

/** The largest number of siblings, of elements around a `noscript`, and of elements in its figure that are searched. */
const MAX_SIBLINGS = 500;
const MAX_OUTER = 4;
const MAX_LOOKED = 100;

/** Undefined if the page shows the image without a script, or if the image may be a tracking pixel. */
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

/** The element that MediaWiki for phones puts behind a `noscript`, where a script draws the image. */
const PLACE = "lazy-image-placeholder";

/** The class name of an image's box in Adobe Experience Manager. */
const AEM_IMAGE = /(?:^|\s)cmp-image(?=\s|$)/;

/**
 * Whether a `noscript` follows an image without an address, is before the place of an image, or is in a figure,
 * `picture` or box that has no other image.
 */
function standsForIt(noscript: ElementNode): boolean {
  const siblings = noscript.parent?.children ?? [];
  const behind = siblings.length > MAX_SIBLINGS ? undefined : siblings[siblings.indexOf(noscript) + 1];
  if (behind?.kind === "element" && behind.attributes.get("class") === PLACE) return true;
  const before = elementBefore(noscript, MAX_SIBLINGS);
  if (before !== undefined && /^(?:img|picture)$/.test(before.tag)) return !holdsImage(before);
  let box = noscript.parent;
  for (let step = 0; box !== null && step < MAX_OUTER; step += 1) {
    if (box.tag === "figure" || box.tag === "picture" || AEM_IMAGE.test(classOf(box)))
      return !holdsImage(box);
    box = box.parent;
  }
  return false;
}

/** Whether an element is or holds an image with an address. Also true if it holds more elements than are searched. */
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
