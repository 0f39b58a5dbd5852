/** Closes the elements that pages in XHTML close in their start tag, as in `<script src="a.js"/>`, which HTML does not know. */

/** Characters in which a page says what it is. */
const HEAD_CHARS = 4_096;
const DECLARATION =
  /^\s*<\?xml\s|<!doctype\s[^>]*\bxhtml\b|<html\s[^>]*\bxmlns\s*=\s*["']?http:\/\/www\.w3\.org\/1999\/xhtml/i;
/** Elements whose content is text until their end tag: what follows would be lost. */
const MARK = /<(\/?)(script|style|title|textarea|iframe|noembed|noframes|noscript|xmp)(?=[\s/>])/gi;
/** The rest of a start tag that closes itself, with attributes as XML writes them. */
const SELF_CLOSED = /(?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*\/>/y;

/**
 * The source with spaces in place of such tags, so that all positions stay. Only of pages that say they are XHTML, which may
 * have come as HTML: so a tag stays where the next tag of its name is an end tag, since its author takes it for open.
 */
export function blankSelfClosed(html: string): string {
  if (!DECLARATION.test(html.slice(0, HEAD_CHARS))) return html;
  const tags = findSelfClosed(html);
  let blanked = "";
  for (const [start, end] of tags) blanked += html.slice(blanked.length, start) + " ".repeat(end - start);
  return blanked + html.slice(blanked.length);
}

/** Where the tags are that nothing else closes, in order. */
function findSelfClosed(html: string): readonly (readonly [start: number, end: number])[] {
  const tags: [number, number][] = [];
  /** By name, the last tag that closes itself, until it is known what follows. */
  const open = new Map<string, [number, number] | undefined>();
  for (const { 0: text, 1: slash, 2: word = "", index } of html.matchAll(MARK)) {
    const name = word.toLowerCase();
    const before = open.get(name);
    if (before !== undefined && slash === "") tags.push(before);
    SELF_CLOSED.lastIndex = index + text.length;
    const isSelfClosed = slash === "" && SELF_CLOSED.test(html);
    open.set(name, isSelfClosed ? [index, SELF_CLOSED.lastIndex] : undefined);
  }
  for (const last of open.values()) if (last !== undefined) tags.push(last);
  return tags.sort(([a], [b]) => a - b);
}
