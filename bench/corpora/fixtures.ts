/** Reads the project's own fixtures as gold documents, so that the benchmark runs anywhere. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CorpusProblem, GoldDocument, GoldLine } from "./gold.js";
import { CorpusMissing, Once } from "./reader.js";
import { optional, readMeta } from "./rows.js";
import { isMissing } from "../missing.js";

interface About {
  readonly lang?: string;
  readonly type?: string;
  readonly charset?: string;
  readonly meta?: unknown;
}

interface FixtureCorpus {
  readonly name: string;
  readonly unit: "pages" | "lines";
  readonly gold?: "metadata";
}

/**
 * Yields the fixtures of a corpus in the order of their names, and reports each one that is damaged or a duplicate. For
 * unit `pages` it reads `<slug>/source.html` with its lines and text, or with its metadata only; for `lines` it reads
 * the lines of `<slug>` under `text/`. Throws CorpusMissing if the folder has no fixtures.
 */
export async function* readFixtures(
  corpus: FixtureCorpus,
  fixturesDir: string,
  report: (problem: CorpusProblem) => void,
): AsyncGenerator<GoldDocument> {
  const folder = join(fixturesDir, corpus.unit === "pages" ? "pages" : "text");
  const slugs = await listFolders(folder);
  if (slugs.length === 0) {
    throw new CorpusMissing(
      corpus.name,
      `corpus ${corpus.name}: no fixtures in ${folder}; they come with the source code, not with the npm package.`,
    );
  }
  const once = new Once();
  for (const slug of slugs) {
    const found = await readFixture(corpus, { folder: join(folder, slug), slug });
    const twin = typeof found === "string" ? undefined : once.twinOf(found);
    if (typeof found === "string") report({ file: slug, line: 0, problem: "bad-row", detail: found });
    else if (twin !== undefined) report({ file: slug, line: 0, problem: "duplicate", detail: twin });
    else yield found;
  }
}

async function listFolders(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Returns one fixture, or the reason why it cannot be read. */
async function readFixture(
  corpus: FixtureCorpus,
  { folder, slug }: { readonly folder: string; readonly slug: string },
): Promise<GoldDocument | string> {
  try {
    const about = JSON.parse(await readFile(join(folder, "about.json"), "utf8")) as About; // this project's own file
    const [isPage, hasLines] = [corpus.unit === "pages", corpus.gold !== "metadata"];
    const meta = hasLines ? undefined : readMeta(about.meta, {});
    if (typeof meta === "string") return meta;
    const lines = hasLines ? readLabels(await readFile(join(folder, "lines.jsonl"), "utf8")) : undefined;
    const html = isPage ? await readFile(join(folder, "source.html")) : undefined;
    return {
      id: `${corpus.name}/${slug}`,
      corpus: corpus.name,
      lang: about.lang ?? "und",
      split: "all",
      url: "",
      ...optional("pageType", about.type),
      ...optional("html", html && new TextDecoder(about.charset ?? "utf-8").decode(html)),
      ...optional("lines", lines),
      ...optional("text", isPage && hasLines ? await readFile(join(folder, "text.txt"), "utf8") : undefined),
      ...optional("meta", meta),
    };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function readLabels(jsonl: string): GoldLine[] {
  return jsonl
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line, index) => {
      const entry = JSON.parse(line) as { readonly text?: unknown; readonly label?: unknown }; // checked below
      if (typeof entry.text !== "string") throw new TypeError(`line ${index + 1} has no text`);
      if (entry.label !== "content" && entry.label !== "boilerplate") {
        throw new TypeError(`line ${index + 1} has label ${JSON.stringify(entry.label)}`);
      }
      return { text: entry.text, label: entry.label === "content" ? 1 : 0 };
    });
}
