/**
 * Renders a page from its source without scripts, addresses, forms or frames. The output is built from lists of
 * harmless elements and attributes; the browser's own rules (`PAGE_POLICY`) apply on top.
 */
import type { Line } from "../document.js";
import { isHiddenByTag, isShadowRoot } from "../extract/lines/visible/visible.js";
import { parseHtml } from "../parse/standard-tree.js";
import type { ElementNode, TextNode, TreeNode } from "../document/tree.js";

/**
 * What a browser may do with the page: draw it with its inline styles. The inspector can access the page, but the page
 * can access nothing.
 */
export const PAGE_POLICY =
  "sandbox allow-same-origin; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/** Elements that are written with their own tags; of other elements, only the contents are written. */
const SHOWN: ReadonlySet<string> = new Set(
  (
    "a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del details dfn dir div dl dt " +
    "em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i ins kbd li main mark nav ol p pre q rp rt ruby s samp " +
    "section small span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr"
  ).split(" "),
);
/** Elements of MathML that are written with their own tags (MathML Core). */
const SHOWN_MATH: ReadonlySet<string> = new Set(
  (
    "math merror mfrac mi mmultiscripts mn mo mover mpadded mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup " +
    "mtable mtd mtext mtr munder munderover semantics"
  ).split(" "),
);
/** Elements that are written as other ones: a `div` carries the direction and the language of the whole page. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ["html", "div"],
  ["body", "div"],
  ["dialog", "div"],
  ["xmp", "pre"],
  ["listing", "pre"],
  ["plaintext", "pre"],
]);
/** Elements that are left out with their contents, except open dialogs and shadow roots. */
const LEFT_OUT: ReadonlySet<string> = new Set(
  (
    "script style noscript template iframe frame frameset object embed applet audio video source track canvas svg link meta base title " +
    "head param portal dialog map area datalist noembed noframes"
  ).split(" "),
);
const VOID: ReadonlySet<string> = new Set(["br", "hr", "col", "wbr"]);
/** Attributes that affect the layout and hold no address. */
const ATTRIBUTES: ReadonlySet<string> = new Set(
  "class dir lang title colspan rowspan align valign start value type width open display bgcolor".split(" "),
);
/** Most characters of an attribute, of a page's styles, and of the whole output. */
const MOST_VALUE = 500;
const MOST_STYLE = 400_000;
const MOST_WRITTEN = 40_000_000;

/**
 * Comes after the page's styles. Its first rule keeps text readable that the page's style sheets, which are not loaded,
 * would lay out. Of a formula of KaTeX, its MathML is shown, which is in the lines, and not the boxes that draw the same.
 */
const OWN_STYLE = `
html { background: #fff; color: #111; color-scheme: light; } body { margin: .5rem; font: 15px/1.4 system-ui, sans-serif; overflow-wrap: anywhere; }
[data-line] { cursor: pointer; } [data-line].on { background: #ffe28a !important; color: #111 !important; outline: 2px solid #a15c00 !important; }
.katex-mathml { all: unset !important; } .katex-mathml ~ .katex-html { display: none !important; }
.thresher-image { border: 1px dashed #888; padding: 0 .3em; color: #444; font-size: .9em; }`;

interface Writing {
  readonly parts: string[];
  length: number;
  readonly spans: LineSpans;
}

/** `lines` are the lines of the document, with spans into `html`. */
export function showPage(html: string, lines: readonly Line[]): string {
  const { root } = parseHtml({ id: "", url: "", html, keeps: "all" });
  const writing: Writing = { parts: [], length: 0, spans: listSpans(lines) };
  writeTree(root, writing);
  const style = cleanStyle(readStyles(root));
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>The page</title><style>${style}</style>` +
    `<style>${OWN_STYLE}</style></head><body>${writing.parts.join("")}</body></html>`
  );
}

/** Works without recursion, because pages may be deep. */
function writeTree(root: ElementNode, writing: Writing): void {
  const stack: (TreeNode | string)[] = [...root.children].reverse();
  for (let node = stack.pop(); node !== undefined && writing.length < MOST_WRITTEN; node = stack.pop()) {
    if (typeof node === "string") put(writing, node);
    else if (node.kind === "text") writeText(node, writing);
    else if (node.tag === "img") writeImage(node, writing);
    else if (!isLeftOut(node)) {
      const tag = RENAMED.get(node.tag) ?? node.tag;
      const isShown = (node.namespace === "mathml" ? SHOWN_MATH : SHOWN).has(tag);
      if (isShown) put(writing, `<${tag}${writeAttributes(node)}>`);
      if (VOID.has(tag)) continue;
      if (isShown) stack.push(`</${tag}>`);
      for (let at = node.children.length - 1; at >= 0; at -= 1) {
        const child = node.children[at];
        if (child !== undefined) stack.push(child);
      }
    }
  }
  // Closes the elements that are open when the limit is reached.
  for (const rest of stack.reverse()) if (typeof rest === "string") writing.parts.push(rest);
}

function isLeftOut(element: ElementNode): boolean {
  const { namespace } = element;
  if (namespace !== "html") return namespace === "svg" || isHiddenByTag(element);
  if (!LEFT_OUT.has(element.tag) || isShadowRoot(element)) return false;
  return element.tag !== "dialog" || !element.attributes.has("open");
}

function put(writing: Writing, html: string): void {
  writing.parts.push(html);
  writing.length += html.length;
}

/** The text of a `pre` may have several lines; it is cut where they begin, if it is as long as its source. */
function writeText({ value, start, end }: TextNode, writing: Writing): void {
  const { spans } = writing;
  const isPlaced = value.trim() !== "" && start >= 0;
  const cuts = isPlaced && value.length === end - start ? spans.startsBetween(start, end) : [];
  for (const [at, from] of [start, ...cuts].entries()) {
    const to = cuts[at] ?? end;
    const line = isPlaced ? spans.find(from, to) : undefined;
    const text = escapeHtml(cuts.length === 0 ? value : value.slice(from - start, to - start));
    put(writing, line === undefined ? text : `<span data-line="${line}">${text}</span>`);
  }
}

/** Images are not fetched; their alt text takes their place. */
function writeImage({ attributes }: ElementNode, writing: Writing): void {
  const alt = (attributes.get("alt") ?? "").slice(0, MOST_VALUE).trim();
  if (alt !== "") put(writing, `<span class="thresher-image">${escapeHtml(alt)}</span>`);
}

function writeAttributes({ attributes }: ElementNode): string {
  let written = "";
  for (const [name, value] of attributes) {
    if (value.length > MOST_VALUE) continue;
    if (ATTRIBUTES.has(name)) written += ` ${name}="${escapeHtml(value)}"`;
    else if (name === "style") written += ` style="${escapeHtml(cleanStyle(value))}"`;
  }
  return written;
}

function readStyles(root: ElementNode): string {
  let styles = "";
  const stack: TreeNode[] = [root];
  for (let node = stack.pop(); node !== undefined && styles.length < MOST_STYLE; node = stack.pop()) {
    if (node.kind === "text") continue;
    if (node.tag === "style")
      for (const child of node.children) styles += child.kind === "text" ? `${child.value}\n` : "";
    else for (const child of node.children.toReversed()) stack.push(child);
  }
  return styles.slice(0, MOST_STYLE);
}

/** CSS that fetches or runs something, or could hide such code. */
const UNSAFE =
  /url\s*\(|@import|@font-face|@namespace|image-set|src\s*\(|expression|-moz-binding|behavior|[\\<]/i;

/** Drops unsafe declarations and selectors, in linear time because styles come from outside. */
function cleanStyle(css: string): string {
  return dropComments(css)
    .split(/([{};])/)
    .map((part) => (UNSAFE.test(part) ? "" : part))
    .join("");
}

function dropComments(css: string): string {
  let kept = "";
  let at = 0;
  for (let start = css.indexOf("/*"); start !== -1; start = css.indexOf("/*", at)) {
    kept += css.slice(at, start);
    const end = css.indexOf("*/", start + 2);
    if (end === -1) return kept;
    at = end + 2;
  }
  return kept + css.slice(at);
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("\u0000", "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

interface LineSpans {
  /** Returns the line that has text in [start, end); of several, the innermost, which begins last. */
  find(start: number, end: number): number | undefined;
  /** Returns where lines begin between two positions, in order, each once. */
  startsBetween(start: number, end: number): number[];
}

/** Most steps back through nested spans. */
const MOST_STEPS = 50;

function listSpans(lines: readonly Line[]): LineSpans {
  const spans = lines
    .flatMap(({ span, text }, line) =>
      span === undefined || text.trim() === "" ? [] : [{ line, start: span[0], end: span[1] }],
    )
    .sort((a, b) => a.start - b.start || b.end - a.end);
  /** The number of spans that begin before a position. */
  const countBefore = (end: number): number => {
    let [low, high] = [0, spans.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((spans[middle]?.start ?? 0) < end) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    startsBetween: (start, end) => [
      ...new Set(spans.slice(countBefore(start + 1), countBefore(end)).map((span) => span.start)),
    ],
    find(start, end) {
      const low = countBefore(end);
      for (let at = low - 1; at >= Math.max(0, low - MOST_STEPS); at -= 1) {
        const span = spans[at];
        if (span !== undefined && span.end > start) return span.line;
      }
      return undefined;
    },
  };
}
