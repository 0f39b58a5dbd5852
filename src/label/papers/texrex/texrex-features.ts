/** Computes a row of features, each from 0 to 1, for each line of a document and the markup around it. */
import type { BlockTag, Line } from "../../../document.js";
import type { LineMarkup, MarkedLine, PageMarkup } from "../../../document/markup-counts.js";
import { AT, FEATURE_COUNT, type FeatureName, FEATURES, type Evidence } from "./texrex-table.js";
import { countText, createTextCounts, type TextCounts } from "./text-counts.js";

const MOST_CHARACTERS = 1000;
const MOST_SENTENCES = 10;
const MOST_WORDS = 100;
const MOST_SKIPPED = 20;

const CONTAINER: ReadonlyMap<string, FeatureName> = new Map<string, FeatureName>([
  ["article", "ContArticle"],
  ["blockquote", "ContBlock"],
  ["div", "ContDiv"],
  ["h1", "ContH"],
  ["h2", "ContH"],
  ["h3", "ContH"],
  ["h4", "ContH"],
  ["h5", "ContH"],
  ["h6", "ContH"],
  ["li", "ContLi"],
  ["p", "ContP"],
  ["section", "ContSection"],
  ["td", "ContTd"],
]);

const DOCUMENT_TYPE: Readonly<Record<PageMarkup["type"], FeatureName | undefined>> = {
  html4: "DtHtml4",
  html5: "DtHtml5",
  xhtml: "DtXhtml",
  other: undefined,
};

/** The data on the other lines and the page that features of a line need, if the markup was counted. */
interface Surroundings {
  readonly characters: Float64Array;
  readonly allCharacters: number;
  readonly page: PageMarkup;
  readonly markups: readonly LineMarkup[];
}

/**
 * Returns lines × FEATURE_COUNT values, in the order of FEATURES. Lines must not be blank. Without `page`, the features
 * that need markup are 0.
 */
export function describeLines(lines: readonly MarkedLine[], page: PageMarkup): Float32Array;
export function describeLines(lines: readonly Line[]): Float32Array;
export function describeLines(
  lines: readonly Line[] | readonly MarkedLine[],
  page?: PageMarkup,
): Float32Array {
  const rows = new Float32Array(lines.length * FEATURE_COUNT);
  const characters = new Float64Array(lines.length);
  const counts = createTextCounts();
  const containers = new Map<string, FeatureName | undefined>();
  let allCharacters = 0;
  for (const [at, line] of lines.entries()) {
    const base = at * FEATURE_COUNT;
    countText(line.text, counts);
    characters[at] = counts.characters;
    allCharacters += counts.characters;
    fillText(counts, rows, base);
    rows[base + AT["AnchorProp"]] = Math.min(1, (line.links?.length ?? 0) / counts.characters);
    const container = containerOf(line, containers);
    if (container !== undefined) rows[base + AT[container]] = 1;
  }
  fillPlaces(characters, allCharacters, rows);
  if (page === undefined) return rows;
  // With `page`, the signatures require marked lines.
  const markups = (lines as readonly MarkedLine[]).map(({ markup }) => markup);
  fillMarkups({ characters, allCharacters, page, markups }, rows);
  return rows;
}

function fillText(counts: TextCounts, rows: Float32Array, base: number): void {
  const { characters, letters, words, sentences } = counts;
  rows[base + AT["Copy"]] = counts.hasCopyright ? 1 : 0;
  rows[base + AT["EmailProp"]] = counts.addresses / characters;
  rows[base + AT["EndsPunct"]] = counts.endsSentence ? 1 : 0;
  rows[base + AT["HashProp"]] = counts.hashtags / characters;
  rows[base + AT["Length"]] = clamp(characters, MOST_CHARACTERS);
  rows[base + AT["LetterProp"]] = letters / characters;
  rows[base + AT["NumberProp"]] = counts.numbers / characters;
  rows[base + AT["PunctProp"]] = counts.punctuation / characters;
  rows[base + AT["SentBogus"]] = counts.hasEnd ? 0 : 1;
  rows[base + AT["SentCount"]] = clamp(sentences, MOST_SENTENCES);
  rows[base + AT["SentLength"]] = clamp(words / Math.max(1, sentences), MOST_WORDS);
  rows[base + AT["UpperProp"]] = counts.uppers / Math.max(1, letters);
  rows[base + AT["UriProp"]] = counts.links / characters;
  rows[base + AT["YearProp"]] = counts.years / characters;
}

function clamp(value: number, most: number): number {
  return Math.min(value, most) / most;
}

function fillPlaces(characters: Float64Array, all: number, rows: Float32Array): void {
  const last = characters.length - 1;
  let before = 0;
  for (let line = 0; line <= last; line += 1) {
    const base = line * FEATURE_COUNT;
    const own = characters[line] ?? 0;
    rows[base + AT["PageProp"]] = own / all;
    // A single line is in the middle of its page.
    rows[base + AT["PercDiv"]] = last === 0 ? 0 : margin(line / last);
    rows[base + AT["PercText"]] = margin((before + own / 2) / all);
    before += own;
  }
}

/** Returns 0 for a place in the middle and 1 for both ends. */
function margin(place: number): number {
  return Math.abs(2 * place - 1);
}

function fillMarkups(by: Surroundings, rows: Float32Array): void {
  const { page, allCharacters, characters, markups } = by;
  const ofPage = share(page.chars, allCharacters);
  const type = DOCUMENT_TYPE[page.type];
  for (const [line, markup] of markups.entries()) {
    const base = line * FEATURE_COUNT;
    rows[base + AT["DocMarkupProp"]] = ofPage;
    if (type !== undefined) rows[base + AT[type]] = 1;
    rows[base + AT["Window1"]] = shareAround(by, line, 1);
    rows[base + AT["Window2"]] = shareAround(by, line, 2);
    const { chars, opening, closing, emptyBlocks, isAfterClosing } = markup;
    const own = characters[line] ?? 0;
    rows[base + AT["ContClose"]] = isAfterClosing ? 1 : 0;
    rows[base + AT["MarkupProp"]] = share(chars, own);
    rows[base + AT["OpenProp"]] = opening / Math.max(1, opening + closing);
    rows[base + AT["SkippedDivs"]] = clamp(emptyBlocks, MOST_SKIPPED);
    rows[base + AT["TagProp"]] = (opening + closing) / Math.max(1, chars + own);
  }
}

function share(markup: number, text: number): number {
  return markup / Math.max(1, markup + text);
}

function shareAround({ characters, markups }: Surroundings, line: number, reach: number): number {
  let markup = 0;
  let text = 0;
  const last = Math.min(markups.length - 1, line + reach);
  for (let at = Math.max(0, line - reach); at <= last; at += 1) {
    markup += markups[at]?.chars ?? 0;
    text += characters[at] ?? 0;
  }
  return share(markup, text);
}

/** The block tag of table rows, whose lines are their joined cells. */
const CELLS: BlockTag = "tr";

/** Returns the feature of the innermost container. Caches results in `known`, because many lines share a path. */
function containerOf(
  { block, path }: Line,
  known: Map<string, FeatureName | undefined>,
): FeatureName | undefined {
  if (block === CELLS) return "ContTd";
  if (path === "") return CONTAINER.get(block);
  if (known.has(path)) return known.get(path);
  const found = innermostContainer(path);
  known.set(path, found);
  return found;
}

function innermostContainer(path: string): FeatureName | undefined {
  for (let end = path.length; end > 0;) {
    const start = path.lastIndexOf(">", end - 1) + 1;
    const tag = /^[a-z0-9]{1,12}(?![\w-])/.exec(path.slice(start, Math.min(end, start + 13)))?.[0];
    const found = tag === undefined ? undefined : CONTAINER.get(tag);
    if (found !== undefined) return found;
    end = start - 1;
  }
  return undefined;
}

const OF_TEXT: ReadonlySet<Evidence> = new Set<Evidence>(["text", "place"]);

const HIDDEN_COLUMNS = FEATURES.flatMap(({ needs }, column) => (OF_TEXT.has(needs) ? [] : [column]));

/** Sets the features that need more than text and place to 0, in place, so that lines from any source look alike. */
export function hideMarkup(rows: Float32Array): void {
  for (let base = 0; base < rows.length; base += FEATURE_COUNT)
    for (const column of HIDDEN_COLUMNS) rows[base + column] = 0;
}
