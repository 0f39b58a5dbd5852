/**
 * Rewrites the source of a page that shows little, as its author may have meant it; all other characters stay in place.
 */

/**
 * Elements, other than code, whose content is text to the parser: tags are text, too, until the end tag or the page's
 * end.
 */
const NAMES = ["title", "textarea", "iframe", "noembed", "noframes"] as const;

/**
 * Closes elements that are never closed; a browser shows nothing of what follows an unclosed `<title>`. The element
 * ends where the next tag begins: the end tag overwrites the last characters of its text, or, if there are too few,
 * spaces overwrite the start tag. Undefined if every one of these elements is closed.
 */
export function closeUnclosed(html: string): string | undefined {
  const closed = NAMES.reduce(closeAll, html);
  return closed === html ? undefined : closed;
}

/** Closes the elements of one name after its last end tag; those before it are closed. */
function closeAll(html: string, name: (typeof NAMES)[number]): string {
  const end = `</${name}>`;
  const starts = new RegExp(`<${name}(?:\\s[^<>]*)?>`, "gi");
  starts.lastIndex = lastIndex(html, new RegExp(`</${name}(?=[\\s/>])`, "gi"));
  const nextTag = /<(?=[a-z/!])/gi;
  let closed = "";
  for (let start = starts.exec(html); start !== null; start = starts.exec(html)) {
    const text = starts.lastIndex;
    nextTag.lastIndex = text;
    const stop = nextTag.exec(html)?.index;
    if (stop === undefined) break;
    const [at, mark] =
      stop - text < end.length ? [start.index, " ".repeat(text - start.index)] : [stop - end.length, end];
    closed += html.slice(closed.length, at) + mark;
  }
  return closed + html.slice(closed.length);
}

function lastIndex(html: string, pattern: RegExp): number {
  let last = 0;
  for (const { index } of html.matchAll(pattern)) last = index;
  return last;
}

/**
 * Browsers draw the element like a `div`. The name has spaces at its end, so that it is as long as the one that it
 * replaces, and offsets in the source stay the same.
 */
const OPENED = "div     ";
const TAG = /(<\/?)noscript(?=[\s/>])/gi;

/**
 * Returns the page that a reader without scripts sees: forums and shops that draw themselves with scripts put their
 * content into `noscript`. Undefined if the page has no `noscript`.
 */
export function openNoscript(html: string): string | undefined {
  const opened = html.replace(TAG, `$1${OPENED}`);
  return opened === html ? undefined : opened;
}

const FRAMES = /(<\/?)(?:noframes|frameset)(?=[\s/>])/gi;

/**
 * Returns the page that a reader without frames sees; the frames themselves are other pages. Undefined if the page has
 * no `noframes`.
 */
function openNoframes(html: string): string | undefined {
  return /<noframes[\s/>]/i.test(html) ? html.replace(FRAMES, `$1${OPENED}`) : undefined;
}

/** The rewrites of a page, by the note that reports them; each keeps all other characters where they were. */
export const READINGS = [
  ["unclosed-read", closeUnclosed],
  ["noscript-read", openNoscript],
  ["noframes-read", openNoframes],
] as const;
