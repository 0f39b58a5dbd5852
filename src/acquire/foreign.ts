/** Recognises texts that are said to be a page and are something else: a feed, a sitemap, a drawing, JSON. */
import { tryJson } from "../json.js";

/** Comments, declarations and doctypes that may come before a root element; more than these are not looked through. */
const MAX_PREAMBLE = 20;
/** Characters within which a root element must begin. */
const MAX_HEAD = 65_536;

interface Root {
  readonly name: RegExp;
  readonly what: string;
  /** HTML has an element of this name as well: the text is foreign only if it begins with an XML declaration. */
  readonly isHtmlToo?: true;
}

/** Root elements, without their prefixes, that no page has. */
const ROOTS: readonly Root[] = [
  { name: /^rss$/i, what: "an RSS feed" },
  { name: /^feed$/i, what: "an Atom feed" },
  { name: /^rdf$/i, what: "an RDF document, as RSS 1.0 feeds are" },
  { name: /^(?:urlset|sitemapindex)$/i, what: "a sitemap" },
  { name: /^opml$/i, what: "an OPML list of feeds" },
  { name: /^OpenSearchDescription$/i, what: "an OpenSearch description" },
  { name: /^teiCorpus$/i, what: "a TEI corpus, many texts in one file" },
  { name: /^plist$/i, what: "a property list" },
  { name: /^(?:kml|gpx)$/i, what: "a map" },
  { name: /^svg$/i, what: "an SVG image", isHtmlToo: true },
];

/** Texts of other formats, by how they begin. */
const BEGINNINGS: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["an RTF document", /^\{\\rtf\d/],
  ["a PostScript document", /^%!PS-/],
];

/** Names the XML, RTF or PostScript that a text is; undefined for pages and plain text. */
export function findForeignMarkup(text: string): string | undefined {
  const head = text
    .slice(0, MAX_HEAD)
    .replace(/^\ufeff/, "")
    .trimStart();
  const found = BEGINNINGS.find(([, pattern]) => pattern.test(head))?.[0];
  if (found !== undefined) return found;
  const { name, hasDeclaration } = findRoot(head);
  if (name === undefined) return undefined;
  return ROOTS.find((root) => root.name.test(name) && (hasDeclaration || root.isHtmlToo !== true))?.what;
}

/** Whether the head holds the root element of HTML: then a longer head would show nothing else. */
export function hasHtmlRoot(head: string): boolean {
  return findRoot(head).name?.toLowerCase() === "html";
}

/** Names what a text that is said to be HTML is instead, if anything. Reads all of it only where it could be JSON. */
export function findForeign(html: string): string | undefined {
  return findForeignMarkup(html) ?? (mayBeJson(html) ? findJson(html) : undefined);
}

/** Tells by the first character, so that the rest need not be decoded. */
export function mayBeJson(head: string): boolean {
  return /^[\s\ufeff]*[[{]/.test(head);
}

/** Names the JSON that a text is as a whole, or line by line. */
export function findJson(text: string): string | undefined {
  const body = text.replace(/^\ufeff/, "").trim();
  const isClosed = body.endsWith(body.startsWith("{") ? "}" : "]");
  if (!isClosed) return undefined;
  if (isJson(body)) return "JSON";
  const first = body.split("\n", 1)[0] ?? "";
  return first.startsWith("{") && first.length < body.length && isJson(first) ? "JSON Lines" : undefined;
}

function isJson(text: string): boolean {
  return tryJson(text) !== undefined;
}

/** The root element's name without its prefix; undefined where the head ends before it. */
function findRoot(head: string): { readonly name: string | undefined; readonly hasDeclaration: boolean } {
  const { rest, hasDeclaration } = skipPreamble(head);
  const name = /^<(?:[\w.-]{1,40}:)?([\w.-]{1,40})(?=[\s>/])/.exec(rest)?.[1];
  return { name, hasDeclaration };
}

function skipPreamble(head: string): { readonly rest: string; readonly hasDeclaration: boolean } {
  let rest = head;
  for (let i = 0; i < MAX_PREAMBLE; i += 1) {
    const end = rest.startsWith("<!--")
      ? "-->"
      : rest.startsWith("<?")
        ? "?>"
        : /^<!doctype\s/i.test(rest)
          ? ">"
          : "";
    const at = end === "" ? -1 : rest.indexOf(end);
    if (at === -1) break;
    rest = rest.slice(at + end.length).trimStart();
  }
  return { rest, hasDeclaration: /^<\?xml\s/i.test(head) };
}
