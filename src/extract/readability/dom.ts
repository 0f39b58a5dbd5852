/**
 * Builds a DOM from the light tree and maps its text nodes to those of the page. The only file that imports linkedom.
 */
// The worker build, because bundlers fail on the style sheet and canvas packages that linkedom's main entry imports.
import { parseHTML } from "linkedom/worker";
import type { ElementNode, ParsedPage, TextNode } from "../../document/tree.js";
import { findCurtain } from "../lines/visible/curtain.js";
import { isFolded } from "../lines/visible/folded.js";
import { isShadowRoot, isStreamed } from "../lines/visible/visible.js";

/**
 * The part of the DOM that is used here. The browser's types are not loaded, because `Document` is a type of this
 * project.
 */
export interface DomNode {
  readonly nodeType: number;
  readonly firstChild: DomNode | null;
  readonly nextSibling: DomNode | null;
  readonly parentNode: DomNode | null;
}

interface DomElement extends DomNode {
  appendChild(node: DomNode): void;
  setAttribute(name: string, value: string): void;
  cloneNode(deep: boolean): DomElement;
  replaceChildren(...nodes: DomNode[]): void;
}

export interface DomDocument extends DomNode {
  readonly documentElement: DomElement;
  readonly body: DomElement;
  createElement(tag: string): DomElement;
  createTextNode(value: string): DomNode;
}

interface PageDom {
  readonly document: DomDocument;
  /** Returns the page's text nodes that are below an element of the document now, also after a restore. */
  textsBelow(element: DomNode): Set<TextNode>;
}

const TEXT_NODE = 3;

/** Maps a DOM text node to the page's text nodes that it was made from: several if no element separates them. */
type Origins = WeakMap<DomNode, readonly TextNode[]>;

/**
 * Builds the document. `innerHTML` of its body is not markup: reading it takes a snapshot of the nodes, and setting it
 * restores that snapshot. Readability saves and restores the body in this way before each of its attempts. So the tree
 * stays as the standard parsed it, and each text keeps its origin.
 */
export function buildDom(page: ParsedPage): PageDom {
  // `parseHTML` is typed with the browser's types, which this project does not load.
  const { document } = parseHTML("<!doctype html><html></html>") as unknown as { document: DomDocument };
  const origins: Origins = new WeakMap();
  const html = page.root.children.find((node) => node.kind === "element" && node.tag === "html");
  const curtain = findCurtain(page);
  const isShown = (element: ElementNode): boolean =>
    element === curtain || (mayHide(element) && (isStreamed(element) || isFolded(element)));
  if (html?.kind === "element") copyTree(document, html, { origins, isShown });
  keepNodesOnRestore(document.body, origins);
  return { document, textsBelow: (element) => collectOrigins(element, origins) };
}

function mayHide({ attributes }: ElementNode): boolean {
  return attributes.has("hidden") || attributes.has("style");
}

interface CopyOptions {
  readonly origins: Origins;
  /** Checks whether a script or a click shows an element, whatever its `hidden` and `style` attributes say. */
  readonly isShown: (element: ElementNode) => boolean;
}

function copyTree(document: DomDocument, html: ElementNode, { origins, isShown }: CopyOptions): void {
  copyAttributes(html, document.documentElement, isShown(html));
  const open = [{ from: html, to: document.documentElement, next: 0 }];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const { from, to } = top;
    const child = from.children[top.next];
    if (child === undefined) {
      open.pop();
    } else if (child.kind === "element") {
      top.next += 1;
      const isDrawn = isShadowRoot(child);
      const element = document.createElement(isDrawn ? "div" : child.tag);
      if (!isDrawn) copyAttributes(child, element, isShown(child));
      to.appendChild(element);
      // The content of any other template is not part of a document.
      if (isDrawn || child.tag !== "template") open.push({ from: child, to: element, next: 0 });
    } else {
      const texts = takeTexts(from, top.next);
      top.next += texts.length;
      const text = document.createTextNode(texts.map((node) => node.value).join(""));
      origins.set(text, texts);
      to.appendChild(text);
    }
  }
}

/** The light tree splits text where positions need it; a DOM has one text node between two elements. */
function takeTexts(parent: ElementNode, first: number): TextNode[] {
  const texts: TextNode[] = [];
  for (let index = first; index < parent.children.length; index += 1) {
    const node = parent.children[index];
    if (node?.kind !== "text") break;
    texts.push(node);
  }
  return texts;
}

function copyAttributes(from: ElementNode, to: DomElement, isShown: boolean): void {
  for (const [name, value] of from.attributes) {
    if (isShown && (name === "hidden" || name === "style")) continue;
    // Readability replaces a `javascript:` link with a new text node, whose origin would be unknown.
    const isScript = name === "href" && value.startsWith("javascript:");
    to.setAttribute(name, isScript ? "about:blank" : value);
  }
}

function keepNodesOnRestore(body: DomElement, origins: Origins): void {
  let snapshot: DomElement | undefined;
  Object.defineProperty(body, "innerHTML", {
    configurable: true,
    get(): string {
      snapshot = cloneTree(body, origins);
      return "";
    },
    set() {
      const nodes = snapshot === undefined ? [] : childrenOf(cloneTree(snapshot, origins));
      body.replaceChildren(...nodes);
    },
  });
}

function cloneTree(element: DomElement, origins: Origins): DomElement {
  const clone = element.cloneNode(true);
  const copies = nodesBelow(clone);
  for (const node of nodesBelow(element)) {
    const copy = copies.next();
    const texts = origins.get(node);
    if (texts !== undefined && copy.done !== true) origins.set(copy.value, texts);
  }
  return clone;
}

function childrenOf(element: DomElement): DomNode[] {
  const children: DomNode[] = [];
  for (let child = element.firstChild; child !== null; child = child.nextSibling) children.push(child);
  return children;
}

function collectOrigins(element: DomNode, origins: Origins): Set<TextNode> {
  const collected = new Set<TextNode>();
  for (const node of nodesBelow(element)) {
    if (node.nodeType === TEXT_NODE) for (const text of origins.get(node) ?? []) collected.add(text);
  }
  return collected;
}

/** Yields all nodes below an element in document order. */
function* nodesBelow(element: DomNode): Generator<DomNode> {
  let node: DomNode | null = element.firstChild;
  while (node !== null && node !== element) {
    yield node;
    if (node.firstChild !== null) {
      node = node.firstChild;
      continue;
    }
    while (node !== null && node !== element && node.nextSibling === null) node = node.parentNode;
    if (node === null || node === element) return;
    node = node.nextSibling;
  }
}
