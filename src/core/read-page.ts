/** Reads one page into a document of lines: decodes it, parses it for the chosen extractor, and extracts the lines. */
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
import type { ParsedPage } from "../document/tree.js";
import { keepStructure } from "./kept-structure.js";
import { readScripts } from "./read-scripts.js";
import { messageOf } from "../thrown.js";

/** Reads a page. Pure and synchronous: the same page gives the same lines in any thread. */
export type PageReader = (page: Page) => Outcome<Document>;

type Parser = (page: HtmlPage) => ParsedPage;

/** The parser for each kind of tree that an extractor can use. */
const parsers = {
  standard: async () => (await import("../parse/standard-tree.js")).parseHtml,
  quick: async () => (await import("../parse/quick-tree.js")).parseQuickly,
} satisfies Record<ExtractorEntry["tree"], () => Promise<Parser>>;

/** Returns what the parser must keep besides what every extractor needs. */
function toKept(structure: ExtractorOptions["structure"]): Pick<HtmlPage, "keeps"> {
  if (structure === undefined) return {};
  return { keeps: structure === "keep" ? "structure and images" : "structure" };
}

/** Loads the parser and the extractor, so that the returned reader is synchronous. */
export async function openReader(name: ExtractorName, options: ExtractorOptions): Promise<PageReader> {
  const { tree, create } = extractors[name];
  const [parse, extractor] = await Promise.all([parsers[tree](), create(options)]);
  const { keep = [], remove = [] } = options;
  const select =
    keep.length + remove.length > 0
      ? (await import("../extract/selection.js")).openSelection({ keep, remove })
      : undefined;
  const selected = [keep.length > 0 && "--keep", remove.length > 0 && "--remove"]
    .filter(Boolean)
    .join(" and ");
  const keeps = select === undefined ? toKept(options.structure) : ({ keeps: "all" } as const);
  const countMarkup = options.markup && (await import("../extract/markup.js")).countMarkup;
  return ({ id, url, content }) => {
    if (content.kind === "lines") return extractLines({ id, url, lines: content.lines });
    if (content.kind === "record") throw new Error(`${id} was not read yet`);
    if (content.kind === "scored")
      return readScoredLines({ id, url }, keepStructure(content.scored, options.structure ?? "none"));
    const { format, text, notes } = decodeContent(content);
    if (format === "text") return extractText({ id, url, text, notes });
    const saved = url === "" ? findSavedAddress(text) : undefined;
    const read = (html: string): Outcome<Document> => {
      const page = parse({ id, url: saved ?? url, html, notes, ...keeps });
      select?.(page);
      const outcome = extractor.extract(page);
      if (!outcome.ok)
        return selected !== "" && outcome.reason === "no-lines"
          ? { ...outcome, detail: `after ${selected}` }
          : outcome;
      const document =
        saved === undefined ? outcome.value : { ...outcome.value, base: outcome.value.base ?? "" };
      return accept(countMarkup?.(document, page.html) ?? document);
    };
    const shown = read(text);
    if (countLetters(shown) >= FEW_LETTERS) return shown;
    const again = readAgain(text, shown, read);
    // With `keep`, only text that the page itself shows can match, so script data is not read.
    if (keep.length > 0 || countLetters(again) >= FEW_LETTERS) return again;
    return readScripts(parse({ id, url, html: text, keeps: "all" }), again, read);
  };
}

/** Converts the lines of a scored record into a document that a labeller can read, without the labels. */
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

/** Reads a page; if the reader throws, returns a reject with the reason `crashed`. */
export function readOrCrash(read: PageReader, page: Page): Outcome<Document> {
  try {
    return read(page);
  } catch (error) {
    return reject(page, "extract", "crashed", messageOf(error));
  }
}

/** Chooses the options of reading that these cleaning options and the labeller need. */
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

/** A page with fewer letters than this may be broken, or may need scripts to show its text. */
const FEW_LETTERS = 600;
/** The letters that another reading must add: more than a `noscript` that only asks to switch scripts on. */
const MORE_LETTERS = 400;

/** Tries the other readings of a page that shows little text; the first one that shows much more text is returned. */
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
