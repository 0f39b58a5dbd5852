/** What stands outside of `body` into `html`, `head`, `body` and frames, whether the page writes their tags or not. */
import type { Attributes, ElementNode } from "../../tree.js";
import { joinAttributes, NO_ATTRIBUTES } from "./attributes.js";
import { currentNode, type Build } from "./build.js";
import { addElement, openElement } from "./insert.js";
import { truncate } from "./insert.js";
import { tagOf, type Tag } from "./tags.js";

const HTML = tagOf("html");
const HEAD = tagOf("head");
const BODY = tagOf("body");
/** Levels: `html`, `head`, and what stands in it. */
const HEAD_CHILD_DEPTH = 3;
const TEMPLATE = tagOf("template");

/** Whether the rules of this file hold; a template is a page of its own. */
export function isOutside(build: Build): boolean {
  return build.phase !== "body" && build.counts[TEMPLATE.id] === 0;
}

function openHtml(build: Build, attributes: Attributes): void {
  if (build.nodes.length === 0) openElement(build, HTML, attributes);
}

function openHead(build: Build, attributes: Attributes): void {
  openHtml(build, NO_ATTRIBUTES);
  build.head = openElement(build, HEAD, attributes);
  build.phase = "head";
}

export function closeHead(build: Build): void {
  if (build.phase === "start") openHead(build, NO_ATTRIBUTES);
  if (build.phase !== "head") return;
  truncate(build, 1);
  build.phase = "afterHead";
}

export function openBody(build: Build, attributes: Attributes = NO_ATTRIBUTES): void {
  closeHead(build);
  if (build.phase !== "afterHead") return;
  build.body = openElement(build, BODY, attributes);
  build.phase = "body";
}

/** A second `<html>` or `<body>` adds its attributes to the first. */
export function adoptAttributes(element: ElementNode, attributes: Attributes): ElementNode {
  if (attributes.size === 0) return element;
  return Object.assign(element, { attributes: joinAttributes(element.attributes, attributes) });
}

/** What became of a start tag outside of `body`: an element whose content is text, nothing more to do, or not here. */
export type OutsideStart = ElementNode | "done" | "inBody";

export function startOutside(build: Build, tag: Tag, attributes: Attributes): OutsideStart {
  if (tag === HTML) {
    const html = build.nodes[0];
    if (html === undefined) openHtml(build, attributes);
    else adoptAttributes(html, attributes);
    return "done";
  }
  if (build.phase === "frameset") return startInFrameset(build, tag, attributes);
  if (tag === HEAD) {
    if (build.phase === "start") openHead(build, attributes);
    return "done";
  }
  if (tag.isMetadata) return startMetadata(build, tag, attributes);
  if (tag === BODY) {
    openBody(build, attributes);
    return "done";
  }
  if (tag.start === "frameset") {
    closeHead(build);
    openElement(build, tag, attributes);
    build.phase = "frameset";
    return "done";
  }
  openBody(build);
  return "inBody";
}

function startMetadata(build: Build, tag: Tag, attributes: Attributes): OutsideStart {
  if (build.phase === "start") openHead(build, NO_ATTRIBUTES);
  if (tag === TEMPLATE) {
    openElement(build, tag, attributes);
    return "done";
  }
  const element = addElement(build, tag, attributes);
  const { head } = build;
  if (build.phase === "afterHead" && head !== undefined) {
    // It is the last child of `html`, and belongs into the head that was closed.
    currentNode(build).children.pop();
    element.parent = head;
    build.depth = Math.max(build.depth, HEAD_CHILD_DEPTH);
    head.children.push(element);
  }
  return tag.content === "markup" ? "done" : element;
}

function startInFrameset(build: Build, tag: Tag, attributes: Attributes): OutsideStart {
  if (tag.start === "frameset") openElement(build, tag, attributes);
  else if (tag.name === "frame") addElement(build, tag, attributes);
  else if (tag.name === "noframes") return addElement(build, tag, attributes);
  return "done";
}

/** False where the end tag is one for the body, which is open then. */
export function endOutside(build: Build, tag: Tag): boolean {
  if (build.phase === "frameset") {
    if (tag.end === "frameset") truncate(build, build.nodes.length - 1);
    return true;
  }
  if (tag === HEAD) closeHead(build);
  if (tag !== HTML && tag !== BODY && tag.end !== "br") return true;
  openBody(build);
  return tag.end !== "br";
}

/** At the end every page has a head and a body or frames. */
export function finish(build: Build): void {
  if (build.phase !== "body" && build.phase !== "frameset") {
    raiseOutOfTemplates(build);
    openBody(build);
  }
}

function raiseOutOfTemplates(build: Build): void {
  if (build.counts[TEMPLATE.id] !== 0) truncate(build, build.phase === "head" ? 2 : 1);
}
