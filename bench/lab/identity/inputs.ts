/** Copies the fixtures and a sample of the gold sets into one folder, where every run reads them by relative paths. */
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { readWholeJsonl } from "../../corpora/jsonl.js";

/** Matches fixtures that are inputs. The poisoned ones all end quickly, as a document or as a reject. */
const FIXTURE =
  /^(?:pages\/[^/]+\/source\.html|text\/[^/]+\/source\.txt|warc\/[^/]+\.(?:warc|gz)|poison\/[^/]+\.(?:html|gz|jsonl|txt))$/;
const KNOWN_FAILURE = /^known-failures\/.+\.jsonl$/;
/** The small sample has every tenth page and text. */
const SMALL_STEP = 10;

interface GoldRow {
  readonly id: string;
  readonly url?: string;
  readonly html?: string;
  readonly lines?: readonly { readonly text: string }[];
}

export interface InputOptions {
  readonly fixtures: string;
  readonly gold: string;
  /** The number of pages to sample, spread evenly over all sets. */
  readonly pages: number;
}

/**
 * Writes the inputs into `folder` and returns the paths of the fixtures, relative to it. Throws an Error when the gold
 * sets hold fewer pages than `pages`.
 */
export async function prepareInputs(
  folder: string,
  { fixtures, gold, pages }: InputOptions,
): Promise<string[]> {
  cpSync(fixtures, join(folder, "fixtures"), { recursive: true });
  const names = listFiles(fixtures);
  const sample = await samplePages(join(gold, "pages"), pages);
  const texts = [
    ...names.filter((name) => KNOWN_FAILURE.test(name)).map((name) => readKnownFailure(fixtures, name)),
    ...(await readTexts(join(gold, "lines", "turku-tq"))),
  ];
  const whole: object[] = [];
  for await (const line of readWholeJsonl(join(gold, "speed", "pages.jsonl.gz"))) whole.push(toPage(line));
  const isSmall = (_: object, index: number): boolean => index % SMALL_STEP === 0;
  const files = { pages: sample, texts, "whole-pages": whole };
  const small = { "some-pages": sample.filter(isSmall), "some-texts": texts.filter(isSmall) };
  for (const [name, rows] of Object.entries({ ...files, ...small }))
    writeFileSync(join(folder, `${name}.jsonl`), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return names.filter((name) => FIXTURE.test(name)).map((name) => `fixtures/${name}`);
}

/** Takes every n-th page of all sets, sorted by name. Reads the files twice, so that few pages are in memory. */
async function samplePages(folder: string, count: number): Promise<object[]> {
  const files = listFiles(folder).filter((name) => name.endsWith(".jsonl.gz"));
  let total = 0;
  for (const name of files) for await (const _ of readWholeJsonl(join(folder, name))) total += 1;
  if (total < count) throw new Error(`${folder} holds ${total} pages, and ${count} were asked for`);
  const rows: object[] = [];
  let index = 0;
  for (const name of files) {
    for await (const line of readWholeJsonl(join(folder, name))) {
      // Takes the first page at or past the next of `count` even steps.
      if (index * count >= rows.length * total) rows.push(toPage(line));
      index += 1;
    }
  }
  return rows;
}

/** Python writes `NaN` for an unknown date, which is not valid JSON. */
const NOT_A_NUMBER = /: NaN(?=[,}])/g;

function toPage(line: string): object {
  const { id, url, html } = JSON.parse(line.replaceAll(NOT_A_NUMBER, ": null")) as GoldRow; // as gold/README.md says
  return { id, ...(url === undefined ? {} : { url }), html };
}

/** Returns documents that are labelled line by line, as plain text. */
async function readTexts(folder: string): Promise<object[]> {
  const rows: object[] = [];
  for (const name of listFiles(folder)) {
    for await (const line of readWholeJsonl(join(folder, name))) {
      const { id, lines = [] } = JSON.parse(line) as GoldRow; // as in `toPage`
      rows.push({ id, text: lines.map(({ text }) => text).join("\n") });
    }
  }
  return rows;
}

/** The first line of the file describes the document; each other line is a line of the document. */
function readKnownFailure(fixtures: string, name: string): object {
  const [, ...lines] = readFileSync(join(fixtures, name), "utf8").trim().split("\n");
  return { id: name, lines: lines.map((line) => (JSON.parse(line) as { readonly text: string }).text) };
}

/** Lists all files below the folder, sorted, as paths relative to it with forward slashes. */
export function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .map((name) => name.split(sep).join("/"))
    .sort();
}
