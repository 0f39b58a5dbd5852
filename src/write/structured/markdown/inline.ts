/** Writes the content of a line as Markdown: emphasis, code, links, images, formulas, references to notes. */
import type { InlineSpan } from "../../../document.js";
import { isSafeTarget } from "../../targets.js";
import { plainText, type Inline, type InlineNode } from "../inline.js";

/** Settings that all lines of a document share. */
export interface InlineStyle {
  /** Makes a URL absolute. */
  readonly resolve: (href: string) => string;
  /** The labels of the notes that are shown, by id. */
  readonly notes: ReadonlyMap<string, string>;
  /** Whether the document has formulas: then dollar signs in its text are escaped. */
  readonly hasMath: boolean;
  /** Whether the text is the label of a link or an image, where brackets must be escaped. */
  readonly isLabel?: boolean;
  /** Whether the text is in the cell of a table. */
  readonly isCell?: boolean;
}

/** The characters before and after a part; "" at the ends of the line. */
interface Place {
  readonly before: string;
  readonly after: string;
}

const EDGE: Place = { before: "", after: "" };

export function writeInline(parts: readonly Inline[], style: InlineStyle, around: Place = EDGE): string {
  const [only] = parts;
  if (typeof only === "string" && parts.length === 1) return escapeText(only, style);
  const written: string[] = [];
  let { before } = around;
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] ?? "";
    const next = parts[at + 1];
    const after = next === undefined ? around.after : firstOf(next, part, parts[at + 2] ?? around.after);
    const text =
      typeof part === "string" ? escapeText(part, style) : writeNode(part, style, { before, after });
    if (text === "") continue;
    // After an exclamation mark, a link would be read as an image.
    const last = written.at(-1);
    if (last?.endsWith("!") === true && text.startsWith("["))
      written.splice(-1, 1, `${last.slice(0, -1)}\\!`);
    // Adjacent code spans need a space, or their fences would be read as one.
    written.push(before === "`" && text.startsWith("`") ? ` ${text}` : text);
    before = text.at(-1) ?? before;
  }
  return written.join("");
}

/** The first character of a part, as far as it is known before the part is written. */
function firstOf(part: Inline, last?: Inline, next: Inline = ""): string {
  if (typeof part === "string") return part.charAt(0);
  const { kind } = part.span;
  // Beside bold text, italic text gets underscores, or no marks if a letter follows it.
  if (kind === "em" && typeof last === "object" && last.span.kind === "strong")
    return isLetter(firstOf(next)) ? plainText(part.parts).charAt(0) : "_";
  return kind === "em" || kind === "strong" ? "*" : "`";
}

function writeNode({ span, parts }: InlineNode, style: InlineStyle, place: Place): string {
  switch (span.kind) {
    case "em":
      return emphasise(parts, style, { marks: ["*", "_"], place });
    case "strong":
      return emphasise(parts, style, { marks: ["**"], place });
    case "del":
      return emphasise(parts, style, { marks: ["~~"], place });
    case "code":
      return writeCode(plainText(parts), style);
    case "sub":
    case "sup":
      return writeRaised(span.kind, parts, style, place);
    case "link":
      return writeLink(parts, span, style);
    case "image":
      return writeImage(span, style);
    case "math":
      return writeMath(span);
    case "note":
      return writeReference(parts, span, style, place);
    case "drop":
      return "";
  }
}

interface Emphasis {
  /** The usual mark, and another one to use where the first would touch a mark of the same character. */
  readonly marks: readonly string[];
  readonly place: Place;
}

/**
 * Whitespace is moved out of the marks. Marks that CommonMark would not read as emphasis are left out (0.31, 6.2); then
 * the parts are written again, because they are beside other characters.
 */
function emphasise(parts: readonly Inline[], style: InlineStyle, { marks, place }: Emphasis): string {
  const [mark = "", other = mark] = marks;
  const edge = parts.some((part) => typeof part === "object" && part.span.kind === "strong") ? other : mark;
  const inside = writeInline(parts, style, { before: edge.charAt(0), after: edge.charAt(0) });
  const { start, text, end } = partSpaces(inside);
  if (text === "") return inside;
  const before = start === "" ? place.before : " ";
  const after = end === "" ? place.after : " ";
  const isCrowded =
    (edge !== mark && /^\*|\*$/.test(text)) ||
    [before, text.charAt(0), text.at(-1), after].includes(mark.charAt(0));
  const isInWord = isLetter(before) || isLetter(after);
  if (isCrowded && (other === mark || isInWord)) return isSafe(before, text, after, mark) ? wrap() : bare();
  const used = isCrowded ? other : mark;
  const { opening, core, closing } = partEdges(before, text, after);
  if (!canOpen(opening.at(-1) ?? before, core) || !canClose(core, closing.at(0) ?? after)) return bare();
  return core === "" ? bare() : `${start}${opening}${used}${core}${used}${closing}${end}`;

  function bare(): string {
    return writeInline(parts, style, place);
  }

  function wrap(): string {
    return `${start}${mark}${text}${mark}${end}`;
  }
}

/** Splits a text into the whitespace at its ends and the text between. */
function partSpaces(whole: string): { readonly start: string; readonly text: string; readonly end: string } {
  const text = whole.trim();
  if (text.length === whole.length) return { start: "", text, end: "" };
  const behind = whole.trimStart();
  const start = whole.slice(0, whole.length - behind.length);
  return { start, text, end: behind.slice(text.length) };
}

/**
 * Whether marks are read as intended: with whitespace, punctuation or nothing around them, and not beside the same
 * character.
 */
function isSafe(before: string, text: string, after: string, mark: string): boolean {
  const isApart = (character: string): boolean => character === "" || /[\s\p{P}]/u.test(character);
  const isAlone = isApart(before) && isApart(after) && before !== mark.charAt(0) && after !== mark.charAt(0);
  return isAlone && text.charAt(0) !== mark.charAt(0) && text.at(-1) !== mark.charAt(0);
}

function canOpen(before: string, text: string): boolean {
  return !isPunctuation(text.charAt(0)) || !isWordPart(before);
}

function canClose(text: string, after: string): boolean {
  return !isPunctuation(text.at(-1) ?? "") || !isWordPart(after);
}

interface Edges {
  readonly opening: string;
  readonly core: string;
  readonly closing: string;
}

/**
 * Moves punctuation at the ends of a text out of the marks if they would not be read as marks otherwise:
 * "**Flour**:white". Characters that are or may be Markdown stay inside.
 */
function partEdges(before: string, text: string, after: string): Edges {
  const [opening = ""] = canOpen(before, text) ? [] : (/^[\p{P}\p{S}]+\s*/u.exec(text) ?? []);
  const [closing = ""] = canClose(text, after) ? [] : (/\s*[\p{P}\p{S}]+$/u.exec(text) ?? []);
  const isPlain =
    opening.length + closing.length < text.length && !/[*_~`[\](){}<>\\!&$#]/.test(opening + closing);
  if (!isPlain) return { opening: "", core: text, closing: "" };
  return { opening, core: text.slice(opening.length, text.length - closing.length), closing };
}

function isPunctuation(character: string): boolean {
  return /[\p{P}\p{S}\p{Cs}]/u.test(character);
}

/**
 * Whether a character is neither whitespace nor punctuation. Half a surrogate pair may be either, and counts as both.
 */
function isWordPart(character: string): boolean {
  return character !== "" && !/[\s\p{P}\p{S}]/u.test(character);
}

function isLetter(character: string): boolean {
  return /[\p{L}\p{N}\p{M}\p{Cs}]/u.test(character);
}

/**
 * Moves whitespace at the ends out of the code span. In a cell, a code span cannot hold a pipe after a backslash: some
 * parsers would end the cell there.
 */
function writeCode(code: string, style: InlineStyle): string {
  const { start, text, end } = partSpaces(code);
  const isSpan = style.isCell !== true || !text.includes("\\|");
  return `${start}${isSpan ? writeCodeSpan(text) : `<code>${escapeText(text, style)}</code>`}${end}`;
}

/** Writes a code span. Its fence differs in length from all runs of backticks inside (CommonMark 0.31, 6.1). */
function writeCodeSpan(code: string): string {
  const text = code.replace(/\s+/g, " ");
  if (text.trim() === "") return text;
  const runs = new Set([...text.matchAll(/`+/g)].map(([run]) => run.length));
  let length = 1;
  while (runs.has(length)) length += 1;
  const fence = "`".repeat(length);
  const isPadded = /^`|`$|^ .*[^ ].* $/.test(text);
  return isPadded ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`;
}

function writeRaised(tag: "sub" | "sup", parts: readonly Inline[], style: InlineStyle, place: Place): string {
  const [only, other] = parts;
  const note = other === undefined && typeof only === "object" ? only.span.note : undefined;
  if (note !== undefined && (style.notes.has(note) || isApart(parts)))
    return writeInline(parts, style, place);
  const inside = writeInline(parts, style, { before: ">", after: "<" });
  return inside.trim() === "" ? inside : `<${tag}>${inside}</${tag}>`;
}

/** Whether a mark needs no `sup`: unlike one in brackets, a bare number or letter would be joined with the word before. */
function isApart(mark: readonly Inline[]): boolean {
  return !/^[\p{L}\p{N}]/u.test(plainText(mark));
}

function writeLink(parts: readonly Inline[], { href = "" }: InlineSpan, style: InlineStyle): string {
  const label = writeInline(parts, { ...style, isLabel: true }, { before: "[", after: "]" });
  if (isReference(parts, style) || !isSafeTarget(href)) return label;
  const { start, text, end } = partSpaces(label);
  const target = style.resolve(href);
  return text === "" || target === "" ? label : `${start}[${text}](${writeTarget(target)})${end}`;
}

/** Whether a link holds nothing but a reference to a note that is shown, which is written as a link anyway. */
function isReference([only, other]: readonly Inline[], style: InlineStyle): boolean {
  if (other !== undefined || typeof only !== "object") return false;
  return style.notes.has(only.span.note ?? "") || isReference(only.parts, style);
}

export function writeImage({ src = "", alt = "", href = "" }: InlineSpan, style: InlineStyle): string {
  if (!isSafeTarget(src)) return "";
  // A video without a poster is written as a link with its title.
  if (src === "")
    return href === "" || !isSafeTarget(href)
      ? ""
      : writeLink([alt], { kind: "link", start: 0, end: 0, href }, style);
  const image = `![${escapeText(alt, { ...style, isLabel: true })}](${writeTarget(style.resolve(src))})`;
  return href === "" || !isSafeTarget(href) ? image : `[${image}](${writeTarget(style.resolve(href))})`;
}

function writeTarget(href: string): string {
  return href.replace(/[\s<>()\\]/g, (character) =>
    encodeURIComponent(character).replace(/[()]/g, escapeByte),
  );
}

function escapeByte(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

export function writeMath({ tex = "", isDisplay }: InlineSpan): string {
  const source = cleanTex(tex);
  return isDisplay === true ? `$$${source}$$` : `$${source}$`;
}

/** Signs that could end the formula or begin code, also after a backslash, and their names. */
const SIGNS: Readonly<Record<string, string>> = {
  $: "\\text{\\textdollar}",
  "`": "\\text{\\textasciigrave}",
};

/** Escapes TeX so that renderers without support for formulas read no code, link or tag in it. */
export function cleanTex(tex: string): string {
  const named = nameBrackets(tex).replace(/\\.|[$`]/gs, (found) => SIGNS[found.at(-1) ?? ""] ?? found);
  return (
    named
      .replace(/<(?=[a-z/!?])/gi, "\\lt ")
      .replaceAll("](", "] (")
      .replace(/\s+/g, " ")
      .trim()
      // The backslash of a space at the end would escape the dollar sign.
      .replace(/(?<!\\)((?:\\\\)*)\\$/, "$1")
  );
}

/** Replaces brackets without a counterpart, because they could form a link with a bracket outside of the formula. */
function nameBrackets(tex: string): string {
  const single = new Set<number>();
  const open: number[] = [];
  for (const { 0: found, index } of tex.matchAll(/\\.|[[\]]/gs)) {
    if (found === "[") open.push(index);
    else if (found === "]" && open.pop() === undefined) single.add(index);
  }
  for (const index of open) single.add(index);
  if (single.size === 0) return tex;
  return tex.replace(/[[\]]/g, (found, index: number) => {
    if (!single.has(index)) return found;
    return found === "[" ? "\\lbrack " : "\\rbrack ";
  });
}

function writeReference(
  parts: readonly Inline[],
  { note = "" }: InlineSpan,
  style: InlineStyle,
  place: Place,
): string {
  const label = style.notes.get(note);
  if (label !== undefined) return `[^${label}]`;
  const [only, other] = parts;
  const isRaised = other === undefined && typeof only === "object" && only.span.kind === "sup";
  // A style raises the number.
  if (!isRaised && /[\p{L}\p{P}]$/u.test(place.before) && /^\p{N}+$/u.test(plainText(parts)))
    return writeRaised("sup", parts, style, place);
  return writeInline(isRaised && isApart(parts) ? only.parts : parts, style, place);
}

/** A quick test, because most lines have no such character. */
const MAY_BE_MARK = /[\\`*<[\]_~&]/;
/** What GitHub's Markdown may read as an address, which becomes a link without the escapes in it (GFM 0.29, 6.9). */
const ADDRESS = /(?<![a-z])(?:https?:\/\/|(?<![^\s(*_~[\]])www\.)[^\s<]+/gi;
/** An address that is certainly one, without characters that other readers could take for marks. */
const PLAIN_ADDRESS = /^(?:https?:\/\/|www\.)[a-z\d.-]+\.[a-z]{2,}(?::\d+)?[/?#][^\\\]]*$/i;

/** Leaves out the escapes of an address, or escapes where addresses begin in it, so that it is none. */
function writeAddress(address: string): string {
  if (!address.includes("\\")) return address;
  const bare = address.replace(/\\([_~])/g, "$1");
  return PLAIN_ADDRESS.test(bare) ? bare : address.replace(/:(?=\/\/)|(?<=www)\./gi, "\\$&");
}

/** Escapes characters that would start emphasis, code, a link, a tag, an entity or an escape inside a line. */
export function escapeText(
  text: string,
  { hasMath, isLabel = false }: Pick<InlineStyle, "hasMath" | "isLabel">,
): string {
  let escaped = text;
  if (MAY_BE_MARK.test(text)) {
    escaped = text.replace(
      /[\\`*<[\]]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|~(?=~|\S)|(?<=\S)~|&(?=#?\w{1,32};)/gu,
      (character) => (character === "]" && !isLabel ? character : `\\${character}`),
    );
    // In a label, no address becomes a link.
    if (!isLabel && /:\/\/|www\./i.test(text)) escaped = escaped.replace(ADDRESS, writeAddress);
  }
  return hasMath ? escaped.replaceAll("$", "\\$") : escaped;
}

/** A quick test, because most lines do not start with such a character. */
const MAY_START = /^[#>+=|:~[\-\d\s]/;

/**
 * Escapes the start of a line that would be read as a heading, a quote, a list, a rule, a table, an underline or a
 * footnote.
 */
export function escapeStart(text: string): string {
  if (!MAY_START.test(text)) return text;
  return text
    .replace(/^(#{1,6}(?=\s|$)|>|[+-](?=\s|$)|=+\s*$|-+\s*$)/, "\\$1")
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, "$1\\$2")
    .replace(/^(?=[|:\-\s]*-[|:\-\s]*$)(?!\\)/, "\\")
    .replace(/^(~{3})/, "\\$1")
    .replace(/^(\[\^\d+\]):/, "$1\\:");
}
