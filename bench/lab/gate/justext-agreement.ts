/**
 * Measures how far the `justext` labeller agrees with jusText, step by step: first with jusText's paragraphs and stop
 * words, then with our stop words, then with our lines.
 * `node dist/bench/lab/gate/justext-agreement.js CORPUS=PAGES… --gold DIR [--json FILE]`; `npm run bench:rivals`
 * installs jusText, without which the comparison cannot run.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { createThresher, type Thresher } from "thresher";
import { DEFAULT_GOLD_DIR, openCorpus } from "../../corpora/registry.js";
import {
  comparePage,
  FIGURES,
  startAgreement,
  type Agreements,
  type Figure,
  type Reply,
} from "./justext/compare.js";
import { loadInternals } from "./justext/justext-internals.js";
import { formatCount, formatPercent } from "../../report/format.js";
import { layOut } from "../../report/markdown-table.js";
import { gatherDocuments } from "../../run/documents.js";
import { Connection } from "../../systems/connection.js";
import { SystemUnavailable } from "../../systems/errors.js";
import { findPython } from "../../systems/python.js";
import { ROOT } from "../../systems/root.js";
import type { GoldDocument } from "../../corpora/gold.js";
import { isMain } from "../is-main.js";

const TIMEOUT_MS = 60_000;
/** How many kinds of differences are printed for each figure; the JSON has all of them. */
const MOST_PRINTED = 6;
const NAMES = Object.keys(FIGURES) as Figure[]; // the keys of a literal

export interface AgreementReport {
  readonly pages: number;
  readonly failures: number;
  readonly byLanguage: Readonly<Record<string, number>>;
  readonly figures: Agreements;
}

/** Returns the path of the Python interpreter that has jusText. Throws SystemUnavailable when it does not exist. */
export function findInterpreter(venv: string = join(ROOT, ".venv")): string {
  const found = findPython(venv);
  if (found === undefined)
    throw new SystemUnavailable("there is no Python environment; npm run bench:rivals makes it");
  return found;
}

/** Runs jusText and the labeller on each page, and compares their answers. */
export async function measureAgreement(
  pages: AsyncIterable<GoldDocument> | Iterable<GoldDocument>,
  python: string,
): Promise<AgreementReport> {
  const internals = await loadInternals();
  const script = join(ROOT, "bench", "lab", "gate", "justext", "paragraphs.py");
  const connection = new Connection({ command: python, args: ["-X", "utf8", script] });
  const thresher = await createThresher({ labeller: "justext", workers: 1, keepBoilerplate: true });
  const figures = Object.fromEntries(NAMES.map((name) => [name, startAgreement()])) as unknown as Agreements; // every name is there
  const lists = new Map<string, ReadonlyMap<string, number>>();
  const byLanguage: Record<string, number> = {};
  const report = { pages: 0, failures: 0 };
  try {
    for await (const { id, html = "", url, lang } of pages) {
      const reply = await ask(connection, { id, html, lang });
      if (reply.words !== undefined)
        lists.set(reply.list ?? "", new Map(reply.words.map((word) => [word, 1])));
      const own = await readLines(thresher, { id, html, url });
      if (reply.error !== undefined || own === undefined) {
        report.failures += 1;
        continue;
      }
      comparePage({ reply, list: lists.get(reply.list ?? ""), ...own }, internals, figures);
      report.pages += 1;
      byLanguage[lang] = (byLanguage[lang] ?? 0) + 1;
    }
  } finally {
    await thresher.close();
    await connection.close();
  }
  return { ...report, byLanguage, figures };
}

async function ask(connection: Connection, page: object): Promise<Reply> {
  const answer = await connection.ask(`${JSON.stringify(page)}\n`, TIMEOUT_MS);
  if (answer.kind === "line") return JSON.parse(answer.line) as Reply; // paragraphs.py writes it
  throw new SystemUnavailable(
    answer.kind === "died" ? `jusText ended: ${answer.detail}` : "jusText takes too long",
  );
}

async function readLines(
  thresher: Thresher,
  page: { readonly id: string; readonly html: string; readonly url: string },
): Promise<
  | { lines: readonly { text: string; block: string; path: string; linkChars: number }[]; lang?: string }
  | undefined
> {
  const outcome = await thresher.clean(page);
  if (!outcome.ok) return undefined;
  const { lines = [], lang } = outcome.value;
  return { lines: lines.filter(({ text }) => /\S/.test(text)), ...(lang === undefined ? {} : { lang }) };
}

export function formatReport({ pages, failures, byLanguage, figures }: AgreementReport): string {
  const languages = Object.entries(byLanguage).map(([lang, count]) => `${lang} ${count}`);
  const rows = NAMES.map((name) => {
    const { all, same, words, sameWords } = figures[name];
    return [FIGURES[name], formatCount(all), formatPercent(same / all), formatPercent(sameWords / words)];
  });
  const differences = NAMES.flatMap((name) =>
    sorted(figures[name].differences)
      .slice(0, MOST_PRINTED)
      .map(([difference, count]) => [name, difference, formatCount(count)]),
  );
  return [
    `${pages} pages (${languages.join(", ")}), ${failures} that one of the two could not read`,
    layOut(["compared", "lines", "agree", "of their words"], rows),
    layOut(["figure", "where they differ", "lines"], differences),
    "",
  ].join("\n\n");
}

function sorted(differences: ReadonlyMap<string, number>): [string, number][] {
  return [...differences].sort(([, a], [, b]) => b - a);
}

function toJson({ figures, ...report }: AgreementReport, corpora: readonly string[]): string {
  const values = NAMES.map((name) => {
    const { differences, ...numbers } = figures[name];
    const agreement = numbers.same / numbers.all;
    return {
      name,
      compared: FIGURES[name],
      ...numbers,
      agreement,
      differences: Object.fromEntries(sorted(differences)),
    };
  });
  const about = { format: "thresher-justext-agreement-1", date: new Date().toISOString(), corpora };
  return `${JSON.stringify({ ...about, ...report, figures: values }, undefined, 1)}\n`;
}

async function* readPages(corpora: readonly string[], goldDir: string): AsyncGenerator<GoldDocument> {
  for (const one of corpora) {
    const [name = "", count = "50"] = one.split("=");
    const documents = await gatherDocuments(openCorpus(name, { goldDir }), Number(count));
    yield* documents.read();
  }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { gold: { type: "string", default: DEFAULT_GOLD_DIR }, json: { type: "string" } },
    allowPositionals: true,
  });
  const report = await measureAgreement(readPages(positionals, resolve(values.gold)), findInterpreter());
  process.stdout.write(formatReport(report));
  if (values.json === undefined) return;
  await mkdir(dirname(values.json), { recursive: true });
  await writeFile(values.json, toJson(report, positionals));
}

if (isMain(import.meta.url)) await main();
