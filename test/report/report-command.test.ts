import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { thresher } from "../cli/run.js";

const work = mkdtempSync(join(tmpdir(), "thresher-report-"));
const at = (name: string): string => join(work, name);

const NO_REPORT = "thresher: there is nothing to report, so no report is written\n";

interface Figures {
  readonly total: Readonly<Record<string, number>>;
  readonly groups: Readonly<Record<string, Readonly<Record<string, { readonly documents: number }>>>>;
  readonly thresholds: readonly {
    readonly threshold: number;
    readonly documents: number;
    readonly words: number;
    readonly lines: readonly { readonly score: number }[];
  }[];
  readonly nearDuplicates: unknown;
  readonly doubtful: readonly unknown[];
}

function readFigures(name: string): Figures {
  return JSON.parse(readFileSync(at(name), "utf8")) as Figures;
}

async function run(...args: readonly string[]): Promise<string> {
  const { code, stderr } = await thresher(args);
  expect(code, stderr).toBe(0);
  return stderr;
}

describe("thresher report", () => {
  beforeAll(async () => {
    await run("fixtures/pages", "--keep-boilerplate", "-o", at("all.jsonl"), "--quiet");
  });

  it("shows what was kept in one self-contained page", async () => {
    const said = await run("report", at("all.jsonl"), "-o", at("report.html"));
    expect(said).toMatch(/^thresher: \d+ documents, 0 rejects\n$/);
    const page = readFileSync(at("report.html"), "utf8");
    for (const part of [
      "By language",
      "By host",
      "Scores",
      "Other cuts",
      "Lines around each cut",
      "Least sure",
    ])
      expect(page).toContain(part);
    // Lines in Arabic begin on the right.
    expect(page).toContain('<span class="line" dir="auto">');
    expect(page).not.toMatch(/<script|<img|<link|src=/);
    await run("report", at("all.jsonl"), "-o", at("again.html"));
    expect(readFileSync(at("again.html"), "utf8")).toBe(page);
    expect((await thresher(["report", at("all.jsonl"), "-o", "-"])).stdout).toBe(page);
    await run("report", at("all.jsonl"), "-o", at("other.html"), "--seed", "2");
    expect(readFileSync(at("other.html"), "utf8")).not.toBe(page);
  });

  it("cuts long lines between characters", async () => {
    const text = `a${"😀".repeat(200)}`;
    const lines = [{ text, block: "p", label: "content", score: 0.6, words: 1 }];
    writeFileSync(at("long.jsonl"), `${JSON.stringify({ id: "a", text, lines })}\n`);
    await run("report", at("long.jsonl"), "-o", at("long.json"));
    const figures = readFileSync(at("long.json"), "utf8");
    expect(figures).toContain("😀…");
    expect(figures).not.toMatch(/\\ud83d/);
  });

  it("shows what each cut would keep, close to a run with that cut", async () => {
    await run("report", at("all.jsonl"), "-o", at("figures.json"));
    const { thresholds, total } = readFigures("figures.json");
    // Pages that seem to have no main content stay empty at any cut, so only the others can be compared.
    await run(at("all.jsonl"), "--threshold", "0.7", "-o", at("cut.jsonl"), "--quiet", "--lines");
    await run("report", at("cut.jsonl"), "-o", at("cut.json"));
    const seven = thresholds.find(({ threshold }) => threshold === 0.7);
    const cut = readFigures("cut.json").total;
    expect(cut["keptWords"]).toBeGreaterThan(1000);
    expect(cut["keptWords"]).toBeLessThanOrEqual(seven?.words ?? 0);
    expect(cut["keptWords"]).toBeGreaterThan(0.97 * (seven?.words ?? 0));
    expect(thresholds.map(({ words }) => words)).toEqual(
      thresholds.map(({ words }) => words).toSorted((one, other) => other - one),
    );
    expect(total["droppedWords"]).toBeGreaterThan(1000);
    for (const { threshold, lines } of thresholds)
      for (const { score } of lines) expect(Math.abs(score - threshold)).toBeLessThanOrEqual(0.05 + 1e-9);
  });

  it("finds near-duplicates, and reads Parquet and records without lines", async () => {
    const text =
      "The mill by the river ground the flour of six villages for three hundred years and more. ".repeat(4);
    writeFileSync(
      at("plain.jsonl"),
      ["a", "b", "c"]
        .map((id) => JSON.stringify({ id, url: `https://${id}.example/`, lang: "pt-BR", text, score: 0.9 }))
        .join("\n"),
    );
    await run("report", at("plain.jsonl"), "-o", at("plain.json"));
    const figures = readFigures("plain.json");
    expect(figures.nearDuplicates).toEqual({
      documents: 2,
      clusters: [{ first: "a", copies: 2, some: ["b", "c"] }],
    });
    expect(figures.groups["language"]).toMatchObject({ pt: { documents: 3 } });
    expect(Object.keys(figures.groups["host"] ?? {})).toEqual(["a.example", "b.example", "c.example"]);
    await run("fixtures/pages/qa-en/source.html", "--keep-boilerplate", "-o", at("one.parquet"), "--quiet");
    await run("report", at("one.parquet"), "-o", at("parquet.json"), "--no-duplicates");
    expect(readFigures("parquet.json").total["droppedLines"]).toBeGreaterThan(3);
  });

  it("shows what changed between two cleanings", async () => {
    await run(at("all.jsonl"), "--focus", "precision", "--lines", "-o", at("strict.jsonl"), "--quiet");
    const said = await run("report", at("all.jsonl"), at("strict.jsonl"), "-o", at("changes.html"));
    expect(said).toMatch(/ documents, [1-9]\d* changed, [1-9]\d* only in the first\n$/);
    const page = readFileSync(at("changes.html"), "utf8");
    for (const part of ["Most changed documents", '<span class="line" dir="auto">'])
      expect(page).toContain(part);
    await run("report", at("all.jsonl"), at("strict.jsonl"), "--together", "-o", at("both.json"));
    const { documents = 0 } = readFigures("both.json").total;
    expect(documents).toBeGreaterThan(60);
  });

  it("says that --no-duplicates has no effect on a comparison", async () => {
    const both = ["report", at("all.jsonl"), at("all.jsonl"), "--no-duplicates"];
    expect(await run(...both, "-o", at("pair.html"))).toContain(
      "--no-duplicates has no effect here: it only affects the report on one corpus",
    );
    expect(await run(...both, "--together", "-o", at("both.html"))).not.toContain("no effect");
  });

  it("sees no change between lines and the text that they become", async () => {
    await run(at("all.jsonl"), "-o", at("texts.jsonl"), "--quiet");
    for (const inputs of [
      ["all.jsonl", "texts.jsonl"],
      ["texts.jsonl", "all.jsonl"],
    ])
      expect(await run("report", ...inputs.map(at), "-o", at("same.html"))).toMatch(
        / documents, 0 changed\b/,
      );
  });

  it.each(["report.pdf", "report.html.gz", "report/"])(
    "refuses the name %s before any work",
    async (name) => {
      const { code, stderr } = await thresher(["report", at("all.jsonl"), "-o", name]);
      expect([code, stderr]).toEqual([2, `thresher: the report is an .html or .json file, not ${name}\n`]);
    },
  );

  it("refuses to compare with a missing file", async () => {
    const gone = at("gone.jsonl");
    for (const pair of [
      [at("all.jsonl"), gone],
      [gone, at("all.jsonl")],
    ]) {
      const { code, stderr } = await thresher(["report", ...pair, "-o", at("none.html")]);
      expect([code, stderr]).toEqual([2, `thresher: ${gone} cannot be compared: not-found\n`]);
      expect(existsSync(at("none.html"))).toBe(false);
    }
  });

  it("says why it read nothing, and compares nothing with it", async () => {
    const tei = at("corpus.xml");
    writeFileSync(
      tei,
      '<?xml version="1.0"?>\n<teiCorpus xmlns="http://www.tei-c.org/ns/1.0"></teiCorpus>\n',
    );
    writeFileSync(at("tei.html"), "an earlier report");
    const alone = await thresher(["report", tei, "-o", at("tei.html")]);
    expect(alone.code).toBe(1);
    expect(readFileSync(at("tei.html"), "utf8")).toBe("an earlier report");
    expect(alone.stderr).toContain(`thresher: ${tei}: not-a-page: `);
    expect(alone.stderr).toContain("thresher: 0 documents, 1 reject\n");
    for (const pair of [
      [at("all.jsonl"), tei],
      [tei, at("all.jsonl")],
    ]) {
      const { code, stderr } = await thresher(["report", ...pair, "-o", at("none.html")]);
      expect([code, stderr]).toEqual([2, `thresher: ${tei} cannot be compared: not-a-page\n`]);
    }
  });

  it("escapes text from a corpus", async () => {
    const lines = [{ text: "<img src=x onerror=alert(1)> ".repeat(20), score: 0.5, why: "<b>" }];
    writeFileSync(at("bad.jsonl"), JSON.stringify({ id: "<script>", url: "https://a<b>.example/", lines }));
    await run("report", at("bad.jsonl"), "-o", at("bad.html"));
    expect(readFileSync(at("bad.html"), "utf8")).not.toMatch(/<script|<img|<b>/);
  });

  it("reports pages instead of records, a missing output and a damaged line", async () => {
    const pages = await thresher(["report", "fixtures/pages/qa-en/source.html", "-o", at("x.html")]);
    expect([pages.code, pages.stderr]).toEqual([2, expect.stringContaining("clean it first")]);
    const place = await thresher(["report", at("plain.jsonl"), "-o", at("plain.jsonl/x.html")]);
    expect(place.code).toBe(74);
    writeFileSync(at("half.jsonl"), `${JSON.stringify({ id: "a", text: "One whole line." })}\n{"id":"b","te`);
    expect(await run("report", at("half.jsonl"), "-o", at("half.html"))).toBe(
      "thresher: 1 document, 1 reject\n",
    );
    const nothing = await thresher(["report", at("missing.jsonl"), "-o", at("x.html")]);
    expect([nothing.code, nothing.stderr]).toEqual([
      1,
      `thresher: ${at("missing.jsonl")}: not-found: the file does not exist\nthresher: 0 documents, 1 reject\n${NO_REPORT}`,
    ]);
    expect(existsSync(at("x.html"))).toBe(false);
  });

  it("reads the texts of a job in shards, and none of its other files", async () => {
    const job = at("job");
    const inputs = ["qa-en", "unclosed-tags"].map((name) => `fixtures/pages/${name}/source.html`);
    await run("shard", "plan", ...inputs, "-o", job, "--labeller", "rules", "--shard-size", "1K");
    await run("shard", "run", job, "--index", "0-1", "-j", "1");
    expect(await run("report", job, "-o", at("job.json"))).toBe("thresher: 2 documents, 0 rejects\n");
  });
});
