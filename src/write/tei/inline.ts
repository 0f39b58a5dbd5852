/** Writes inline spans as TEI: emphasis, code, links, images, formulas, note references. */
import type { Document, InlineSpan, LabelledLine } from "../../document.js";
import { plainText, plainTextOf, readInline, type Inline } from "../structured/inline.js";
import { createResolver, isSafeTarget } from "../targets.js";
import { escapeAttribute, escapeXml, wrapMarkup } from "../xml-text.js";
import type { FormatOptions } from "../writer.js";

export interface TeiInline {
  /** Writes the text of a line, with the images and formulas beside it. */
  write(line: LabelledLine): string;
  /** Writes the text alone, without "drop" spans such as line numbers of code. */
  writePlain(line: LabelledLine): string;
}

export function createTeiInline(
  doc: Pick<Document, "url" | "base">,
  { links, images = "drop" }: Pick<FormatOptions, "links" | "images">,
): TeiInline {
  const wishes = { links, images };
  const resolve = createResolver(doc);
  return {
    write(line) {
      const { before, parts, after } = readInline(line, wishes);
      const drawn = (spans: readonly InlineSpan[]): string =>
        spans.map((span) => writeDrawn(span, resolve)).join("");
      return `${drawn(before)}${writeParts(parts, resolve)}${drawn(after)}`;
    },
    writePlain: (line) => escapeXml(plainTextOf(line)),
  };
}

type Resolve = (href: string) => string;

function writeParts(parts: readonly Inline[], resolve: Resolve): string {
  return parts
    .map((part) => (typeof part === "string" ? escapeXml(part) : writeNode(part, resolve)))
    .join("");
}

const RENDITIONS: Readonly<Partial<Record<InlineSpan["kind"], string>>> = {
  em: "italic",
  strong: "bold",
  sub: "sub",
  sup: "sup",
};

function writeNode({ span, parts }: Exclude<Inline, string>, resolve: Resolve): string {
  const { kind, href = "" } = span;
  if (kind === "drop") return "";
  if (kind === "math" || kind === "image") return writeDrawn(span, resolve);
  if (kind === "code") return wrapMarkup("code", escapeXml(plainText(parts)));
  const inner = writeParts(parts, resolve);
  const rendition = RENDITIONS[kind];
  if (rendition !== undefined) return wrapMarkup("hi", inner, ` rend="${rendition}"`);
  if (kind === "del") return wrapMarkup("del", inner);
  if (kind === "note") return wrapMarkup("ref", inner, ' type="note"');
  return refer(href, inner, resolve);
}

function writeDrawn(
  { kind, src = "", alt = "", href = "", tex = "", isDisplay }: InlineSpan,
  resolve: Resolve,
): string {
  if (kind === "math")
    return wrapMarkup(
      "formula",
      escapeXml(tex),
      ` notation="TeX"${isDisplay === true ? ' rend="display"' : ""}`,
    );
  if (kind !== "image" || !isSafeTarget(src)) return "";
  // A video without a poster image becomes a link with its title.
  if (src.trim() === "") return isSafeTarget(href) && href !== "" ? refer(href, escapeXml(alt), resolve) : "";
  const desc = wrapMarkup("desc", escapeXml(alt));
  return refer(href, `<graphic url="${writeTarget(resolve(src))}">${desc}</graphic>`, resolve);
}

function refer(href: string, inner: string, resolve: Resolve): string {
  return isSafeTarget(href) && href.trim() !== ""
    ? wrapMarkup("ref", inner, ` target="${writeTarget(resolve(href))}"`)
    : inner;
}

/** TEI pointers cannot contain whitespace, so it is percent-encoded. */
function writeTarget(href: string): string {
  return escapeAttribute(href.trim().replace(/\s/gu, (space) => encodeURIComponent(space)));
}
