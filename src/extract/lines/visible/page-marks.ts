/**
 * Finds the numbers of printed pages and of lines of verse, which e-books have in the middle of their text, even of
 * words.
 */
import type { ElementNode } from "../../../document/tree.js";
import { isOrIsIn } from "../../around.js";
import { smallTextOf } from "./small-text.js";

/** Class names for the number of a page at Project Gutenberg, publishers of court decisions and makers of EPUB. */
const PAGE_CLASS = /(?:^|\s)(?:pagenum|pageno|page-?number|page-?break|star-pagination)(?=\s|$)/i;
const LINE_CLASS = /(?:^|\s)(?:linenum|lineno|line-?number|lnum)(?=\s|$)/i;
/** The role in EPUB of the place where a printed page begins. */
const BREAK_ROLE = /(?:^|\s)(?:doc-)?pagebreak(?=\s|$)/;

/** "[Pg 12]", "{xiv}", "*79", "Seite 8". */
const PAGE_TEXT = /^[\s[({|*]*(?:\p{L}{1,6}\.?\s*)?(?:\d{1,5}|[ivxlc]{1,8})[a-z]?[\s\])}|]*$/iu;
const LINE_TEXT = /^[\s[(]*\d{1,5}[\s\])]*$/;
/** "Page 1 of 3", in which the number is text, is shorter than this. */
const LONGEST_PAGER = 30;
/** Nodes beside a mark that are read. */
const MAX_BESIDE = 100;
/** The most characters and nodes of a mark. */
const MARK = { maxText: 20, maxNodes: 8 };

/** Matches a part of each of those class names, and is quicker to look for. */
const HINT = /page|pagin|line|lnum/i;

/** Checks whether a span is the number of a page or a line; `names` is its class attribute. */
export function isPageMark(span: ElementNode, names: string): boolean {
  const mayBe = names !== "" && HINT.test(names);
  if ((mayBe && PAGE_CLASS.test(names)) || isPageBreak(span))
    return PAGE_TEXT.test(smallTextOf(span, MARK)) && !isInPager(span);
  return (
    mayBe && LINE_CLASS.test(names) && LINE_TEXT.test(smallTextOf(span, MARK)) && !isOrIsIn(span, isCode)
  );
}

function isPageBreak({ attributes }: ElementNode): boolean {
  const role = attributes.get("epub:type") ?? attributes.get("role");
  return role !== undefined && BREAK_ROLE.test(role);
}

/** Checks whether the number is in a pager: its parent has a little text of its own beside it. */
function isInPager({ parent }: ElementNode): boolean {
  let beside = 0;
  for (const node of parent?.children.slice(0, MAX_BESIDE) ?? [])
    if (node.kind === "text") beside += node.value.trim().length;
  return beside > 0 && beside < LONGEST_PAGER;
}

/** Numbers of lines of code have rules of their own (left-out.ts); in rows of a table they are part of the text. */
function isCode({ tag }: ElementNode): boolean {
  return tag === "pre" || tag === "code" || tag === "tr";
}
