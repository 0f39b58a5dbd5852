/** Makes as many different pages as a crawl has from a few hundred real ones; the same seed gives the same pages. */
import { isCorpusPresent, openCorpus } from "../../../corpora/registry.js";
import { readWholeJsonl } from "../../../corpora/jsonl.js";
import { createDice } from "./dice.js";

export interface CrawledPage {
  readonly url: string;
  readonly html: string;
}

/** The most source pages, an equal share from each file; more would not make the pages more different. */
const MAX_SOURCES = 2_000;

/**
 * Reads the HTML of the first rows of each JSON Lines file, or of the project's fixtures when no file is named. Throws
 * an Error for a broken line, or when the fixtures are missing.
 */
export async function readSources(files: readonly string[], fixturesDir: string): Promise<string[]> {
  const sources: string[] = [];
  const share = Math.ceil(MAX_SOURCES / files.length);
  for (const file of files) {
    let left = share;
    for await (const row of readWholeJsonl(file)) {
      const { html } = JSON.parse(row) as { html?: unknown }; // checked in the next line
      if (typeof html !== "string") continue;
      sources.push(html);
      left -= 1;
      if (left === 0) break;
    }
  }
  if (files.length > 0) return sources;
  if (!(await isCorpusPresent("fixtures", { fixturesDir }))) throw new Error(`no fixtures in ${fixturesDir}`);
  for await (const { html } of openCorpus("fixtures", { fixturesDir }).documents())
    if (html !== undefined) sources.push(html);
  return sources;
}

/** One paragraph in this many gets extra words at its end. */
const VARIED = 4;
const WORDS =
  "river market seven window garden signal north paper cousin bridge winter table record harbour engine letter".split(
    " ",
  );

/**
 * Takes the sources in turn, from an index that the seed sets, and changes numbers and some paragraphs in each page.
 */
export function* varyPages(sources: readonly string[], count: number, seed: number): Generator<CrawledPage> {
  for (let number = 0; number < count; number += 1) yield varyPage(sources, number, seed);
}

/** Makes the page with this number. */
export function varyPage(sources: readonly string[], number: number, seed: number): CrawledPage {
  const first = createDice(seed)(sources.length);
  const roll = createDice(seed + number * 31);
  const source = sources[(first + number) % sources.length] ?? "";
  const html = source.replace(/<\/p>|\b\d{1,4}\b(?=[^<>]{0,200}<)/gi, (found) => {
    if (!found.startsWith("<")) return String(roll(10 ** found.length));
    if (roll(VARIED) > 0) return found;
    const words = Array.from({ length: 1 + roll(12) }, () => WORDS[roll(WORDS.length)] ?? "");
    return ` ${words.join(" ")} ${roll(1_000_000)}.</p>`;
  });
  return { url: `https://site${roll(1_000)}.example/${number}`, html };
}
