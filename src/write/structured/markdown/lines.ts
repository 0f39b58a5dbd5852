/** Writes the lines of one block as Markdown: a paragraph, heading or term, and the images and formulas beside it. */
import type { InlineSpan, LabelledLine, Line } from "../../../document.js";
import { isHeading, type Leaf } from "../blocks.js";
import { readInline, type Inline, type InlineWishes } from "../inline.js";
import { writeCode } from "./code.js";
import {
  cleanTex,
  escapeStart,
  escapeText,
  writeImage,
  writeInline,
  writeMath,
  type InlineStyle,
} from "./inline.js";
import type { Cells } from "../table/row-cells.js";

export interface Style extends InlineStyle, InlineWishes {
  readonly cells: Cells;
  /** Whether the text is a `dt` or a `summary`. */
  readonly isTerm?: boolean;
}

/** Returns the blocks of a leaf: usually one, and one for each image or formula that is not in the text. */
export function writeLeaf({ lines }: Leaf, style: Style): string[] {
  const [first] = lines;
  if (first === undefined) return [];
  if (first.block === "pre") return [writeCode(lines, undefined)];
  if (lines.length === 1 && isPlain(first, style)) {
    const text = escapeText(first.text, style).trim();
    return text === "" ? [] : [escapeStart(text)];
  }
  const blocks: string[] = [];
  const behind: string[] = [];
  const texts: string[] = [];
  for (const line of lines) {
    const { before, parts, after } = readInline(line, style);
    const display = lines.length === 1 ? displayed(parts) : undefined;
    addAlone(blocks, before, style);
    // Dropped text may leave a space at an end.
    addText(
      texts,
      display === undefined
        ? writeInline(dress(parts, first, style), style).trim()
        : writeAlone(display, style),
    );
    addAlone(behind, after, style);
  }
  addText(blocks, isHeading(first) ? writeHeading(first, texts) : texts.map(escapeStart).join("  \n"));
  return behind.length === 0 ? blocks : [...blocks, ...behind];
}

/** Whether a line is text without spans, links or a style, as most lines are. */
function isPlain(line: LabelledLine, { links, isTerm }: Style): boolean {
  const { spans, block } = line;
  return (
    spans === undefined &&
    (links === "drop" || line.links === undefined) &&
    isTerm !== true &&
    !isHeading({ block })
  );
}

function addAlone(blocks: string[], spans: readonly InlineSpan[], style: Style): void {
  for (const span of spans) addText(blocks, writeAlone(span, style));
}

function addText(texts: string[], text: string): void {
  if (text !== "") texts.push(text);
}

function writeHeading({ block }: Line, texts: readonly string[]): string {
  const joined = texts.join(" ");
  const text = joined.endsWith("#") ? joined.replace(/(?<=\s|^)(#+)$/, "\\$1") : joined;
  return text === "" ? "" : `${"#".repeat(Number(block.slice(1)))} ${text}`;
}

/** The display formula that is the whole line. */
function displayed(parts: readonly Inline[]): InlineSpan | undefined {
  const only = parts.length === 1 ? parts[0] : undefined;
  if (typeof only !== "object") return undefined;
  return only.span.kind === "math" && only.span.isDisplay === true ? only.span : undefined;
}

function dress(parts: readonly Inline[], first: Line, { isTerm = false }: Style): readonly Inline[] {
  if (isHeading(first)) return withoutStrong(parts);
  return isTerm ? makeStrong(parts) : parts;
}

/** Makes parts strong, unless all of them are code, which is already seen to be a name. */
export function makeStrong(parts: readonly Inline[]): readonly Inline[] {
  const words = parts.filter((part) => typeof part !== "string" || part.trim() !== "");
  const [only] = words.length === 1 ? words : [];
  if (typeof only === "object" && only.span.kind === "em") return makeStrong(only.parts);
  const isCode = words.every((part) => typeof part === "object" && part.span.kind === "code");
  const span = { kind: "strong", start: 0, end: 0 } as const;
  return isCode ? parts : [{ span, parts: withoutInner(parts) }];
}

function withoutInner(parts: readonly Inline[]): Inline[] {
  return parts.flatMap((part): Inline[] => {
    if (typeof part === "string") return [part];
    const inner = withoutInner(part.parts);
    return part.span.kind === "strong" ? inner : [{ ...part, parts: inner }];
  });
}

/** Removes strong emphasis that spans the whole text, because headings are strong anyway. */
export function withoutStrong(parts: readonly Inline[]): readonly Inline[] {
  const only = parts.length === 1 ? parts[0] : undefined;
  return typeof only === "object" && only.span.kind === "strong" ? only.parts : parts;
}

function writeAlone(span: InlineSpan, style: Style): string {
  if (span.kind === "image") return writeImage(span, style);
  if (span.kind !== "math") return "";
  return span.isDisplay === true ? `$$\n${cleanTex(span.tex ?? "")}\n$$` : writeMath(span);
}
