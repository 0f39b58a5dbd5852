/** Reads a page that shows little as another one that it may be meant as, with all other characters in place. */

/** Elements whose content is text to the parser, and no code: until their end tag, or the page's end, tags are text, too. */
const NAMES = ["title", "textarea", "iframe", "noembed", "noframes"] as const;

/**
 * A browser shows nothing of what follows a `<title>` that is never closed. Here it ends where the next tag begins: the end
 * tag is written over the last characters of its text, or, where it has too few, spaces over the start tag. Undefined where
 * every such element is closed.
 */
export function closeUnclosed(html: string): string | undefined {
  const closed = NAMES.reduce(closeAll, html);
  return closed === html ? undefined : closed;
}

/** What comes before the last end tag is closed. */
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

/** As long as the tag's own name, so that positions in the source stay. A division is what browsers draw it as. */
const OPENED = "div     ";
const TAG = /(<\/?)noscript(?=[\s/>])/gi;

/**
 * The page that a reader without scripts sees: forums and shops that draw themselves with scripts put what they say into
 * `noscript`. Undefined where there is none.
 */
export function openNoscript(html: string): string | undefined {
  const opened = html.replace(TAG, `$1${OPENED}`);
  return opened === html ? undefined : opened;
}

const FRAMES = /(<\/?)(?:noframes|frameset)(?=[\s/>])/gi;

/** The page that a reader without frames sees; the frames themselves are other pages. Undefined where there is none. */
function openNoframes(html: string): string | undefined {
  return /<noframes[\s/>]/i.test(html) ? html.replace(FRAMES, `$1${OPENED}`) : undefined;
}

/** Other pages that a page may be meant as, by the note that says so; each keeps the other characters where they were. */
export const READINGS = [
  ["unclosed-read", closeUnclosed],
  ["noscript-read", openNoscript],
  ["noframes-read", openNoframes],
] as const;
