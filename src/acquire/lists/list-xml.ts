/** Reads the entries of a sitemap or feed from its XML. */
import { parseUrl } from "../../parse-url.js";
import { LIST_FORMATS, readAtomLink, type Draft, type EntryList, type ListFormat } from "./list-entries.js";
import { createXmlReader, type XmlElement } from "./xml.js";

interface ListReader {
  write(text: string): void;
  isOver(): boolean;
  /** Ends reading. `kind` is undefined if the root element, named in `root`, is not that of a list. */
  end(): {
    readonly kind: ListFormat["kind"] | undefined;
    readonly root: string | undefined;
    readonly problem: string | undefined;
  };
}

/** The most characters of a text that are kept; no URL or date is longer. */
const MAX_TEXT = 10_000;

/** An entry whose element is open. */
interface Entry extends Draft {
  readonly element: XmlElement;
  /** The index of its date's element in the format's `dates`. */
  rank: number;
}

/** Reads XML piece by piece and adds what it finds to `entries`. */
export function createListReader(entries: EntryList, listUrl: string): ListReader {
  let root: XmlElement | undefined;
  let format: ListFormat | undefined;
  let entry: Entry | undefined;
  let text = "";
  const finish = (): void => {
    if (entry !== undefined) entries.add(entry, baseOf(entry.element, listUrl));
    entry = undefined;
  };
  const reader = createXmlReader({
    onOpen(element) {
      text = "";
      if (root === undefined) {
        root = element;
        format = LIST_FORMATS.get(element.name);
      } else if (format !== undefined && isEntry(element, format, root)) {
        // An entry that was never closed ends where the next one begins.
        finish();
        entry = {
          element,
          url: undefined,
          fallback: undefined,
          lastModified: undefined,
          rank: Number.POSITIVE_INFINITY,
        };
      } else if (isLink(element, entry, format)) readAtomLink(element.attributes, entry);
    },
    onText(piece) {
      if (entry !== undefined && text.length < MAX_TEXT) text += piece;
    },
    onClose(element) {
      if (entry === undefined || format === undefined) return;
      if (element === entry.element) finish();
      else readField(element, text, entry, format);
      text = "";
    },
  });
  return {
    write: (xml) => {
      reader.write(xml);
    },
    isOver: () => reader.isOver() || (root !== undefined && format === undefined),
    end() {
      const problem = reader.end();
      // If the XML is cut off within an entry, the entry counts if its URL came before.
      if (entry?.url !== undefined) finish();
      return { kind: format?.kind, root: root?.name, problem };
    },
  };
}

function isEntry(element: XmlElement, { entry, hasRootPrefix }: ListFormat, root: XmlElement): boolean {
  return element.name === entry && (!hasRootPrefix || element.prefix === root.prefix);
}

/** Checks for the link of a feed's entry. In a sitemap, `link` names translations, which are entries themselves. */
function isLink(
  element: XmlElement,
  entry: Entry | undefined,
  format: ListFormat | undefined,
): entry is Entry {
  return format?.kind === "feed" && element.name === "link" && element.parent === entry?.element;
}

function readField(element: XmlElement, text: string, entry: Entry, format: ListFormat): void {
  const { name, prefix, parent, attributes } = element;
  const value = text.trim();
  if (value === "") return;
  const rank = format.dates.indexOf(name);
  if (rank !== -1 && rank < entry.rank) {
    entry.rank = rank;
    entry.lastModified = value;
  }
  // Images and videos in an entry have their own URLs, in elements with a prefix or at a deeper level.
  if (parent !== entry.element || prefix !== entry.element.prefix) return;
  if (format.urls.has(name)) entry.url ??= value;
  else if (format.fallbacks.has(name) && attributes.get("ispermalink") !== "false") entry.fallback ??= value;
}

/** Returns the base for relative URLs in an element: resolves each `xml:base`, from the outermost element inwards. */
function baseOf(element: XmlElement, listUrl: string): string {
  const stated: string[] = [];
  for (let at: XmlElement | undefined = element; at !== undefined; at = at.parent)
    stated.push(at.attributes.get("xml:base") ?? "");
  return stated.reduceRight((base, href) => parseUrl(href, base)?.href ?? base, listUrl);
}
