/** Reads one page into a document of lines: decodes it, parses it for the extractor that is asked for, and extracts. */
import { chooseFormat } from "../acquire/kind.js";
import type { Document, Page, PageFormat, ReadContent, ScoredDocument } from "../document.js";
import type { ExtractorOptions } from "../extract/extractor.js";
import { extractors, type ExtractorEntry, type ExtractorName } from "../extract/registry.js";
import { extractLines, extractText } from "../extract/text.js";
import { labellerNeeds } from "../label/names.js";
import { accept, reject, type Outcome } from "../outcome.js";
import type { PageOptions } from "../options/page-options.js";
import { decodePage, type DecodedPage } from "../parse/charset.js";
import type { HtmlPage } from "../parse/limits.js";
import { READINGS } from "../parse/readings.js";
import { findSavedAddress } from "../parse/saved-address.js";
import type { ParsedPage } from "../tree.js";
import { readScripts } from "./read-scripts.js";
import { messageOf } from "../thrown.js";

/** Pure and synchronous: the same page always gives the same lines, in any thread. */
export type PageReader = (page: Page) => Outcome<Document>;

type Parser = (page: HtmlPage) => ParsedPage;

/** The parser of each tree that an extractor may ask for. */
const parsers = {
  standard: async () => (await import("../parse/standard-tree.js")).parseHtml,
  quick: async () => (await import("../parse/quick-tree.js")).parseQuickly,
} satisfies Record<ExtractorEntry["tree"], () => Promise<Parser>>;

/** What a tree must have besides what every page is read by. */
function toKept(structure: ExtractorOptions["structure"]): Pick<HtmlPage, "keeps"> {
  if (structure === undefined) return {};
  return { keeps: structure === "keep" ? "structure and images" : "structure" };
}

/** Loads the parser and the extractor; what the reader does afterwards waits for nothing. */
export async function openReader(name: ExtractorName, options: ExtractorOptions): Promise<PageReader> {
  const { tree, create } = extractors[name];
  const [parse, extractor] = await Promise.all([parsers[tree](), create(options)]);
  const { keep = [], remove = [] } = options;
  const select =
    keep.length + remove.length > 0
      ? (await import("../extract/selection.js")).openSelection({ keep, remove })
      : undefined;
  const keeps = select === undefined ? toKept(options.structure) : ({ keeps: "all" } as const);
  const countMarkup = options.markup && (await import("../extract/markup.js")).countMarkup;
  return ({ id, url, content }) => {
    if (content.kind === "lines") return extractLines({ id, url, lines: content.lines });
    if (content.kind === "record") throw new Error(`${id} was not read yet`);
    if (content.kind === "scored") return readScoredLines({ id, url }, content.scored);
    const { format, text, notes } = decodeContent(content);
    if (format === "text") return extractText({ id, url, text, notes });
    const saved = url === "" ? findSavedAddress(text) : undefined;
    const read = (html: string): Outcome<Document> => {
      const page = parse({ id, url: saved ?? url, html, notes, ...keeps });
      select?.(page);
      const outcome = extractor.extract(page);
      if (!outcome.ok) return outcome;
      const document =
        saved === undefined ? outcome.value : { ...outcome.value, base: outcome.value.base ?? "" };
      return accept(countMarkup?.(document, page.html) ?? document);
    };
    const shown = read(text);
    if (countLetters(shown) >= FEW_LETTERS) return shown;
    const again = readAgain(text, shown, read);
    // What a selector finds is on the page as it is.
    if (keep.length > 0 || countLetters(again) >= FEW_LETTERS) return again;
    return readScripts(parse({ id, url, html: text, keeps: "all" }), again, read);
  };
}

/** The lines of a record as a page has them, without what was said of them. */
function readScoredLines(
  of: Pick<Document, "id" | "url">,
  { source, meta, notes, lines, holders, base, statedTitle, clues }: ScoredDocument,
): Outcome<Document> {
  return accept({
    ...{ ...of, source, meta, notes, lines },
    ...(holders && { holders }),
    ...(base !== undefined && { base }),
    ...(statedTitle !== undefined && { statedTitle }),
    ...(clues && { clues }),
  });
}

/** What a reader made of a page; where it crashed, the reject of that page. */
export function readOrCrash(read: PageReader, page: Page): Outcome<Document> {
  try {
    return read(page);
  } catch (error) {
    return reject(page, "extract", "crashed", messageOf(error));
  }
}

/** How pages are read for what is asked of them: as the labeller needs them. */
export function toReaderOptions({
  labeller,
  keepBoilerplate,
  structure,
  keep,
  remove,
  metadata,
}: ReaderWishes): ExtractorOptions {
  const wantsMarkup = labeller !== undefined && labellerNeeds[labeller].markup === true;
  return {
    keep,
    remove,
    metadata,
    ...(structure !== "none" && { structure }),
    leftOut: keepBoilerplate ? "mark" : "drop",
    ...(wantsMarkup && { markup: "count" }),
  };
}

type ReaderWishes = Pick<
  PageOptions,
  "labeller" | "keepBoilerplate" | "structure" | "keep" | "remove" | "metadata"
>;

/** A page that shows fewer letters than this may be one that only scripts can draw, or broken. */
const FEW_LETTERS = 600;
/** What `noscript` holds must be more than a request to switch scripts on. */
const MORE_LETTERS = 400;

/** A page that shows little as it may be meant, if that shows much more. */
function readAgain(
  html: string,
  shown: Outcome<Document>,
  read: (html: string) => Outcome<Document>,
): Outcome<Document> {
  const letters = countLetters(shown);
  for (const [note, mend] of READINGS) {
    const mended = mend(html);
    if (mended === undefined) continue;
    const more = read(mended);
    if (more.ok && countLetters(more) >= letters + MORE_LETTERS)
      return accept({ ...more.value, notes: [...more.value.notes, note] });
  }
  return shown;
}

function countLetters(outcome: Outcome<Document>): number {
  return outcome.ok ? outcome.value.lines.reduce((sum, line) => sum + line.text.length, 0) : 0;
}

interface Decoded extends Pick<DecodedPage, "text" | "notes"> {
  readonly format: PageFormat;
}

function decodeContent(content: Exclude<ReadContent, { readonly kind: "lines" | "scored" }>): Decoded {
  if (content.kind === "html") return { format: "html", text: content.html, notes: [] };
  if (content.kind === "text") return { format: "text", text: content.text, notes: [] };
  const { bytes, contentType } = content;
  const { text, notes } = decodePage(bytes, contentType);
  return { text, notes, format: content.format ?? chooseFormat(bytes, contentType) };
}
