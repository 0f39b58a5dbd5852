/** Recognises texts that are labelled as a page but have another format: a feed, a sitemap, an SVG image, JSON. */
import { tryJson } from "../json.js";

/** The most comments, declarations and doctypes before a root element that are skipped. */
const MAX_PREAMBLE = 20;
/** The root element must begin within this many characters. */
const MAX_HEAD = 65_536;

interface Root {
  readonly name: RegExp;
  readonly what: string;
  /** Set when HTML has this element too: the text is foreign only if it begins with an XML declaration. */
  readonly isHtmlToo?: true;
}

/** Root elements, without their prefixes, that an HTML page cannot have. */
const ROOTS: readonly Root[] = [
  { name: /^rss$/i, what: "an RSS feed" },
  { name: /^feed$/i, what: "an Atom feed" },
  { name: /^rdf$/i, what: "an RDF document, like RSS 1.0 feeds" },
  { name: /^(?:urlset|sitemapindex)$/i, what: "a sitemap" },
  { name: /^opml$/i, what: "an OPML list of feeds" },
  { name: /^OpenSearchDescription$/i, what: "an OpenSearch description" },
  { name: /^teiCorpus$/i, what: "a TEI corpus (many texts in one file)" },
  { name: /^mediawiki$/i, what: "a dump of MediaWiki; WikiExtractor --json makes records of its pages" },
  { name: /^plist$/i, what: "a property list" },
  { name: /^(?:kml|gpx)$/i, what: "a map (KML or GPX)" },
  { name: /^svg$/i, what: "an SVG image", isHtmlToo: true },
];

/** Formats without a root element of their own, recognised by how the text begins. */
const BEGINNINGS: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["an RTF document", /^\{\\rtf\d/],
  ["a PostScript document", /^%!PS-/],
  [
    "many texts in one file of WikiExtractor; its option --json makes records of them",
    /^<doc id="\d+" (?:revid="\d*" )?url="/,
  ],
];

/** Returns the name of the XML, RTF or PostScript format of a text; undefined for pages and plain text. */
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

/** Checks whether the head holds an `html` root element: then a longer head need not be checked. */
export function hasHtmlRoot(head: string): boolean {
  return findRoot(head).name?.toLowerCase() === "html";
}

/**
 * Returns the format of a text that is labelled as HTML but is not, or undefined. Reads all of it only if it could be
 * JSON.
 */
export function findForeign(html: string): string | undefined {
  return findForeignMarkup(html) ?? (mayBeJson(html) ? findJson(html) : undefined);
}

/** Checks only the first character, so that the rest need not be decoded. */
export function mayBeJson(head: string): boolean {
  return /^[\s\ufeff]*[[{]/.test(head);
}

/** Returns "JSON" if the whole text parses as JSON, or "JSON Lines" if its first line does. */
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

/** Returns the root element's name without its prefix; undefined if the head ends before it. */
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
