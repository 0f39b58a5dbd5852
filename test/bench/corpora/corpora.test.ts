import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CORPORA } from "../../../bench/corpora/descriptors.js";
import { CorpusDigest, digestDocument } from "../../../bench/corpora/digest.js";
import { readJsonlLines } from "../../../bench/corpora/jsonl.js";
import { isHeldOut } from "../../../bench/corpora/reader.js";
import { CorpusMissing, corpusNames, isCorpusPresent, openCorpus } from "../../../bench/corpora/registry.js";
import type { GoldDocument } from "../../../bench/corpora/gold.js";
import { collectAll } from "../../collect-all.js";

const FIXTURES = fileURLToPath(new URL("../../../fixtures", import.meta.url));
let goldDir = "";

async function put(
  path: string,
  rows: readonly unknown[],
  damage?: (bytes: Buffer) => Buffer,
): Promise<void> {
  const text = rows.map((row) => (typeof row === "string" ? row : JSON.stringify(row))).join("\n");
  const bytes = gzipSync(text);
  await mkdir(dirname(join(goldDir, path)), { recursive: true });
  await writeFile(join(goldDir, path), damage === undefined ? bytes : damage(bytes));
}

const LINES = [
  { text: "Menu", label: 0 },
  { text: "Body", label: 1, cls: "good" },
];

beforeAll(async () => {
  goldDir = await mkdtemp(join(tmpdir(), "gold-"));
});
afterAll(async () => {
  await rm(goldDir, { recursive: true });
});

describe("page corpora", () => {
  it("reads rows, and reports bad and repeated ones with their line number", async () => {
    const page = { id: "a", split: "test", url: null, lang: "en", html: "<p>Body", gold_text: "Body" };
    await put("pages/scrapinghub/pages.jsonl.gz", [
      {
        ...page,
        page_type: "article",
        gold_lines: LINES,
        gold_lines_how: "aligned",
        gold_cover: 0.8,
        with: ["Body"],
      },
      "{broken",
      "",
      { ...page, id: "b", html: "<p>Other", gold_lines: LINES, gold_lines_how: "aligned", gold_cover: 0.79 },
      { ...page, html: "<p>New page, old id" },
      { ...page, id: "c" },
      { ...page, id: "d", html: undefined },
      { ...page, id: "e", html: "e", gold_lines: [{ text: "x", label: 2 }], gold_lines_how: "dom-marks" },
      ["not", "an object"],
      {
        ...page,
        id: "f",
        html: "f",
        gold_lines: LINES,
        gold_lines_how: "dom-marks",
        gold_text: "<!-- no article -->",
      },
    ]);
    const corpus = openCorpus("scrapinghub", { goldDir });
    const documents = await collectAll(corpus.documents());
    expect(documents.map(({ id }) => id)).toEqual(["a", "b", "f"]);
    expect(documents[0]).toEqual({
      ...{ id: "a", corpus: "scrapinghub", lang: "en", split: "test", url: "", pageType: "article" },
      ...{ html: "<p>Body", text: "Body", lines: LINES, with: ["Body"] },
    });
    expect(documents[1]?.lines).toBeUndefined();
    expect(documents[2]).toMatchObject({ lines: LINES, text: "" });
    expect(corpus.problems().map(({ line, problem }) => [line, problem])).toEqual([
      [2, "bad-row"],
      [5, "duplicate"],
      [6, "duplicate"],
      [7, "bad-row"],
      [8, "bad-row"],
      [9, "bad-row"],
    ]);
    expect(corpus.problems()[1]?.detail).toBe("a occurs twice");
    expect(corpus.problems()[2]?.detail).toBe("c is the same page as a");
    expect(corpus.problems()[4]?.detail).toContain("label 2");
    await collectAll(corpus.documents());
    expect(corpus.problems()).toHaveLength(6); // only those of the last reading
  });

  it("reads only the rows of its split", async () => {
    const page = { lang: "en", url: "" };
    await put("pages/cleaneval/pages.jsonl.gz", [
      { ...page, id: "t", split: "test", html: "1" },
      { ...page, id: "d", split: "dev", html: "2" },
    ]);
    const ids = async (name: string): Promise<string[]> =>
      (await collectAll(openCorpus(name, { goldDir }).documents())).map(({ id }) => id);
    expect(await ids("cleaneval")).toEqual(["t"]);
    expect(await ids("cleaneval-dev")).toEqual(["d"]);
  });

  it("yields what comes before the end of a truncated file, and reports the damage", async () => {
    const rows = Array.from({ length: 2000 }, (_, at) => ({
      id: `p${at}`,
      html: `${at}${Math.sin(at)}`,
      lang: "en",
    }));
    await put("pages/dragnet/pages.jsonl.gz", rows, (bytes) => bytes.subarray(0, bytes.length / 2));
    const corpus = openCorpus("dragnet", { goldDir });
    const documents = await collectAll(corpus.documents());
    expect(documents.length).toBeGreaterThan(100);
    expect(documents.length).toBeLessThan(2000);
    expect(corpus.problems()).toHaveLength(1);
    expect(corpus.problems()[0]).toMatchObject({ problem: "truncated", line: documents.length + 1 });
  });
});

describe("line corpora", () => {
  it("reads every language, with the split of the file", async () => {
    for (const lang of ["de", "en", "es", "fi", "fr", "sv"]) {
      const row = {
        id: `${lang}/1`,
        lang,
        source: "turku-tq",
        lines: [{ text: lang, label: 1 }],
        register: "NA",
      };
      await put(`lines/turku-tq/${lang}.dev.jsonl.gz`, [row, { ...row, id: `${lang}/2`, lines: "none" }]);
    }
    const corpus = openCorpus("turku-tq-dev", { goldDir });
    const documents = await collectAll(corpus.documents());
    expect(documents.map(({ lang }) => lang)).toEqual(["de", "en", "es", "fi", "fr", "sv"]);
    expect(documents[0]).toEqual({
      ...{ id: "de/1", corpus: "turku-tq-dev", lang: "de", split: "dev", url: "", register: "NA" },
      lines: [{ text: "de", label: 1 }],
    });
    expect(corpus.problems().every(({ line, problem }) => line === 2 && problem === "bad-row")).toBe(true);
    expect(corpus.problems()).toHaveLength(6);
  });
});

describe("lines of pages", () => {
  it("form a corpus without pages, include unlabelled lines, and hold no site of a training set", async () => {
    const page = { lang: "de", html: "<p>Body", gold_text: "Body", gold_lines: LINES };
    const masked = [{ text: "Menu", label: 0 }, { text: "By A. Baker", label: null }, ...LINES.slice(1)];
    const lines = (at: number): object[] => [{ text: `Page ${at}`, label: 0 }, ...masked];
    await put("pages/mercury/pages.jsonl.gz", [
      { ...page, id: "held-out", url: "https://example.org/1", gold_lines: lines(1) },
      { ...page, id: "training", url: "https://example.com/2", gold_lines: lines(2) },
      {
        ...page,
        id: "elsewhere",
        url: "https://example.org/3",
        gold_lines: lines(3),
        host_in_shared: ["waddle"],
      },
      {
        ...page,
        id: "measured too",
        url: "https://example.org/4",
        gold_lines: lines(4),
        host_in_shared: ["wcxb"],
      },
      { ...page, id: "poor", url: "https://example.org/5", gold_lines: lines(5), gold_cover: 0.7 },
      ...Array.from({ length: 20 }, (_, at) => ({
        ...page,
        id: `no address ${at}`,
        gold_lines: lines(10 + at),
      })),
    ]);
    const corpus = openCorpus("mercury-lines-heldout", { goldDir });
    const documents = await collectAll(corpus.documents());
    expect(documents.map(({ id }) => id)).toEqual(["held-out", "measured too"]);
    expect(documents[0]).toMatchObject({ lang: "de", lines: lines(1) });
    expect(documents[0]).not.toHaveProperty("html");
    expect(documents[0]).not.toHaveProperty("text");
    expect(corpus.problems().map(({ detail }) => detail)).toEqual(["poor: gold_cover 0.7"]);
    const [digest, other] = [new CorpusDigest(), new CorpusDigest()];
    const labels = [1, null, 0, null] as const;
    const made = (order: readonly number[]): GoldDocument => ({
      ...documents[0]!,
      lines: order.map((at) => ({ text: "x", label: labels[at]! })),
    });
    digest.add(made([0, 1, 2]));
    other.add(made([0, 2, 1]));
    expect(digest.hex()).not.toBe(other.hex());
  });
});

describe("a missing corpus", () => {
  it("says how to download it", async () => {
    expect(await isCorpusPresent("canola", { goldDir })).toBe(false);
    const reading = collectAll(openCorpus("canola", { goldDir }).documents());
    await expect(reading).rejects.toThrow(CorpusMissing);
    await expect(reading).rejects.toThrow(/canola.*krdwrd\/data.*--gold/s);
    expect(await isCorpusPresent("scrapinghub", { goldDir })).toBe(true);
    await expect(
      collectAll(openCorpus("fixtures", { fixturesDir: join(goldDir, "nowhere") }).documents()),
    ).rejects.toThrow(CorpusMissing);
  });

  it("lists all corpora if the name is wrong", () => {
    expect(() => openCorpus("clean-eval")).toThrow(/"clean-eval".*cleaneval, /s);
  });
});

describe("descriptors", () => {
  it("have unique names and no empty field", () => {
    expect(new Set(corpusNames()).size).toBe(CORPORA.length);
    for (const corpus of CORPORA) {
      expect(corpus.name).toMatch(/^[a-z0-9-]+$/);
      for (const said of [corpus.origin, corpus.licence, corpus.mainContent, corpus.training]) {
        expect(said.length, corpus.name).toBeGreaterThan(2);
      }
      expect(new Set(corpus.languages).size, corpus.name).toBe(corpus.languages.length);
      expect(corpus.splits.length, corpus.name).toBeGreaterThan(0);
    }
  });

  it("cover every corpus that the benchmark's manual names", () => {
    const named = [
      "cleaneval",
      "canola",
      "l3s-gn1",
      "scrapinghub",
      "cleanportaleval",
      "wcxb-dev",
      "trafilatura-eval",
    ];
    expect(corpusNames()).toEqual(expect.arrayContaining([...named, "fixtures", "turku-tq-dev"]));
  });
});

describe("isHeldOut", () => {
  it("makes the same choice as models/train/common/gold.py", () => {
    // int(hashlib.sha256(b"example.com").hexdigest(), 16) % 5, and so on, computed with Python
    const choices = ["http://www.Example.com/a", "https://example.org:8080?x", "ftp://a.b.c.de/", ""].map(
      (url) => isHeldOut({ url, id: "page-7" }),
    );
    expect(choices).toEqual([false, true, false, false]);
  });
});

describe("fixtures", () => {
  it("load as corpora, decoded and complete", async () => {
    const pages = openCorpus("fixtures", { fixturesDir: FIXTURES });
    const documents = await collectAll(pages.documents());
    expect(pages.problems()).toEqual([]);
    expect(documents.length).toBeGreaterThan(20);
    const languages = new Set(documents.map(({ lang }) => lang.split("-")[0]));
    expect([...languages].filter((lang) => !pages.languages.includes(lang ?? ""))).toEqual([]);
    for (const document of documents) {
      expect(document.html?.length, document.id).toBeGreaterThan(100);
      expect(document.lines?.length, document.id).toBeGreaterThan(1);
      expect(document.text, document.id).toBeDefined();
      expect(document.html, document.id).not.toContain("\ufffd");
    }
    const texts = openCorpus("fixtures-text", { fixturesDir: FIXTURES });
    for (const { id, lines, html } of await collectAll(texts.documents())) {
      expect(lines?.length, id).toBeGreaterThan(1);
      expect(html).toBeUndefined();
    }
    expect(texts.problems()).toEqual([]);
  });

  it("reports a folder that is not a fixture", async () => {
    const page = join(goldDir, "fixtures", "pages", "half");
    await mkdir(page, { recursive: true });
    await writeFile(join(page, "about.json"), "{}");
    await writeFile(join(page, "lines.jsonl"), '{"text":"x","label":"good"}');
    const corpus = openCorpus("fixtures", { fixturesDir: join(goldDir, "fixtures") });
    expect(await collectAll(corpus.documents())).toEqual([]);
    expect(corpus.problems()[0]?.detail).toContain('label "good"');
  });
});

describe("digests", () => {
  const page: GoldDocument = {
    id: "a",
    corpus: "c",
    lang: "en",
    split: "all",
    url: "",
    html: "<p>x",
    text: "x",
  };

  it("change with ids, pages, gold and order only", () => {
    const of = (...documents: readonly GoldDocument[]): string => {
      const digest = new CorpusDigest();
      for (const document of documents) digest.add(document);
      return digest.hex();
    };
    const first = of(page);
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(of({ ...page, corpus: "other" })).toBe(first);
    const other = { ...page, id: "b", html: "<p>y" };
    const changed = [
      of({ ...page, id: "b" }),
      of({ ...page, html: "<p>y" }),
      of({ ...page, text: "y" }),
      of({ ...page, lines: [{ text: "x", label: 1 }] }),
      of({ ...page, id: "a<", html: "p>x" }),
      of(page, other),
      of(other, page),
    ];
    expect(new Set([first, ...changed]).size).toBe(8);
  });

  it("can be computed while documents stream by", () => {
    const digest = new CorpusDigest();
    digest.add(page);
    expect(digest.hex()).toBe(digest.hex());
  });

  it("identifies a page by what a system sees", () => {
    expect(digestDocument(page)).toBe(digestDocument({ ...page, id: "b", text: "other gold" }));
    const lines = [{ text: "one", label: 1 as const }];
    expect(digestDocument({ ...page, lines })).toBe(digestDocument(page));
    const text: GoldDocument = { id: "a", corpus: "c", lang: "en", split: "all", url: "" };
    expect(digestDocument({ ...text, lines })).not.toBe(digestDocument({ ...text, lines: [] }));
  });
});

describe("readJsonlLines", () => {
  it("keeps line numbers, and characters that are split between chunks", async () => {
    const path = join(goldDir, "long.jsonl");
    const rows = ["é".repeat(100_000), "", "字".repeat(50_000), "last"];
    await writeFile(path, rows.join("\n"));
    const events = await collectAll(readJsonlLines(path));
    expect(events.map(({ number }) => number)).toEqual([1, 3, 4]);
    expect(events.map((event) => (event.kind === "line" ? event.text : ""))).toEqual(rows.filter(Boolean));
    expect((await readFile(path, "utf8")).length).toBe(150_006 + 1);
  });

  it("throws if the file is missing", async () => {
    await expect(collectAll(readJsonlLines(join(goldDir, "none.jsonl.gz")))).rejects.toThrow("ENOENT");
  });
});
