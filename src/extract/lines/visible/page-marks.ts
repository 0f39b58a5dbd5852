/** Tells the numbers of printed pages and of lines of verse, which e-books have in the middle of their text, even of words. */
import type { ElementNode } from "../../../tree.js";
import { isOrIsIn } from "../../around.js";
import { smallTextOf } from "./small-text.js";

/** As Project Gutenberg, publishers of court decisions and makers of EPUB call the number of a page. */
const PAGE_CLASS = /(?:^|\s)(?:pagenum|pageno|page-?number|page-?break|star-pagination)(?=\s|$)/i;
const LINE_CLASS = /(?:^|\s)(?:linenum|lineno|line-?number|lnum)(?=\s|$)/i;
/** What EPUB says of the place where a printed page begins. */
const BREAK_ROLE = /(?:^|\s)(?:doc-)?pagebreak(?=\s|$)/;

/** "[Pg 12]", "{xiv}", "*79", "Seite 8". */
const PAGE_TEXT = /^[\s[({|*]*(?:\p{L}{1,6}\.?\s*)?(?:\d{1,5}|[ivxlc]{1,8})[a-z]?[\s\])}|]*$/iu;
const LINE_TEXT = /^[\s[(]*\d{1,5}[\s\])]*$/;
/** "Page 1 of 3", in which the number is text, is shorter than this. */
const LONGEST_PAGER = 30;
/** Nodes beside a mark that are looked at. */
const MAX_BESIDE = 100;
/** A mark is that short, and has that many nodes. */
const MARK = { maxText: 20, maxNodes: 8 };

/** Part of each of those names, and quicker to look for. */
const HINT = /page|pagin|line|lnum/i;

/** For a span with the names of its class. */
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

/** Few letters beside the number, right in the same element, lead through pages. */
function isInPager({ parent }: ElementNode): boolean {
  let beside = 0;
  for (const node of parent?.children.slice(0, MAX_BESIDE) ?? [])
    if (node.kind === "text") beside += node.value.trim().length;
  return beside > 0 && beside < LONGEST_PAGER;
}

/** Code has its numbers as it shows them, and so do the rows of a table. */
function isCode({ tag }: ElementNode): boolean {
  return tag === "pre" || tag === "code" || tag === "tr";
}
