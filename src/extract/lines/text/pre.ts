/**
 * Joins the text nodes of one `pre` into verbatim text, and cuts it into one piece for each stretch without a blank
 * line.
 */
import { type InlineSpan, type Link } from "../../../document.js";
import { type TextNode, type ElementNode, type TreeNode } from "../../../document/tree.js";
import { findInk, isBlank, normalisePre } from "./characters.js";
import { NO_LINKS, type Around, type RunText, type Target } from "./text-run.js";
import { traitsOf } from "../line-tags.js";
import { classOf } from "../../bounded-attributes.js";

export interface PreRun {
  /** `hasBreaks`: line breaks of the source are not drawn, because a `<br>` ends each line. */
  add(node: TextNode, around: Around, hasBreaks?: boolean): void;
  /** A `<br>`. */
  breakLine(): void;
  /** The number of a line, which is left out. */
  skipNumber(): void;
  /** The edge of a block inside the `pre`: a line break unless there is one already. */
  endLine(): void;
  /**
   * Ends the run and starts the next. The returned pieces, joined, are the text of the block without whitespace at its
   * end.
   */
  take(): readonly RunText[];
}

/** Where the text of one node is in the text of the run. */
interface Mark {
  start: number;
  end: number;
  readonly node: TextNode;
  readonly target: Target | undefined;
  /** The text is a mark beside the code. */
  readonly isDropped: boolean;
  /** Whether each character of the text is one source character, or a CR LF pair; `hasPairs` if there are pairs. */
  readonly isExact: boolean;
  readonly hasPairs: boolean;
  /** The last offset that was looked up, in the text and in the source. Offsets are looked up in order. */
  readonly last: { text: number; source: number };
}

/**
 * The most pieces of all blocks of a page; the rest is not cut. A line takes 300 bytes. The limit on elements of a tree
 * is the same.
 */
const MAX_PIECES = 300_000;
/** A CR is a line break, alone or with the LF after it. */
const CARRIAGE_RETURNS = /\r\n?/g;

export function createPreRun(): PreRun {
  let text = "";
  // Asking the growing text for its end would copy all of it each time.
  let isAtBreak = true;
  let marks: Mark[] = [];
  let skipped: number[] = [];
  let cut = 0;
  return {
    add(node, { target, mark }, hasBreaks = false) {
      const start = text.length;
      const { value } = node;
      const drawn = hasBreaks ? dropSourceBreaks(value, isAtBreak) : value;
      const unified = drawn.includes("\r") ? drawn.replace(CARRIAGE_RETURNS, "\n") : drawn;
      const added = normalisePre(unified);
      text += added;
      if (added !== "") isAtBreak = added.endsWith("\n");
      const isExact =
        drawn === value && node.end - node.start === value.length && text.length - start === unified.length;
      const hasPairs = unified.length < value.length;
      const last = { text: start, source: node.start };
      const isDropped = mark?.meaning.kind === "drop";
      marks.push({ start, end: text.length, node, target, isDropped, isExact, hasPairs, last });
    },
    breakLine() {
      text += "\n";
      isAtBreak = true;
    },
    skipNumber() {
      skipped.push(text.length);
    },
    endLine() {
      if (!isAtBreak) text += "\n";
      isAtBreak = true;
    },
    take() {
      if (skipped.length > 1) text = dropGaps(text, marks, skipped);
      const pieces = isBlank(text) ? [] : cutPieces(text.trimEnd(), marks, MAX_PIECES - cut);
      cut += pieces.length;
      text = "";
      isAtBreak = true;
      marks = [];
      skipped = [];
      return pieces;
    },
  };
}

/** A line break of the source and the white space after it, which are drawn as one space. */
const SOURCE_BREAK = /[\n\r][ \t\n\r]*/g;

function dropSourceBreaks(text: string, isAtBreak: boolean): string {
  const bare = isAtBreak ? text.replace(/^[ \t\n\r]+/, "") : text;
  return bare.replace(SOURCE_BREAK, " ");
}

/**
 * Drops the space behind the number of each line, if it is behind all numbers but those of blank lines. `numbers` are
 * the offsets where they were; the marks move with their text.
 */
function dropGaps(text: string, marks: readonly Mark[], numbers: readonly number[]): string {
  if (!numbers.every((at) => /^[ \n]?$/.test(text.charAt(at)))) return text;
  const gaps = [...new Set(numbers)].filter((at) => text.charAt(at) === " ");
  let next = 0;
  for (const mark of marks) {
    const isBehind = mark.start === gaps[next] && mark.end > mark.start;
    mark.start -= next;
    mark.last.text = mark.start;
    if (isBehind) {
      mark.last.source += 1;
      next += 1;
    }
    mark.end -= next;
  }
  let code = "";
  let from = 0;
  for (const at of gaps) {
    code += text.slice(from, at);
    from = at + 1;
  }
  return code + text.slice(from);
}

function cutPieces(text: string, marks: readonly Mark[], most: number): RunText[] {
  const pieces: RunText[] = [];
  let start = 0;
  let next = 0;
  for (const end of [...findBlankLines(text, most - 1), text.length]) {
    const piece = text.slice(start, end);
    if (isBlank(piece) && end < text.length) continue;
    while ((marks[next]?.end ?? end) <= start && next < marks.length) next += 1;
    pieces.push(toPiece(piece, start, marks, next));
    start = end;
  }
  return pieces;
}

/** Returns the offsets at which runs of blank lines end, at most `most`. */
function findBlankLines(text: string, most: number): number[] {
  const ends: number[] = [];
  for (let at = text.indexOf("\n"); at >= 0 && ends.length < most; at = text.indexOf("\n", at)) {
    const first = at + 1;
    let end = first;
    for (at = first; BLANK.has(text.charAt(at)); at += 1) if (text.charAt(at) === "\n") end = at + 1;
    if (end > first) ends.push(end);
  }
  return ends;
}

const BLANK: ReadonlySet<string> = new Set([" ", "\t", "\n"]);

/** Finds the links, spans and source of a piece among the marks from index `first` on. */
function toPiece(text: string, offset: number, marks: readonly Mark[], first: number): RunText {
  let links: Link[] | undefined;
  let spans: InlineSpan[] | undefined;
  const end = offset + text.length;
  let from = -1;
  let to = -1;
  for (let index = first; index < marks.length; index += 1) {
    const mark = marks[index];
    if (mark === undefined || mark.start >= end) break;
    const start = Math.max(mark.start, offset);
    const part = text.slice(start - offset, mark.end - offset);
    if (mark.isDropped)
      (spans ??= []).push({ kind: "drop", start: start - offset, end: start - offset + part.length });
    if (isBlank(part) || mark.node.start < 0) continue;
    if (mark.target !== undefined) {
      (links ??= []).push({
        start: start - offset,
        end: start - offset + part.length,
        href: mark.target.href,
      });
    }
    const [sourceStart, sourceEnd] = locate(mark, start, part);
    from = from < 0 ? sourceStart : Math.min(from, sourceStart);
    to = Math.max(to, sourceEnd);
  }
  return { text, links: links ?? NO_LINKS, spans, span: from < 0 ? undefined : [from, to] };
}

/**
 * Returns the source offsets of `part`, which starts at `start` of the text: exact if the node is, else those of the
 * whole node.
 */
function locate(mark: Mark, start: number, part: string): readonly [number, number] {
  if (!mark.isExact) return [mark.node.start, mark.node.end];
  const [from, to] = findInk(part);
  return [findSource(mark, start + from), findSource(mark, start + to)];
}

function findSource({ node, hasPairs, last }: Mark, at: number): number {
  if (!hasPairs) return last.source + at - last.text;
  for (; last.text < at; last.text += 1)
    last.source += node.value.startsWith("\r\n", last.source - node.start) ? 2 : 1;
  return last.source;
}

/* Checks whether the blocks inside a `pre` are the lines of highlighted code, or a page of their own. */

/**
 * Elements that highlighters use for lines: `<pre><code><div>…`, `<pre><ol><li>…`. A stray `<pre>` holds other blocks
 * as well.
 */
const LINE_TAGS: ReadonlySet<string> = new Set(["div", "ol", "ul", "li"]);
/** The deepest nesting of boxes and lines that is read; three levels are the most that were found. */
const MAX_NESTED = 4;

/**
 * Checks whether all blocks inside a `pre` are lines of code. Stops at the first block that no highlighter writes. Does
 * not recurse.
 */
export function holdsCodeLines(pre: ElementNode): boolean {
  const open = [{ element: pre, next: 0, blocks: 0 }];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const child = top.element.children[top.next];
    top.next += 1;
    if (child === undefined) open.pop();
    else if (child.kind === "element") {
      const isBlock = traitsOf(child.tag).block !== undefined;
      if (isBlock && (!LINE_TAGS.has(child.tag) || top.blocks === MAX_NESTED)) return false;
      open.push({ element: child, next: 0, blocks: top.blocks + (isBlock ? 1 : 0) });
    }
  }
  return true;
}

/**
 * Class names in Shiki, GitBook and others for a line of code that only the style sheet puts below the one before,
 * without a line break between them.
 */
const CODE_LINE = /(?:^|\s)(?:(?:[a-z]+-){0,3}line|line-of-code\w*)(?=\s|$)/;
/** Class name of a line that Gatsby highlights; Gatsby leaves out the line break after it. */
const GATSBY_LINE = /(?:^|\s)gatsby-highlight-code-line(?=\s|$)/;

/** Checks whether an element is such a line. */
export function isGatsbyLine(element: ElementNode): boolean {
  return GATSBY_LINE.test(classOf(element));
}

/**
 * Checks whether an element of code is a line right after another one without a break between them; `at` is its index
 * in its parent.
 */
export function isNextCodeLine(element: ElementNode, at: number): boolean {
  const before = element.parent?.children[at - 1];
  if (before?.kind !== "element" || before.tag !== element.tag) return false;
  if (element.tag === "code" && element.parent?.tag === "pre")
    return !endsInBreak(before) && element.parent.children.slice(0, MAX_BESIDE).every(isCode);
  if (!CODE_LINE.test(classOf(element)) || !CODE_LINE.test(classOf(before))) return false;
  return !isGatsbyLine(before) && !endsInBreak(before);
}

/** Children of a `pre` that are looked at. */
const MAX_BESIDE = 20;

/** WeChat has a `pre` of nothing but one `code` for each line. */
function isCode(node: TreeNode): boolean {
  return node.kind === "element" && node.tag === "code";
}

function endsInBreak(element: ElementNode): boolean {
  let last: TreeNode | undefined = element;
  for (let depth = 0; last?.kind === "element" && depth < MAX_NESTED; depth += 1) {
    if (last.tag === "br") return true;
    last = last.children.at(-1);
  }
  return last?.kind === "text" && /[\n\r]$/.test(last.value);
}
