/** Tags inside SVG and MathML into elements of their namespace: HTML standard 13.2.6.5. */
import type { Attributes, ElementNode } from "../../tree.js";
import { currentNode, currentTag, type Build } from "./build.js";
import { addElement, openElement } from "./insert.js";
import { truncate } from "./insert.js";
import { BITS, createTag, type Tag } from "./tags.js";

const ALL_SCOPES = BITS.special | BITS.scope | BITS.listScope | BITS.buttonScope;

/** Foreign elements that hold HTML, or text of it. */
const INTEGRATION: ReadonlySet<string> = new Set([
  "svg foreignobject",
  "svg desc",
  "svg title",
  "mathml mi",
  "mathml mo",
  "mathml mn",
  "mathml ms",
  "mathml mtext",
]);

/** A tag that the table does not have, the same one for the same name all over the page. */
export function ownTag(build: Build, name: string): Tag {
  const known = build.ownTags.get(name) ?? createTag(name, 0);
  build.ownTags.set(name, known);
  return known;
}

function foreignTag(build: Build, name: string, namespace: "svg" | "mathml", isHtml: boolean): Tag {
  const key = `${namespace} ${name}`;
  const isIntegration = isHtml || INTEGRATION.has(key);
  const id = isIntegration ? `${key} +` : key;
  const known = build.ownTags.get(id);
  if (known !== undefined) return known;
  const isBound = isIntegration || key === "mathml annotation-xml";
  const bits = BITS.foreign | (isIntegration ? BITS.integration : 0) | (isBound ? ALL_SCOPES : 0);
  const tag = createTag(name, 0, { start: "generic", end: "generic", bits });
  build.ownTags.set(id, tag);
  return tag;
}

/** `<svg>` or `<math>`, or any tag below one. */
export function openForeign(
  build: Build,
  name: string,
  attributes: Attributes,
  namespace: "svg" | "mathml",
): ElementNode {
  const encoding = name === "annotation-xml" ? attributes.get("encoding")?.toLowerCase() : undefined;
  const isHtml = encoding === "text/html" || encoding === "application/xhtml+xml";
  const tag = foreignTag(build, name, namespace, isHtml);
  return build.tagScan.isSelfClosed
    ? addElement(build, tag, attributes, namespace)
    : openElement(build, tag, attributes, namespace);
}

/** Whether the next tag is not read as HTML. */
export function isForeign(build: Build): boolean {
  return (currentTag(build).bits & (BITS.foreign | BITS.integration)) === BITS.foreign;
}

/** False if the tag ends the foreign content, and is to be read as HTML. */
export function startInForeign(build: Build, tag: Tag, attributes: Attributes): boolean {
  const isEnd = (tag.bits & BITS.breakout) !== 0 || (tag.name === "font" && isStyledFont(attributes));
  if (isEnd) {
    closeForeign(build);
    return false;
  }
  const { tag: parent, namespace } = currentNode(build);
  if (namespace === "html" || (parent === "annotation-xml" && tag.name === "svg")) return false;
  openForeign(build, tag.name, attributes, namespace);
  return true;
}

function isStyledFont(attributes: Attributes): boolean {
  return attributes.has("color") || attributes.has("face") || attributes.has("size");
}

function closeForeign(build: Build): void {
  while (isForeign(build)) truncate(build, build.nodes.length - 1);
}

/** False if the end tag is to be read as HTML. */
export function endInForeign(build: Build, tag: Tag): boolean {
  if (tag.end === "p" || tag.end === "br") {
    closeForeign(build);
    return false;
  }
  for (let place = build.tags.length - 1; place > 0; place -= 1) {
    const open = build.tags[place];
    if (open === undefined || (open.bits & BITS.foreign) === 0) return false;
    if (open.name === tag.name) {
      truncate(build, place);
      return true;
    }
  }
  return false;
}
