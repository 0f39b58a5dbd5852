/**
 * Parses decoded HTML into the light tree as the HTML standard does, with source positions. The only file that imports
 * parse5.
 */
import { html as markup, Parser, type Token, type TreeAdapter, type TreeAdapterTypeMap } from "parse5";
import type { ElementNode, ParsedPage, TextNode, TreeNode } from "../document/tree.js";
import { flattenBelow, PARSE_LIMITS, type HtmlPage, type ParseLimits } from "./limits.js";
import { parseSelfClosed, TEXT_ONLY } from "./xhtml.js";

/** Never fails: any text is a page. Works without recursion, in time that grows about linearly with the text. */
export function parseHtml(page: HtmlPage, limits: ParseLimits = PARSE_LIMITS): ParsedPage {
  return parseSelfClosed(page.html, (html) => parseSource(page, html, limits));
}

function parseSource(page: HtmlPage, html: string, limits: ParseLimits): ParsedPage {
  const parser = new BoundedParser(html, limits);
  parser.tokenizer.write(html, true);
  const root = parser.document;
  const { elements, depth, isCapped } = flattenBelow(root, limits.maxDepth);
  const notes = [...(page.notes ?? [])];
  if (parser.isCapped) notes.push("elements-capped");
  if (isCapped) notes.push("depth-capped");
  return { id: page.id, url: page.url, html: page.html, root, elements, depth, notes };
}

/** A node that the tree leaves out: a comment or a doctype. */
interface LeftOut {
  readonly kind: "left-out";
  readonly value: string;
}

type ParserNode = TreeNode | LeftOut;

interface LightTree extends TreeAdapterTypeMap {
  readonly node: ParserNode;
  readonly parentNode: ElementNode;
  readonly childNode: ParserNode;
  readonly document: ElementNode;
  readonly documentFragment: ElementNode;
  readonly element: ElementNode;
  readonly commentNode: LeftOut;
  readonly textNode: TextNode;
  readonly template: ElementNode;
  readonly documentType: LeftOut;
}

/** Elements whose content is not markup: without their start tag, their content would turn into visible text. */
const RAW_TEXT: ReadonlySet<string> = new Set([...TEXT_ONLY, "noscript", "plaintext"]);

/**
 * parse5 with a budget of elements. The standard's reconstruction of formatting elements can turn n unclosed tags into
 * n² elements (3,000 `<p><font size=…>`, 60 KB, take 14 s); here it stops when the budget is spent.
 */
class BoundedParser extends Parser<LightTree> {
  readonly #budget: Budget;
  /** Whether a space was already added for the tags dropped since the last text. */
  #isApart = false;

  readonly #html: string;

  constructor(html: string, limits: ParseLimits) {
    const budget = { elements: 0, ...limits };
    super({ treeAdapter: createAdapter(budget), sourceCodeLocationInfo: true });
    this.#budget = budget;
    this.#html = html;
  }

  get isCapped(): boolean {
    return this.#budget.elements >= this.#budget.maxElements;
  }

  override onStartTag(token: Token.TagToken): void {
    if (this.isCapped && !RAW_TEXT.has(token.tagName)) this.#keepApart(token);
    else super.onStartTag(token);
  }

  override onEndTag(token: Token.TagToken): void {
    // For `p` and `br`, an end tag without its element creates an empty element.
    if (this.isCapped && (token.tagName === "p" || token.tagName === "br")) this.#keepApart(token);
    else super.onEndTag(token);
  }

  override _reconstructActiveFormattingElements(): void {
    if (!this.isCapped) super._reconstructActiveFormattingElements();
  }

  /**
   * Adds text. A text node either has one source character for each of its own, or is a single run of characters with
   * a character reference or a CRLF inside, so that positions are exact to the word.
   */
  override _insertCharacters(token: Token.CharacterToken): void {
    this.#isApart = false;
    const { parent, beforeElement } = this._getInsertionLocation();
    const { children } = parent;
    const at = beforeElement === null ? children.length : children.lastIndexOf(beforeElement);
    const { startOffset = -1, endOffset: end = -1 } = token.location ?? {};
    const start = findStart(this.#html, token.chars, startOffset);
    const before = children[at - 1];
    if (before?.kind === "text" && before.end === startOffset) before.end = start;
    const isExact = end - start === token.chars.length;
    // Beyond the budget, memory matters more than positions.
    if (
      before?.kind === "text" &&
      (this.isCapped || (isExact && before.end === start && isExactNode(before)))
    ) {
      before.value += token.chars;
      before.end = Math.max(before.end, end);
    } else {
      children.splice(at, 0, { kind: "text", value: token.chars, parent, start, end });
    }
  }

  /** Adds a space for a dropped tag, which may have separated two words. */
  #keepApart(token: Token.TagToken): void {
    const parent = this.openElements.current;
    if (parent === undefined || this.openElements.stackTop < 0) return;
    const last = parent.children.at(-1);
    const { startOffset: start = -1, endOffset: end = -1 } = token.location ?? {};
    if (this.#isApart) return;
    this.#isApart = true;
    if (last?.kind !== "text") parent.children.push({ kind: "text", value: " ", parent, start, end });
    else last.value += " ";
  }
}

/** The longest name of a character reference, with room for numbers. */
const MAX_REFERENCE = 40;

/**
 * Returns where text begins in the source. If whitespace and other text meet at a character reference, parse5 takes the
 * reference's last character for its first.
 */
function findStart(html: string, text: string, start: number): number {
  const first = html.charAt(start);
  if (start <= 0 || first === text.charAt(0) || first === "&" || first === "\r" || first === "\0")
    return start;
  const earliest = Math.max(0, start - MAX_REFERENCE);
  const reference = html.slice(earliest, start).lastIndexOf("&");
  return reference < 0 ? start : earliest + reference;
}

function isExactNode(node: TextNode): boolean {
  return node.value.length === node.end - node.start;
}

interface Budget extends ParseLimits {
  elements: number;
}

const NAMESPACES: ReadonlyMap<string, ElementNode["namespace"]> = new Map([
  [markup.NS.SVG, "svg"],
  [markup.NS.MATHML, "mathml"],
]);
const NAMESPACE_URIS = { html: markup.NS.HTML, svg: markup.NS.SVG, mathml: markup.NS.MATHML } as const;

/** Most elements have no attributes and share this map; a map for each would be a third of the tree. */
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

function createElement(
  tag: string,
  namespace: ElementNode["namespace"],
  attributes: ReadonlyMap<string, string>,
): ElementNode {
  return { kind: "element", tag, attributes, namespace, parent: null, children: [] };
}

function insertAt(parent: ElementNode, index: number, node: ParserNode): void {
  if (node.kind === "left-out") return;
  node.parent = parent;
  if (index === parent.children.length) parent.children.push(node);
  else parent.children.splice(index, 0, node);
}

function collectAttributes(attributes: readonly Token.Attribute[], limit: number): Map<string, string> {
  const collected = new Map<string, string>();
  for (const { name, value, prefix } of attributes) {
    if (collected.size >= limit) break;
    collected.set(prefix === undefined || prefix === "" ? name.toLowerCase() : `${prefix}:${name}`, value);
  }
  return collected;
}

/** Creates the functions by which parse5 builds the tree. Positions of elements, comments and doctypes are not kept. */
function createAdapter(budget: Budget): TreeAdapter<LightTree> {
  // In quirks mode a table does not end the paragraph before it.
  let mode: markup.DOCUMENT_MODE = markup.DOCUMENT_MODE.NO_QUIRKS;
  const leaveOut = (value: string): LeftOut => ({ kind: "left-out", value });
  return {
    createDocument: () => createElement("#document", "html", NO_ATTRIBUTES),
    createDocumentFragment: () => createElement("#fragment", "html", NO_ATTRIBUTES),
    createElement(tag, namespace, attributes) {
      budget.elements += 1;
      // A second <html> or <body> adds its attributes to the first (see `adoptAttributes`).
      const isBare = attributes.length === 0 && tag !== "html" && tag !== "body";
      const collected = isBare ? NO_ATTRIBUTES : collectAttributes(attributes, budget.maxAttributes);
      return createElement(tag.toLowerCase(), NAMESPACES.get(namespace) ?? "html", collected);
    },
    createCommentNode: leaveOut,
    createTextNode: (value) => ({ kind: "text", value, parent: null, start: -1, end: -1 }),
    appendChild: (parent, node) => {
      insertAt(parent, parent.children.length, node);
    },
    insertBefore: (parent, node, next) => {
      // The parser only ever inserts before an element (a misplaced node before its table).
      insertAt(parent, Math.max(0, parent.children.lastIndexOf(next as ElementNode)), node);
    },
    detachNode(node) {
      if (node.kind === "left-out" || node.parent === null) return;
      node.parent.children.splice(node.parent.children.lastIndexOf(node), 1);
      node.parent = null;
    },
    insertText: unreachable,
    insertTextBefore: unreachable,
    adoptAttributes(recipient, attributes) {
      // The map is ours: `createElement` made one for each <html> and <body>.
      const own = recipient.attributes as Map<string, string>;
      for (const [name, value] of collectAttributes(attributes, budget.maxAttributes))
        if (own.size < budget.maxAttributes && !own.has(name)) own.set(name, value);
    },
    getAttrList: (element) => [...element.attributes].map(([name, value]) => ({ name, value })),
    getChildNodes: (node) => node.children,
    getFirstChild: (node) => node.children[0] ?? null,
    getParentNode: (node) => (node.kind === "left-out" ? null : node.parent),
    getTagName: (element) => element.tag,
    getNamespaceURI: (element) => NAMESPACE_URIS[element.namespace],
    getTextNodeContent: (node) => node.value,
    getCommentNodeContent: (node) => node.value,
    getDocumentTypeNodeName: (node) => node.value,
    getDocumentTypeNodePublicId: () => "",
    getDocumentTypeNodeSystemId: () => "",
    setDocumentType: () => undefined,
    getDocumentMode: () => mode,
    setDocumentMode(_document, stated) {
      mode = stated;
    },
    // The content of a template stays below it, where the walkers know that it is not visible.
    getTemplateContent: (template) => template,
    setTemplateContent: () => undefined,
    isElementNode: (node) => node.kind === "element",
    isTextNode: (node) => node.kind === "text",
    isCommentNode: (node): node is LeftOut => node.kind === "left-out",
    isDocumentTypeNode: (node): node is LeftOut => node.kind === "left-out",
    getNodeSourceCodeLocation: () => null,
    setNodeSourceCodeLocation: () => undefined,
    updateNodeSourceCodeLocation: () => undefined,
  };
}

function unreachable(): never {
  throw new Error("text enters the tree in BoundedParser._insertCharacters only");
}
