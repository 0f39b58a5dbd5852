/**
 * Closes the elements that XHTML pages close in their start tag, as in `<script src="a.js"/>`; in HTML they stay open.
 */
import type { ElementNode, ParsedPage, TextNode, TreeNode } from "../document/tree.js";

/** Characters at the start of a page in which it declares XHTML. */
const HEAD_CHARS = 4_096;
const DECLARATION =
  /^\s*<\?xml\s|<!doctype\s[^>]*\bxhtml\b|<html\s[^>]*\bxmlns\s*=\s*["']?http:\/\/www\.w3\.org\/1999\/xhtml/i;
/**
 * Elements whose content is text until their end tag (HTML, section 13.2.5.1): without it, what follows would be lost.
 */
const CODE: ReadonlySet<string> = new Set(["script", "style"]);
export const TEXT_ONLY: ReadonlySet<string> = new Set([
  ...CODE,
  "title",
  "textarea",
  "iframe",
  "noembed",
  "noframes",
  "xmp",
]);
/** The tags of these elements, and of `noscript`, whose content is text only if scripts run. */
const MARK = new RegExp(`<(/?)(${[...TEXT_ONLY, "noscript"].join("|")})(?=[\\s/>])`, "gi");
/** The rest of a start tag that closes itself, with attributes as XML writes them. */
const SELF_CLOSED = /(?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*\/>/y;

/**
 * Parses a page. If its tags close themselves, `parse` gets the source with spaces in place of these tags, so that all
 * offsets stay the same. This is done for a page that declares XHTML, even if it was sent as HTML, and for one that
 * ends inside an element whose tag closes itself, as pages do that a library for XML has rewritten.
 */
export function parseSelfClosed(html: string, parse: (html: string) => ParsedPage): ParsedPage {
  if (DECLARATION.test(html.slice(0, HEAD_CHARS))) return parse(blankSelfClosed(html));
  const page = parse(html);
  return isSwallowed(page.root, html) ? parse(blankSelfClosed(html)) : page;
}

/**
 * Replaces tags that close themselves with spaces. A tag stays if the next tag of its name is an end tag, because then
 * its author takes it for open.
 */
export function blankSelfClosed(html: string): string {
  const tags = findSelfClosed(html);
  let blanked = "";
  for (const [start, end] of tags) blanked += html.slice(blanked.length, start) + " ".repeat(end - start);
  return blanked + html.slice(blanked.length);
}

/**
 * Checks whether the source ends in the content of an element whose start tag closes itself. The content of a script or
 * style must begin with a tag, because a page may be cut in a script.
 */
function isSwallowed(root: ElementNode, html: string): boolean {
  const last = lastText(root);
  const element = last?.end === html.length ? last.parent : null;
  const first = element?.children[0];
  if (element === null || first?.kind !== "text" || !TEXT_ONLY.has(element.tag)) return false;
  // The parser leaves out a line break at the start of a text area.
  const before = html.slice(Math.max(0, first.start - 4), first.start).trimEnd();
  return before.endsWith("/>") && (!CODE.has(element.tag) || /^\s*<[a-z!/]/i.test(first.value));
}

/** Returns the last text node in document order. */
function lastText(root: ElementNode): TextNode | undefined {
  const path: { readonly children: readonly TreeNode[]; at: number }[] = [
    { children: root.children, at: root.children.length },
  ];
  for (let level = path.at(-1); level !== undefined; level = path.at(-1)) {
    level.at -= 1;
    const node = level.children[level.at];
    if (node?.kind === "text") return node;
    if (node === undefined) path.pop();
    else path.push({ children: node.children, at: node.children.length });
  }
  return undefined;
}

/** Returns the offsets of the tags that close themselves and have no end tag, in order. */
function findSelfClosed(html: string): readonly (readonly [start: number, end: number])[] {
  const tags: [number, number][] = [];
  /** The last tag of each name that closes itself, until the next tag of that name is read. */
  const open = new Map<string, [number, number] | undefined>();
  for (const { 0: text, 1: slash, 2: word = "", index } of html.matchAll(MARK)) {
    const name = word.toLowerCase();
    const before = open.get(name);
    if (before !== undefined && slash === "") tags.push(before);
    SELF_CLOSED.lastIndex = index + text.length;
    const isSelfClosed = slash === "" && SELF_CLOSED.test(html);
    open.set(name, isSelfClosed ? [index, SELF_CLOSED.lastIndex] : undefined);
  }
  for (const last of open.values()) if (last !== undefined) tags.push(last);
  return tags.sort(([a], [b]) => a - b);
}
