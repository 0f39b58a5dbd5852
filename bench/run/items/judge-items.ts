/** Judges the outputs of systems for structure, metadata or torn units: counts by kind, and examples of differences. */
import type { GoldDocument } from "../../corpora/gold.js";
import { matchItems, subtractItems, type Counts, type ItemCounts } from "../../metrics/items/items.js";
import { compareFields } from "../../metrics/metadata/compare.js";
import { FIELDS, formsOf, type FieldValues } from "../../metrics/metadata/fields.js";
import { ELEMENT_KINDS, type ReadElements } from "../../metrics/structure/elements.js";
import {
  countPresent,
  findGoldElements,
  findKept,
  labelTokens,
  toKeys,
  type GoldElements,
} from "../../metrics/structure/gold-region.js";
import { readHtml } from "../../metrics/structure/read-html.js";
import type { MarkdownReader } from "../../metrics/structure/read-markdown.js";
import { findUnits } from "../../metrics/units/find-units.js";
import { countTorn, findGoldUnits, type GoldUnits } from "../../metrics/units/torn.js";
import type { Markup, SystemOutput } from "../../systems/system.js";
import type { Failure } from "../failures.js";

/** Examples of items that were missed and of wrong extra items, shortened. */
export interface Difference {
  readonly missed: readonly string[];
  readonly extra: readonly string[];
}

export interface JudgedItems {
  readonly id: string;
  readonly pageType?: string;
  readonly counts: Counts;
  readonly differences: Readonly<Record<string, Difference>>;
  readonly failure?: Failure;
  readonly cpuMs?: number;
}

export type ItemJudge = (document: GoldDocument, output: SystemOutput) => JudgedItems;

/** Limits on the examples for one page and kind: their number, and the characters of each. */
const MAX_SHOWN = 3;
const MAX_CHARS = 200;

/** Judges the metadata of one page. If the system failed, all wanted fields count as missed. */
export function judgeMetadata(document: GoldDocument, output: SystemOutput): JudgedItems {
  const gold = { url: document.url, fields: document.meta ?? {} };
  const given: FieldValues = output.ok ? (output.fields ?? {}) : {};
  const counts = compareFields(gold, given);
  const differences: Record<string, Difference> = {};
  for (const { name } of FIELDS) {
    const count = counts[name];
    if (count === undefined || count.right === 1) continue;
    const [missed, extra] = [gold.fields, given].map((fields) => formsOf(name, fields[name], document.url));
    differences[name] = { missed: show(missed ?? []), extra: show(extra ?? []) };
  }
  return { ...describe(document, output), counts, differences };
}

/** The gold of one page, read once for all systems. */
export interface PageGold extends GoldElements {
  readonly page: ReadElements;
  readonly url: string;
}

/** Pages whose DOM tree holds less than this share of the main content are not used for measuring elements. */
const MIN_COVER = 0.8;

/**
 * Reads the gold of the pages that have line labels and whose tree holds at least `MIN_COVER` of the main content, by
 * id.
 */
export async function readPageGolds(
  documents: AsyncIterable<GoldDocument>,
): Promise<ReadonlyMap<string, PageGold>> {
  return readGolds(documents, (page, { url, lines = [] }) => {
    const gold = findGoldElements(page, lines);
    return gold.cover < MIN_COVER ? undefined : { ...gold, page, url };
  });
}

/** Reads the gold of the pages that have line labels, by id; leaves out pages for which `read` returns undefined. */
async function readGolds<T>(
  documents: AsyncIterable<GoldDocument>,
  read: (page: ReadElements, document: GoldDocument) => T | undefined,
): Promise<ReadonlyMap<string, T>> {
  const golds = new Map<string, T>();
  for await (const document of documents) {
    const { id, html = "", url, lines = [] } = document;
    if (!lines.some(({ label }) => label !== null)) continue;
    const gold = read(readHtml(html, { url }), document);
    if (gold !== undefined) golds.set(id, gold);
  }
  return golds;
}

/** Returns a judge of structure. It throws RangeError for a document without gold. */
export function createStructureJudge(
  readMarkdown: MarkdownReader,
  golds: ReadonlyMap<string, PageGold>,
): ItemJudge {
  return (document, output) => {
    const gold = golds.get(document.id);
    if (gold === undefined) throw new RangeError(`there is no gold for ${document.id}`);
    const markup = output.ok ? output.markup : undefined;
    const read = readMarkup(markup, gold, readMarkdown);
    const found = toKeys(read.elements, gold.page.titles);
    const present = countPresent(gold.page.lines, gold.elements, read.lines);
    const counts: Record<string, ItemCounts> = {};
    const differences: Record<string, Difference> = {};
    for (const { name } of ELEMENT_KINDS) {
      const [wanted, unknown] = [gold.wanted[name], gold.unknown[name]];
      const count = { ...matchItems(wanted, found[name], unknown), present: present.get(name) ?? 0 };
      if (count.wanted + count.found > 0) counts[name] = count;
      const missed = subtractItems(wanted, found[name]);
      const extra = subtractItems(found[name], [...wanted, ...unknown]);
      if (missed.length + extra.length > 0) differences[name] = { missed: show(missed), extra: show(extra) };
    }
    return { ...describe(document, output), counts, differences };
  };
}

/** The units of one page, read once for all systems. */
export interface PageUnitsGold extends GoldUnits {
  readonly lines: ReadElements["lines"];
}

/** Like `readPageGolds`, for units. */
export async function readUnitGolds(
  documents: AsyncIterable<GoldDocument>,
): Promise<ReadonlyMap<string, PageUnitsGold>> {
  return readGolds(documents, (page, { lines = [] }) => {
    const { labelOf, cover } = labelTokens(page.lines, lines);
    if (cover < MIN_COVER) return undefined;
    return { ...findGoldUnits(findUnits(page), page.lines.flat(), labelOf), lines: page.lines };
  });
}

/**
 * Returns a judge of torn units; it throws RangeError for a document without gold. If the system failed, the page
 * counts as one of which it kept nothing: no unit is torn, and no unit is kept whole.
 */
export function createUnitJudge(golds: ReadonlyMap<string, PageUnitsGold>): ItemJudge {
  return (document, output) => {
    const gold = golds.get(document.id);
    if (gold === undefined) throw new RangeError(`there is no gold for ${document.id}`);
    const counts = countTorn(gold, findKept(gold.lines, output.ok ? output.text : ""));
    return { ...describe(document, output), counts, differences: {} };
  };
}

function readMarkup(
  markup: Markup | undefined,
  { page, url: own }: PageGold,
  readMarkdown: MarkdownReader,
): Pick<ReadElements, "elements" | "lines"> {
  if (markup === undefined) return { elements: [], lines: [] };
  const { form, source } = markup;
  return readHtml(form === "markdown" ? readMarkdown(source) : source, { url: page.base, own, form });
}

function describe(
  { id, pageType }: GoldDocument,
  output: SystemOutput,
): Pick<JudgedItems, "id" | "pageType" | "failure" | "cpuMs"> {
  const cpuMs = output.ok ? output.cost?.cpuMs : undefined;
  return {
    id,
    ...(pageType === undefined ? {} : { pageType }),
    ...(output.ok ? {} : { failure: { failure: output.failure, detail: output.detail } }),
    ...(cpuMs === undefined ? {} : { cpuMs }),
  };
}

function show(items: readonly string[]): string[] {
  return items.slice(0, MAX_SHOWN).map((item) => item.slice(0, MAX_CHARS));
}
