import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writePage } from "../../../../bench/lab/papers/page.js";
import * as published from "../../../../bench/lab/papers/published.js";
import {
  figureAt,
  readSources,
  SOURCE_NAMES,
  type SourceName,
  type Sources,
} from "../../../../bench/lab/papers/sources.js";
import type { Results } from "../../../../bench/report/results.js";
import { ROOT } from "../../../../bench/systems/root.js";
import { makeFolder } from "../../documents.js";

const committed = await readSources(join(ROOT, "bench", "results"), join(ROOT, "models"));
const page = writePage(committed);

/** Makes a copy in which all numbers are `number`, and all strings are empty except names. */
function flatten(value: unknown, number: number): unknown {
  if (typeof value === "number") return number;
  if (typeof value === "string") return "";
  if (Array.isArray(value)) return value.map((one: unknown) => flatten(one, number));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, isName(key) ? (one as unknown) : flatten(one, number)]),
  );
}

/** Whether rows are found by this key. */
function isName(key: string): boolean {
  return ["system", "corpus", "name", "trained", "tested"].includes(key);
}

function flattenAll(number: number): Sources {
  const { bench, files, sizes } = committed;
  if (bench === undefined) throw new Error("the repository has no results of the benchmark");
  // `corpus` is a name in the benchmark's results and a table in those of the pipeline
  const flat = { ...(flatten(files, number) as Sources["files"]), "register-oscar": flattenRuns(number) };
  const corpora = bench.results.corpora.map((one) => ({
    ...one,
    systems: flatten(one.systems, number) as Results["corpora"][number]["systems"],
  }));
  return {
    files: flat,
    bench: { file: bench.file, results: { ...bench.results, corpora } },
    sizes: flatten(sizes, number) as Sources["sizes"],
  };
}

function flattenRuns(number: number): unknown {
  const counts = { texts: number, keptTexts: number, contentLines: number, boilerplateLines: number };
  const all = { ...counts, words: number };
  return { runs: { "turku-tq dev": { corpus: all, languages: { fr: all } } } };
}

/** Finds decimal numbers such as .874, 3.15 or 12.9, but no versions (3.0.2) or file names. */
function decimalsOf(text: string): Set<string> {
  return new Set(text.match(/(?<![\w.])\d*\.\d+(?![\w.]*\.?[\d-])/g) ?? []);
}

function changed(name: SourceName, path: readonly string[], value: number): Sources {
  const copy = structuredClone(committed.files[name]);
  let inside = copy as Record<string, unknown>;
  for (const key of path.slice(0, -1)) inside = inside[key] as Record<string, unknown>;
  const last = path.at(-1) ?? "";
  expect(typeof inside[last], `${name}: ${path.join(" / ")}`).toBe("number");
  inside[last] = value;
  return { ...committed, files: { ...committed.files, [name]: copy } };
}

describe("the page of the papers", () => {
  it("is what the command writes from the results in this repository", () => {
    expect(readFileSync(join(ROOT, "bench", "papers.md"), "utf8")).toBe(page);
  });

  it("begins with a table that has figures for each paper", () => {
    const head = page.slice(0, page.indexOf("\n## "));
    const rows = head.split("\n").filter((line) => line.startsWith("|"));
    expect(rows.length).toBeGreaterThan(8);
    const papers = rows.slice(2).map((row) => row.split("|").map((cell) => cell.trim()));
    for (const [, paper, , measure, publishedThere, here, ours] of papers) {
      expect(measure, paper).toMatch(/[a-z]/);
      expect([publishedThere, here, ours].join(" "), paper).toMatch(/\.\d|\d %/);
      expect([publishedThere, here, ours].join(" "), paper).not.toMatch(/\bsee\b|section|not measured/);
    }
    const named = papers.map(([, paper]) => paper).filter((paper) => paper !== "");
    expect(named).toHaveLength(Object.keys(published.PAPERS).length);
  });

  it("links to each of its sections", () => {
    const titles = [...page.matchAll(/^## (.*)$/gm)].map(([, title]) => title ?? "");
    const links = [...page.matchAll(/\[([^\]]+)\]\(#([^)\s]+)\)/g)];
    expect(links.map(([, title]) => title)).toEqual(titles);
    // GitHub's viewer removes punctuation, and replaces each space by a hyphen
    expect(links.map(([, , anchor]) => anchor)).toEqual(
      titles.map((title) =>
        title
          .toLowerCase()
          .replace(/[:,.?'&]/g, "")
          .replace(/ /g, "-"),
      ),
    );
  });

  it.each<[SourceName, string[]]>([
    ["transformer", ["sets", "turku-tq dev", "pooled", "sequence", "accuracy", "0"]],
    ["transformer", ["inTheProgram", "systems", "transformer", "sets", "turku-tq-dev", "linesACpuSecond"]],
    ["texrex", ["measured", "cv", "results", "canola", "at.5", "pre", "value"]],
    ["texrex", ["measured", "speed", "all"]],
    ["texrex", ["measured", "rank", "results", "canola", "MarkupProp", "aloneArea"]],
    ["texrex", ["measured", "cross", "results", "pages", "wcxb", "canola", "at.5", "contentF1", "low"]],
    ["boilernet", ["systems", "multiboilernet no-aux", "zh", "macro", "mean"]],
    ["boilernet", ["systems", "boilernet", "test", "micro", "mean"]],
    ["fasttext", ["dev", "sv", "accuracy"]],
    ["fasttext", ["crossLingual", "0", "accuracy"]],
    ["fasttext", ["speed", "linesPerSecond", "justext"]],
    ["justext", ["agreement", "figures", "4", "agreement"]],
    ["justext", ["quality", "canola", "systems", "justext-ours", "rougeF1", "value"]],
    ["text", ["accuracy", "languages", "pooled", "told", "value"]],
    ["text", ["sideBySide", "crawl", "bag of lines", "turku-tq dev accuracy", "value"]],
    ["register-oscar", ["runs", "turku-tq dev", "corpus", "keptTexts"]],
    ["speed", ["systems", "1", "cpuMs", "mean"]],
  ])("shows the figures of %s at %j", (name, path) => {
    expect(writePage(changed(name, path, 0.98765))).not.toBe(page);
  });

  it("shows the benchmark's figures for each step", () => {
    const { bench } = committed;
    const copy = structuredClone(bench);
    const raw = copy?.results.corpora
      .find(({ corpus }) => corpus === "canola")
      ?.systems.find(({ system }) => system === "page");
    Object.assign(raw?.overall["wordLoss"] ?? {}, { value: 0.98765 });
    expect(copy).not.toEqual(bench);
    expect(writePage({ ...committed, ...(copy === undefined ? {} : { bench: copy }) })).toContain("98.8 %");
  });

  it("contains only figures that are measured or published", () => {
    const numbers = [0.123, 0.456].map((number) => decimalsOf(writePage(flattenAll(number))));
    const [some = new Set<string>(), others = new Set<string>()] = numbers;
    // numbers that do not depend on the measurements are published, or differences of two equal ones
    const left = [...some].filter((one) => others.has(one));
    expect(left.length).toBeGreaterThan(40);
    const known = JSON.stringify(published).match(/\d*\.\d+/g) ?? [];
    const unknown = left.filter(
      (one) =>
        !known.some((figure) => Number(figure) === Number(one)) &&
        !isDerived(Number(one)) &&
        Number(one) !== 0,
    );
    expect(unknown).toEqual([]);
  });
});

/** Whether the number is a percentage, a point or a share calculated from published figures. */
function isDerived(shown: number): boolean {
  const { french, swedish } = published.LAIPPALA_2020;
  const shares = [french, swedish].flatMap((conditions) => {
    const raw: published.Accepted = conditions["raw HTML text"];
    return Object.values(conditions).flatMap(({ words, lines }: published.Accepted) => [
      words.accepted / (words.accepted + words.rejected),
      1 - words.accepted / raw.words.accepted,
      ...("accepted" in lines ? [lines.accepted / (lines.accepted + lines.rejected)] : []),
      ...("accepted" in lines && "accepted" in raw.lines ? [1 - lines.accepted / raw.lines.accepted] : []),
    ]);
  });
  const { oscar, sequence, bag } = published.LAIPPALA_2022;
  const { least, most } = published.WU.auxiliary;
  const others = [
    ...[oscar.kept / oscar.texts, oscar.boilerplateLines / (oscar.boilerplateLines + oscar.contentLines)],
    ...[sequence - bag, least, most, published.JUSTEXT_AGREEMENT],
    // if all counts are the same, half of the lines are boilerplate and all texts are kept
    ...[0.5, 1],
  ];
  return [...shares, ...others].some((share) => (100 * share).toFixed(1) === shown.toFixed(1));
}

describe("a missing file of figures", () => {
  it.each(SOURCE_NAMES)("is reported: %s", (name) => {
    const files = Object.fromEntries(Object.entries(committed.files).filter(([key]) => key !== name));
    const without = writePage({ ...committed, files });
    expect(without).toContain(
      `**${name}: not measured** (there is no \`bench/results/papers/${name}.json\`)`,
    );
    expect(without).not.toMatch(/NaN|undefined|Infinity|\[object/);
  });

  it("affects every file of an empty folder, but not the published figures", async () => {
    const empty = await readSources(makeFolder(), makeFolder());
    const without = writePage(empty);
    expect(without).toContain("which do not exist yet");
    expect(without).toContain("| published, sv");
    expect(without).not.toMatch(/NaN|undefined|Infinity|\[object/);
    expect(decimalsOf(without).size).toBeLessThan(decimalsOf(page).size / 3);
  });

  it("is distinguished from a broken file", () => {
    const broken: Sources = { ...committed, files: { speed: { systems: { page: ["fast"] } } } };
    expect(() => figureAt(broken, "speed", "systems", "page")).toThrow(/is no figure/);
  });
});

describe("the figures of text-7", () => {
  it("are in the README of the model", () => {
    const readme = readFileSync(join(ROOT, "models", "text-7", "README.md"), "utf8");
    const rows = readme.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
    const names = { de: "German", en: "English", es: "Spanish", fi: "Finnish", fr: "French", sv: "Swedish" };
    for (const [language, name] of Object.entries({ ...names, pooled: "**pooled**" })) {
      const row = rows.find(([, head]) => head === name) ?? [];
      const figures = ["told", "transformer", "rules", "justext"].map(
        (system) => figureAt(committed, "text", "accuracy", "languages", language, system)?.value,
      );
      const shown = [3, 6, 7, 8].map((at) => Number(/\.\d{3}/.exec(row[at] ?? "")?.[0]));
      expect(shown, language).toEqual(figures);
    }
  });
});
