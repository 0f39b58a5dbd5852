/** The state of a page under construction. */
import type { Attributes, ElementNode, TextNode } from "../../tree.js";
import type { ParseLimits } from "../limits.js";
import { NO_ATTRIBUTES, type TagScan } from "./attributes.js";
import { TAGS, tagOf, type Tag } from "./tags.js";

/** How far the page has come. */
export type Phase = "start" | "head" | "afterHead" | "body" | "frameset";

/** A formatting element that is to be opened again after the block that cuts it off. */
export interface Formatting {
  readonly tag: Tag;
  readonly attributes: Attributes;
  node: ElementNode;
  isOpen: boolean;
}

/** An element too deep for the tree. */
interface Sunken {
  readonly tag: Tag;
  node: ElementNode;
}

export interface Build {
  readonly html: string;
  readonly limits: ParseLimits;
  readonly root: ElementNode;
  phase: Phase;
  head: ElementNode | undefined;
  body: ElementNode | undefined;
  /** Open elements from `html` inwards, at most `maxDepth`: element, tag, and what each has to remember. */
  readonly nodes: ElementNode[];
  readonly tags: Tag[];
  /** Place of the innermost element with a context, up to and with this one. */
  readonly contexts: number[];
  /** For a marker: how many formatting elements there were before it. */
  readonly marks: number[];
  /** Open elements by the id of their tag. */
  readonly counts: Int32Array;
  readonly formatting: Formatting[];
  /** Formatting elements that are not open. */
  dormant: number;
  readonly sunken: Sunken[];
  readonly sunkenCounts: Map<Tag, number>;
  form: ElementNode | undefined;
  elements: number;
  depth: number;
  /** Elements that were closed before what they hold: so much deeper than `nodes` the tree may be. */
  uneven: number;
  isSunk: boolean;
  isQuirks: boolean;
  /** What does not belong into a table goes before it. */
  isFostering: boolean;
  /** A space already stands for the tags dropped since the last text. */
  isApart: boolean;
  /** A line break right after `<pre>` is not part of its text. */
  skipsBreak: boolean;
  /** Where the tag at hand ends, and how. */
  readonly tagScan: TagScan;
  /** Tags of this page that the table does not name. */
  readonly ownTags: Map<string, Tag>;
  /** Next places in the source where text is not what the source has; see `text.ts`. */
  nextReference: number;
  nextNul: number;
  nextReturn: number;
}

const HTML = tagOf("html");

export function createBuild(html: string, limits: ParseLimits): Build {
  return {
    html,
    limits,
    root: createElement({ tag: "#document", attributes: NO_ATTRIBUTES, namespace: "html", parent: null }),
    phase: "start",
    head: undefined,
    body: undefined,
    nodes: [],
    tags: [],
    contexts: [],
    marks: [],
    counts: new Int32Array(TAGS.length),
    formatting: [],
    dormant: 0,
    sunken: [],
    sunkenCounts: new Map(),
    form: undefined,
    elements: 0,
    depth: 0,
    uneven: 0,
    isSunk: false,
    isQuirks: true,
    isFostering: false,
    isApart: false,
    skipsBreak: false,
    tagScan: { maxAttributes: limits.maxAttributes, entries: [], at: -1, isSelfClosed: false },
    ownTags: new Map(),
    nextReference: -1,
    nextNul: -1,
    nextReturn: -1,
  };
}

export function isCapped(build: Build): boolean {
  return build.elements >= build.limits.maxElements;
}

/** The tag of the innermost open element; `html` before there is any. */
export function currentTag(build: Build): Tag {
  return build.tags[build.tags.length - 1] ?? HTML;
}

export function currentNode(build: Build): ElementNode {
  return build.nodes[build.nodes.length - 1] ?? build.root;
}

/** Place of the innermost open element with a context. */
export function currentContext(build: Build): number {
  return build.contexts[build.contexts.length - 1] ?? 0;
}

/* MERGED src/parse/quick/build.ts: * Tags and stretches of the source into nodes of the tree, each kind made in one place.  The engine tells objects apart by where they were made as well: a tree of nodes from five places costs whoever walks it a look-up at every field. */

export function createElement({
  tag,
  attributes,
  namespace,
  parent,
}: Pick<ElementNode, "tag" | "attributes" | "namespace" | "parent">): ElementNode {
  return { kind: "element", tag, attributes, namespace, parent, children: [] };
}

export function createText({ value, parent, start, end }: Omit<TextNode, "kind">): TextNode {
  return { kind: "text", value, parent, start, end };
}
