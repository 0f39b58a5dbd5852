import { describe, expect, it } from "vitest";
import {
  formatItemMarkdown,
  formatItemTerminal,
  renderItemPage,
} from "../../../../bench/report/items/item-reports.js";
import type {
  CorpusItems,
  ItemResults,
  ItemScore,
  SystemItems,
} from "../../../../bench/report/items/item-results.js";

function score(right: number, found: number, wanted: number, present?: number): ItemScore {
  return {
    ...{ right, found, wanted, ...(present === undefined ? {} : { present }) },
    precision: { value: found === 0 ? null : right / found },
    recall: { value: right / wanted, low: 0.1, high: 0.9 },
    f1: { value: (2 * right) / (found + wanted), low: 0.25, high: 0.75 },
  };
}

function system(name: string, overall: SystemItems["overall"], more: Partial<SystemItems> = {}): SystemItems {
  return {
    ...{ system: name, documents: 5, failures: { crash: 0, timeout: 0, missing: 0, reject: 0 }, failed: [] },
    ...{ overall, mean: { value: 0.5 }, pageTypes: {}, examples: {} },
    ...more,
  };
}

function results(subject: ItemResults["subject"], corpus: Partial<CorpusItems>): ItemResults {
  return {
    format: "thresher-bench-items-1",
    subject,
    date: "2026-11-23T08:00:00Z",
    command: `thresher bench --measure ${subject}`,
    version: "0.1.0",
    machine: { cpu: "A & B", cores: 2, node: "20.0.0", platform: "linux x64" },
    systems: [{ name: "page", group: "ours", describe: "0.1.0: <settings>" }],
    unavailable: [{ name: "mercury-parser", why: "not installed" }],
    corpora: [
      {
        ...{
          corpus: "gold",
          origin: "here",
          licence: "none",
          mainContent: "What people say.",
          training: "never",
        },
        ...{ digest: "00", documents: 5, isSample: true, unusable: 2, leanings: {}, systems: [] },
        problems: [{ file: "gold.jsonl", line: 4, problem: "bad-row", detail: "NaN" }],
        ...corpus,
      },
    ],
  };
}

/** Returns the cells of the row that begins with a name, in the table below a title. */
function rowOf(markdown: string, title: string, name: string): string[] {
  const table = markdown.split("### ").find((part) => part.startsWith(title)) ?? "";
  const row = table.split("\n").find((line) => line.startsWith(`| ${name} `)) ?? "";
  return row
    .split("|")
    .slice(2, -1)
    .map((cell) => cell.trim());
}

describe("the report on metadata", () => {
  const found = results("metadata", {
    leanings: { htmldate: ["date"] },
    systems: [
      system("page", { title: score(3, 4, 5), date: score(0, 1, 5) }),
      system(
        "htmldate",
        { title: score(0, 0, 5), date: score(5, 5, 5) },
        {
          failures: { crash: 1, timeout: 0, missing: 0, reject: 0 },
        },
      ),
    ],
  });
  const markdown = formatItemMarkdown(found);

  it("shows correct values of all pages, and marks gold that depends on a system", () => {
    expect(rowOf(markdown, "right,", "page")).toEqual([".600 (.100–.900)", ".000 (.100–.900)"]);
    // it returns no titles
    expect(rowOf(markdown, "right,", "htmldate")).toEqual(["–", "1.000 (.100–.900) \\*"]);
    expect(markdown).toContain(" title (5) |");
    expect(markdown).toContain("\\* the gold was made with this system");
  });

  it("shows how many pages are answered, and with which scores", () => {
    expect(rowOf(markdown, "answered", "page")).toEqual(["80.0 % / .750", "20.0 % / .000"]);
    expect(rowOf(markdown, "answered", "htmldate")).toEqual(["0.0 % / –", "100.0 % / 1.000"]);
  });

  it("counts failures, unused rows and systems that did not run", () => {
    expect(rowOf(markdown, "failures", "htmldate")).toEqual(["1", "0", "0", "0", "5"]);
    expect(rowOf(markdown, "failures", "page")).toEqual([]);
    expect(markdown).toContain(
      "5 pages, a fixed sample, 1 row of the gold not used, 2 pages without gold for this",
    );
    expect(formatItemTerminal(found)).toContain("not run: mercury-parser (not installed)");
  });

  it("is one page without scripts, and escapes all text", () => {
    const evil = system(
      "page",
      { title: score(1, 1, 5) },
      {
        examples: { title: [{ id: "<b>", missed: ["<script>x</script>"], extra: ["a & b"] }] },
      },
    );
    const page = renderItemPage(results("metadata", { systems: [evil] }));
    expect(page).toContain("&lt;script&gt;x&lt;/script&gt;");
    expect(page).not.toContain("<script");
    expect(page).toContain("A &amp; B");
  });
});

describe("the report on structure", () => {
  const types = {
    forum: { documents: 2, mean: 0.25, scores: {} },
    product: { documents: 3, mean: null, scores: {} },
  };
  const found = results("structure", {
    systems: [
      system("raw", { heading: score(4, 8, 4, 4), cell: score(2, 2, 2, 2) }, { pageTypes: types }),
      system(
        "page",
        { heading: score(2, 2, 4, 3), cell: score(0, 0, 2, 0) },
        { pageTypes: types, cpuMs: 12.6 },
      ),
    ],
  });
  const markdown = formatItemMarkdown(found);

  it("shows F1 with intervals, its parts, and the fate of returned words", () => {
    expect(rowOf(markdown, "F1", "page")).toEqual([".500", ".667 (.250–.750)", ".000 (.250–.750)", "13"]);
    expect(rowOf(markdown, "F1", "raw").at(-1)).toBe("–");
    expect(rowOf(markdown, "precision", "page")).toEqual(["1.000 / .500", "– / .000"]);
    expect(rowOf(markdown, "words in the output", "page")).toEqual([".750 / .667", ".000 / –"]);
  });

  it("has a table by page type, with the number of pages", () => {
    expect(rowOf(markdown, "mean F1", "page")).toEqual([".250", "–"]);
    expect(markdown).toContain("| forum (2) | product (3) |");
  });

  it("omits kinds that the gold lacks", () => {
    expect(markdown).not.toContain("code block");
  });
});
