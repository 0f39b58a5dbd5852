/** Reads the meaning of an inline element: emphasis, code, a formula, a reference to a note, an anchor. */
import type { SpanKind } from "../../document.js";
import type { ElementNode } from "../../document/tree.js";
import { classOf, styleOf } from "../bounded-attributes.js";
import { isAnchor, isButtonIn, isLineNumber } from "./left-out.js";
import { readCents } from "../lines/text/cents.js";
import { readFormula } from "./formulas/formula.js";
import { readImage } from "./media/image.js";
import { readMedia } from "./media/media.js";
import { readNoscript } from "./media/noscript-image.js";
import { readNoteTarget, readPaperMark } from "./notes.js";
import { DROPPED, type Mark, type Meaning } from "./spans.js";

const KINDS: ReadonlyMap<string, SpanKind> = new Map([
  ["em", "em"],
  ["i", "em"],
  ["strong", "strong"],
  ["b", "strong"],
  ["code", "code"],
  ["kbd", "code"],
  ["samp", "code"],
  ["tt", "code"],
  ["del", "del"],
  ["s", "del"],
  ["strike", "del"],
  // Browsers draw these in italics: titles of works, terms that are defined, variables.
  ["cite", "em"],
  ["dfn", "em"],
  ["var", "em"],
  ["sub", "sub"],
  ["sup", "sup"],
]);

/** The largest depth of nested spans; a page with more is broken. */
const MAX_DEPTH = 12;

interface Seen {
  /** The heading that the element is in. */
  readonly heading: ElementNode | undefined;
  /** Whether the element is in a block of code. */
  readonly isInCode: boolean;
  /** Whether the element's names may give it a meaning (see telling.ts). */
  readonly isTelling: boolean;
}

/** Tags of elements that may have a meaning whatever their attributes are. */
const MEANT: ReadonlySet<string> = new Set([...KINDS.keys(), "math", "mjx-container"]);

/** Whether an inline element outside of headings and code may have a meaning by its tag, style or target. */
export function mayMean(element: ElementNode): boolean {
  const { tag, attributes } = element;
  if (tag === "a") return leadsIntoPage(element);
  return MEANT.has(tag) || (attributes.size > 0 && attributes.has("style"));
}

/** The meaning of an inline element; undefined if it has no meaning of its own. */
export function readMeaning(element: ElementNode, seen: Seen): Meaning | undefined {
  const { heading, isInCode, isTelling } = seen;
  const { tag, attributes } = element;
  const kind =
    KINDS.get(tag) ??
    (attributes.has("style") ? readStyledKind(element) : undefined) ??
    (isTelling && tag === "span" ? readNamedKind(element) : undefined);
  if (kind !== undefined) {
    if (isTelling && isLineNumber(element)) return DROPPED;
    if (kind === "code" && isTelling && !isInCode) return readFormula(element) ?? { kind };
    if (kind === "sup" && readCents(element) !== undefined) return undefined;
    const mark = kind === "sup" ? readPaperMark(element) : undefined;
    if (mark !== undefined) return mark.note === undefined ? DROPPED : { kind: "note", note: mark.note };
    return isPlain(element, kind) ? undefined : { kind };
  }
  if (isTelling || tag === "math" || tag === "mjx-container" || attributes.has("data-formula")) {
    const formula = readFormula(element);
    if (formula !== undefined) return formula;
  }
  if ((isInCode && tag === "button") || isButtonIn(heading, element)) return DROPPED;
  if (!isTelling && !leadsIntoPage(element)) return undefined;
  if (isAnchor(element, seen) || (isTelling && isLineNumber(element))) return DROPPED;
  const target = tag === "a" ? readNoteTarget(element) : undefined;
  return target === undefined ? undefined : { kind: "note", note: target.note };
}

/** Whether an element is a link with a hash, as all anchors and references to notes are. */
function leadsIntoPage({ tag, attributes }: ElementNode): boolean {
  return tag === "a" && attributes.get("href")?.includes("#") === true;
}

/** Reads inline styles, which some editors write in place of elements: `<span style="font-weight: 700">`. */
function readStyledKind(element: ElementNode): SpanKind | undefined {
  if (element.tag !== "span" && element.tag !== "font") return undefined;
  const style = styleOf(element).toLowerCase();
  if (/font-weight\s*:\s*(?:bold|[6-9]00)/.test(style)) return "strong";
  if (/font-style\s*:\s*(?:italic|oblique)/.test(style)) return "em";
  return /text-decoration(?:-line)?\s*:[^;]*line-through/.test(style) ? "del" : undefined;
}

/** The class names of LaTeXML for bold and italic text. */
export const FONT_CLASS = /(?:^|\s)ltx_font_(bold|italic)(?:$|\s)/;

function readNamedKind(element: ElementNode): SpanKind | undefined {
  const font = FONT_CLASS.exec(classOf(element))?.[1];
  return font === undefined ? undefined : font === "bold" ? "strong" : "em";
}

/** The class names of icons, which may have a text for screen readers: "a-icon", "eds-icon--small", "emoji". */
const ICON_CLASS = /(?:^|[\s_-])(?:icons?|emoji)(?:$|[\s_-])/i;

/**
 * Editors paste `<b style="font-weight: normal">` around whole texts, LaTeXML marks references to papers as `cite`, and
 * many sites draw icons in `i`.
 */
function isPlain(element: ElementNode, kind: SpanKind): boolean {
  const { tag, attributes, parent } = element;
  if (tag === "i") return ICON_CLASS.test(classOf(element));
  if (tag === "b" && parent?.tag === "i" && ICON_CLASS.test(classOf(parent))) return true;
  if (tag === "cite") return /(?:^|\s)(?:ltx_cite|citation)(?:$|\s)/.test(attributes.get("class") ?? "");
  return kind === "strong" && /font-weight\s*:\s*(?:normal|[1-4]00)/i.test(styleOf(element));
}

/**
 * Opens a span inside another; undefined if an open span already has the same meaning or is opaque, or if too many are
 * open. A reference to a note holds only its number, which may be raised.
 */
export function openMark(meaning: Meaning, outer: Mark | undefined): Mark | undefined {
  const depth = (outer?.depth ?? 0) + 1;
  if (depth > MAX_DEPTH) return undefined;
  for (let open = outer; open !== undefined; open = open.outer) {
    const { kind } = open.meaning;
    if (kind === meaning.kind || kind === "math" || kind === "drop") return undefined;
    if (kind === "note" && meaning.kind !== "sup") return undefined;
  }
  return { meaning, outer, depth, line: undefined, start: 0, end: 0 };
}

/** Reads an element without text: a formula, or an image or video if images are kept; undefined for all others. */
export function readDrawn(element: ElementNode, images: "drop" | "keep"): Meaning | undefined {
  const { tag } = element;
  if (tag === "script") return readFormula(element);
  if (tag === "iframe" || tag === "video" || tag === "amp-video")
    return images === "keep" ? readMedia(element) : undefined;
  if (tag === "noscript") return images === "keep" ? readNoscript(element) : undefined;
  if (tag !== "img" && tag !== "amp-img" && tag !== "amp-anim") return undefined;
  return readFormula(element) ?? (images === "keep" ? readImage(element) : undefined);
}
