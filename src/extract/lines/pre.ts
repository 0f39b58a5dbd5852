/** Joins the text nodes of one `pre` into its text, verbatim, in one piece for each stretch without a blank line. */
import type { Link } from "../../document.js";
import type { TextNode, ElementNode } from "../../tree.js";
import { findInk, isBlank, normalisePre } from "./characters.js";
import { NO_LINKS, type RunText, type Target } from "./text-run.js";
import { traitsOf } from "./line-tags.js";

export interface PreRun {
  add(node: TextNode, target: Target | undefined): void;
  /** A `<br>`. */
  breakLine(): void;
  /** The edge of a block inside the `pre`: a line break unless there is one already. */
  endLine(): void;
  /** Ends the run and starts the next. The pieces joined are the block without the white space at its end. */
  take(): readonly RunText[];
}

/** Where the text of one node went. */
interface Mark {
  readonly start: number;
  readonly end: number;
  readonly node: TextNode;
  readonly target: Target | undefined;
}

/** Blank lines, with the line break before them. */
const BLANK_LINES = /\n(?:[ \t]*\n)+/g;

export function createPreRun(): PreRun {
  let text = "";
  let marks: Mark[] = [];
  return {
    add(node, target) {
      const start = text.length;
      text += normalisePre(node.value);
      marks.push({ start, end: text.length, node, target });
    },
    breakLine() {
      text += "\n";
    },
    endLine() {
      if (text !== "" && !text.endsWith("\n")) text += "\n";
    },
    take() {
      const pieces = isBlank(text) ? [] : cutPieces(text.trimEnd(), marks);
      text = "";
      marks = [];
      return pieces;
    },
  };
}

function cutPieces(text: string, marks: readonly Mark[]): RunText[] {
  const cuts = [...text.matchAll(BLANK_LINES)].map((match) => match.index + match[0].length);
  const pieces: RunText[] = [];
  let start = 0;
  let next = 0;
  for (const end of [...cuts, text.length]) {
    const piece = text.slice(start, end);
    if (isBlank(piece) && end < text.length) continue;
    while ((marks[next]?.end ?? end) <= start && next < marks.length) next += 1;
    pieces.push(toPiece(piece, start, marks, next));
    start = end;
  }
  return pieces;
}

/** Finds links and source of a piece among the marks from `first` on. */
function toPiece(text: string, offset: number, marks: readonly Mark[], first: number): RunText {
  let links: Link[] | undefined;
  const end = offset + text.length;
  let from = -1;
  let to = -1;
  for (let index = first; index < marks.length; index += 1) {
    const mark = marks[index];
    if (mark === undefined || mark.start >= end) break;
    const start = Math.max(mark.start, offset);
    const part = text.slice(start - offset, mark.end - offset);
    if (isBlank(part)) continue;
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
  return { text, links: links ?? NO_LINKS, span: from < 0 ? undefined : [from, to] };
}

/** The source of `part`, which starts at `start` of the text: exact where the node is, else that of the whole node. */
function locate(mark: Mark, start: number, part: string): readonly [number, number] {
  const { node } = mark;
  const isExact = node.end - node.start === node.value.length && node.value.length === mark.end - mark.start;
  if (!isExact) return [node.start, node.end];
  const [from, to] = findInk(part);
  const base = node.start + start - mark.start;
  return [base + from, base + to];
}

/* Whether the blocks inside of a `pre` are the lines of its code, as highlighters write them, or a page of their own. */

/** What highlighters make lines of: `<pre><code><div>…`, `<pre><ol><li>…`. A stray `<pre>` holds other blocks as well. */
const LINE_TAGS: ReadonlySet<string> = new Set(["div", "ol", "ul", "li"]);
/** Boxes and lines inside of each other, at most; three are the most that were met. */
const MAX_NESTED = 4;

/** Works without recursion, and looks no further than to the first block that no highlighter writes. */
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
