/** Finds the heading that repeats the title of a page. */
import type { ElementNode, ParsedPage, TextNode } from "../../document/tree.js";
import { splitWords } from "../../language/words.js";

/**
 * The least share of the heading's letters in words of the title, and of the title's letters in words of the heading.
 */
const MIN_SHARED_OF_HEADING = 0.75;
const MIN_SHARED_OF_TITLE = 0.5;
/** Longer headings are not headlines. The number of headings that are checked is limited, too. */
const MAX_HEADING_CHARS = 500;
const MAX_HEADINGS = 200;

/**
 * Returns the text nodes of the first `h1`, or else the first `h2`, that repeats the title; an empty list if no heading
 * does. Readability removes this heading from its article (it counts a heading as a repeated title from three quarters
 * of shared words on) and returns the title separately. In the text it belongs above the article, at its place in the
 * page.
 */
export function findHeadline(page: ParsedPage, title: string): readonly TextNode[] {
  const wanted = countLetters(title);
  for (const tag of ["h1", "h2"]) {
    for (const heading of findHeadings(page, tag)) {
      const said = countLetters(heading.map((node) => node.value).join(" "));
      const shared = sharedLetters(said, wanted);
      if (shared === 0) continue;
      if (shared >= MIN_SHARED_OF_HEADING * total(said) && shared >= MIN_SHARED_OF_TITLE * total(wanted))
        return heading;
    }
  }
  return [];
}

/** The text nodes of each element with that tag, in document order. */
function findHeadings(page: ParsedPage, tag: string): TextNode[][] {
  const headings: TextNode[][] = [];
  const open: { element: ElementNode; next: number; heading: TextNode[] | undefined }[] = [];
  open.push({ element: page.root, next: 0, heading: undefined });
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const child = top.element.children[top.next];
    top.next += 1;
    if (child === undefined) {
      open.pop();
    } else if (child.kind === "text") {
      top.heading?.push(child);
    } else {
      const isHeading = child.tag === tag && top.heading === undefined && headings.length < MAX_HEADINGS;
      const heading: TextNode[] | undefined = isHeading ? [] : top.heading;
      if (isHeading && heading !== undefined) headings.push(heading);
      open.push({ element: child, next: 0, heading });
    }
  }
  return headings.filter(
    (nodes) => nodes.reduce((sum, node) => sum + node.value.length, 0) <= MAX_HEADING_CHARS,
  );
}

/** The number of letters that each word has in all its occurrences, by lower-case word. */
function countLetters(text: string): Map<string, number> {
  const letters = new Map<string, number>();
  for (const word of splitWords(text.toLowerCase()))
    letters.set(word, (letters.get(word) ?? 0) + word.length);
  return letters;
}

function total(letters: ReadonlyMap<string, number>): number {
  return [...letters.values()].reduce((sum, count) => sum + count, 0);
}

function sharedLetters(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  return [...a].reduce((sum, [word, count]) => sum + Math.min(count, b.get(word) ?? 0), 0);
}
