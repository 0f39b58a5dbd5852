import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { format } from "oxfmt";
import { describe, expect, it } from "vitest";
import { describeAudit } from "../../../bench/report/audit.js";
import {
  findHeadline,
  findSteps,
  isLevel,
  placeSystems,
  standingOf,
} from "../../../bench/report/conditions.js";
import {
  formatDifference,
  formatInterval,
  formatMs,
  formatP,
  formatPercent,
  formatRatio,
  formatScore,
  shorten,
  toOneLine,
  widthOf,
} from "../../../bench/report/format.js";
import { formatMarkdown } from "../../../bench/report/markdown.js";
import { formatResultsTables } from "../../../bench/report/results-tables.js";
import { formatTerminal } from "../../../bench/report/terminal.js";
import { writeReports } from "../../../bench/report/write-reports.js";
import { summarize } from "../../../bench/report/summary.js";
import type { Results } from "../../../bench/report/results.js";
import { EMPTY, HOSTILE, RESULTS } from "./report-results.js";

const [CLEANEVAL, SEGMENTS, LINES] = RESULTS.corpora;

function corpus(index: number): Results["corpora"][number] {
  const found = RESULTS.corpora[index];
  if (found === undefined) throw new RangeError(`no corpus ${index}`);
  return found;
}

/** Returns the cells of a row of a terminal or Markdown table. */
function rowOf(report: string, name: string): string[] {
  const line = report
    .split("\n")
    .find((row) => new RegExp(`^[*=|]? *${name.replace("+", "\\+")} `, "u").test(row));
  if (line === undefined) throw new RangeError(`no row of ${name}`);
  return line.split(line.startsWith("|") ? "|" : / {2,}/u).map((cell) => cell.trim());
}

describe("figures", () => {
  it("are short, and never NaN", () => {
    expect([0.8844, 1, -0.05, 0, -0.0001, null, undefined, NaN, Infinity].map(formatScore)).toEqual([
      ".884",
      "1.000",
      "−.050",
      ".000",
      ".000",
      "–",
      "–",
      "–",
      "–",
    ]);
    expect([0.7134, 0, null].map(formatPercent)).toEqual(["71.3 %", "0.0 %", "–"]);
    expect([0.416, 3.14, 9.97, 128.4, 1204, undefined].map(formatMs)).toEqual([
      "0.42",
      "3.1",
      "10.0",
      "128",
      "1,204",
      "–",
    ]);
    expect([0.37, 12.4, null].map(formatRatio)).toEqual(["0.37×", "12×", "–"]);
    expect(formatInterval({ low: 0.871, high: 0.896 })).toBe(".871–.896");
    expect(formatInterval({ low: 0.871 })).toBe("");
    expect([0.0004, 0.021].map(formatP)).toEqual(["p < .001", "p = .021"]);
    expect(formatDifference({ difference: 0.012, low: -0.002, high: 0.022 })).toBe("+.012 (−.002 to .022)");
  });

  it("are cut between characters, and contain no control characters", () => {
    expect(shorten("𝒜𝒜𝒜𝒜", 3)).toBe("𝒜𝒜…");
    expect(widthOf("𝒜𝒜")).toBe(2);
    expect(toOneLine("a\nb\u001b[31m\u202ec\u2028")).toBe("a b [31m c");
  });
});

describe("conditions", () => {
  it("are parsed from the names, raw first and then by rank", () => {
    const placed = placeSystems(RESULTS, corpus(0));
    expect(placed.map(({ system, condition }) => [system.system, condition]).slice(0, 4)).toEqual([
      ["raw", "raw"],
      ["body+text", "labelled"],
      ["trafilatura", "rival"],
      ["readability+text", "labelled"],
    ]);
    expect(placed.find(({ system }) => system.system === "body")).toMatchObject({
      condition: "extracted",
      extractor: "body",
    });
    expect(placed.find(({ system }) => system.system === HOSTILE)?.condition).toBe("stored");
  });

  it("include explicit combinations, and labellers on lines", () => {
    const rename = (name: string): Results => ({
      ...RESULTS,
      systems: [{ name, group: "ours", describe: "" }],
      corpora: [
        {
          ...corpus(0),
          systems: corpus(0)
            .systems.slice(0, 1)
            .map((system) => ({ ...system, system: name })),
        },
      ],
    });
    const placeOne = (name: string) => {
      const renamed = rename(name);
      const [only] = renamed.corpora;
      return only === undefined ? [] : placeSystems(renamed, only);
    };
    expect(placeOne("ours:extractor=body,labeller=none")).toMatchObject([
      { condition: "extracted", extractor: "body" },
    ]);
    expect(placeOne("ours:threshold=0.4")).toMatchObject([{ condition: "labelled" }]);
    expect(placeOne("page")).toMatchObject([{ condition: "labelled", extractor: "page" }]);
    expect(placeOne("readability+page")).toMatchObject([{ condition: "labelled", extractor: "readability" }]);
    for (const name of ["justext-ours", "fasttext", "texrex", "transformer", "boilernet"])
      expect(placeOne(name), name).toMatchObject([{ condition: "labelled", extractor: "page" }]);
    expect(placeSystems(RESULTS, corpus(2)).map(({ condition }) => condition)).toEqual(["raw", "labelled"]);
  });

  it("use the headline score that the gold allows", () => {
    expect(RESULTS.corpora.map(findHeadline)).toEqual(["lineF1", "segmentF1", "lineF1"]);
  });

  it("are compared by scores that count failed pages as lost", () => {
    const system = corpus(0).systems.find((one) => one.system === "trafilatura");
    for (const [headline, form] of [
      ["lineF1", "lineF1WithFailures"],
      ["wordF1", "wordF1WithFailures"],
      ["segmentF1", "segmentF1"],
    ] as const)
      expect(system && standingOf(system, headline)?.value).toBe(system?.overall[form]?.value);
    const older = system && { ...system, overall: { wordF1: { value: 0.7 } } };
    expect(older && standingOf(older, "wordF1")?.value).toBe(0.7);
  });

  it("show the best extractor, and the one behind the best labelled system", () => {
    const { base, extracted, labelled, rival, best } = findSteps(RESULTS, corpus(0));
    expect([base, extracted, labelled, rival, best].map((step) => step?.system.system)).toEqual([
      ...["body", "readability", "body+text", "trafilatura", "body+text"],
    ]);
  });

  it("are called level only if their intervals overlap", () => {
    expect(isLevel({ value: 0.8, low: 0.7, high: 0.9 }, { value: 0.95, low: 0.9, high: 1 })).toBe(true);
    expect(isLevel({ value: 0.8, low: 0.7, high: 0.89 }, { value: 0.95, low: 0.9, high: 1 })).toBe(false);
    expect(isLevel({ value: 0.8 }, { value: 0.95, low: 0.9, high: 1 })).toBe(false);
    expect(isLevel(undefined, undefined)).toBe(false);
  });
});

describe("the summary", () => {
  it("answers how clean the text is, what is lost, which system is best and at which cost", () => {
    const said = summarize(RESULTS, corpus(0)).join(" ");
    expect(said).toContain("Of the words of the raw text, 41.2 % are content.");
    expect(said).toContain("The extractor readability alone: 86.1 % clean, 14.2 % of the content lost.");
    expect(said).toContain(
      "body+text: 89.3 % clean, 8.1 % of the content lost; that is 7.0 points more lost than by body alone.",
    );
    expect(said).toMatch(
      /Best line F1: body\+text, \.871 \(\.859–\.883\) at 9\.9 ms a page; not clearly behind: trafilatura\./u,
    );
    expect(said).toContain("Failed on more than 2 % of the documents:");
  });

  it("says if an older condition of ours is better than the default", () => {
    const renamed = (from: string): Results["corpora"][number] => ({
      ...corpus(0),
      systems: corpus(0).systems.map((one) => (one.system === from ? { ...one, system: "page" } : one)),
    });
    const worse = summarize(RESULTS, renamed("body")).join(" ");
    expect(worse).toContain("Better than page (line F1 .648): readability (.824), readability+text (.845).");
    expect(worse).toContain(
      "Better than page (WCXB word F1 .633): readability (.809), readability+text (.830).",
    );
    const level = summarize(RESULTS, renamed("justext")).join(" ");
    expect(level).toContain("readability (.824, not clearly)");
    expect(summarize(RESULTS, renamed("body+text")).join(" ")).not.toContain("Better than page");
    expect(summarize(RESULTS, corpus(0)).join(" ")).not.toContain("Better than page");
  });

  it("omits what was not measured", () => {
    expect(summarize(RESULTS, corpus(1)).join(" ")).not.toMatch(/clean|NaN|undefined/u);
    expect(summarize(EMPTY, { ...corpus(0), systems: [] })).toEqual([]);
  });
});

describe("the terminal report", () => {
  const report = formatTerminal(RESULTS);

  it("fits in 120 columns, and moves no cursor", () => {
    expect(report.split("\n").filter((line) => widthOf(line) > 120)).toEqual([]);
    expect(report).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/u);
    expect(report).not.toMatch(/NaN|undefined|null/u);
  });

  it("has the figures of each system, and marks the best", () => {
    expect(rowOf(report, "body+text").slice(0, 12)).toEqual([
      "* body+text",
      "84.3",
      "89.3",
      "9.7",
      "8.1",
      ".876",
      ".864–.888",
      ".856",
      ".906",
      ".891",
      "0",
      "9.9",
    ]);
    expect(report).toMatch(/^= trafilatura .* 3 +32$/mu);
    expect(report).toContain("not run: boilerpy3");
    expect(report).toContain("61 documents without an output (p-1, p-2,");
  });

  it("reports which stored outputs do not fit, one or many", () => {
    const none = { missing: 0, unknown: 0, repeated: 0, malformed: 0 };
    const first = { missing: ["a"], unknown: ["b"], repeated: ["c"], malformed: ["d.jsonl:1"] };
    expect(describeAudit({ counts: { missing: 1, unknown: 1, repeated: 1, malformed: 1 }, first })).toBe(
      "1 document without an output (a); 1 output for an unknown document (b); 1 output given twice (c); " +
        "1 row that is not an output (d.jsonl:1)",
    );
    expect(describeAudit({ counts: { ...none, malformed: 2 }, first })).toBe(
      "2 rows that are not outputs (d.jsonl:1, …)",
    );
  });

  it("reports once what several systems lack", () => {
    const missing = (name: string): { name: string; why: string } => ({
      name,
      why: `${name}: no Python here`,
    });
    const unavailable = [
      missing("justext"),
      { name: "defuddle", why: "not installed" },
      missing("inscriptis"),
    ];
    const told = formatTerminal({ ...RESULTS, unavailable });
    expect(told).toContain(
      "not run: justext, inscriptis (no Python here)\n\nnot run: defuddle (not installed)",
    );
  });

  it("shows each corpus by its own measure, pages without main content, and page types, in a table below", () => {
    const [corpusTables = ""] = report.split("\n\n");
    const below = corpusTables.slice(corpusTables.indexOf("word F1  95 %") - 1);
    expect(corpusTables).toMatch(/WCXB +WCXB +WCXB +nothing +false +page/u);
    expect(rowOf(below, "body+text").slice(1)).toEqual([
      ...[".886", ".886", ".856", ".844–.868", "12.5 % (0/8)", "0.3 % (2/676)", ".833"],
    ]);
    expect(report).toContain("p99 ÷");
    expect(rowOf(report.slice(report.indexOf("speed on")), "body+text")[6]).toBe("6.0");
  });

  it("omits columns for which a corpus has no gold", () => {
    const [, segments = ""] = report.split("\n\n");
    expect(segments).toContain("trafilatura-eval: 990 documents");
    expect(segments).toContain("segm.");
    expect(segments).not.toContain("lost ");
  });

  it("renders without results", () => {
    expect(formatTerminal(EMPTY)).toBe("\n");
  });
});

describe("the Markdown report", () => {
  const report = formatMarkdown(RESULTS);

  it("says what each gold means, which systems ran, and with which command", () => {
    for (const { corpus: name } of RESULTS.corpora) expect(report).toContain(`## ${name}`);
    expect(report).toContain("Main content here: The whole text of the page");
    expect(report).toContain(RESULTS.command);
    expect(report).toContain("### By language (line F1)");
    expect(report).toContain("### By page type (line F1)");
    expect(report).toContain("## Speed and memory");
    expect(report).toContain("- **trafilatura**: trafilatura 1.2.3, published defaults");
    expect(rowOf(report, "body+text")[6]).toBe(".876 (.864–.888)");
  });

  it("has page types by the corpus's own measure, and the page types that systems choose", () => {
    expect(report).toContain("### Its own evaluation, empty pages, page types");
    expect(report).toContain("### By page type (WCXB word F1)");
    const types = report.slice(report.indexOf("### What readability+text takes pages for"));
    expect(rowOf(types, "the page is").slice(1, -1)).toEqual([
      ...["the page is", "article", "forum", "listing", "found"],
    ]);
    expect(rowOf(types, "article .80.").slice(1, -1)).toEqual(["article (80)", "70", "0", "10", ".875"]);
    expect(rowOf(types, "forum .40.").slice(1, -1)).toEqual(["forum (40)", "10", "30", "0", ".750"]);
  });

  it("escapes markup in names, and never breaks a row", () => {
    expect(report).not.toMatch(/<img|<\/script/u);
    expect(report).not.toMatch(/[^\\]\]\(javascript/u);
    const tables = report.split("\n\n").filter((part) => part.startsWith("| "));
    expect(tables.length).toBeGreaterThan(8);
    for (const table of tables) {
      const cells = table.split("\n").map((row) => row.replaceAll("\\|", "").split("|").length);
      expect(new Set(cells).size).toBe(1);
    }
  });

  it("is formatted as the formatter would format it", async () => {
    const formatted = async (text: string): Promise<string> =>
      (await format("results.md", text, { printWidth: 110 })).code;
    const clean: Results = JSON.parse(
      JSON.stringify(RESULTS).replaceAll(JSON.stringify(HOSTILE).slice(1, -1), "a-stored-system"),
    ) as Results; // a copy of Results
    expect(await formatted(formatResultsTables(clean))).toBe(formatResultsTables(clean));
    expect(await formatted(formatMarkdown(clean))).toBe(formatMarkdown(clean));
  });
});

describe("the tables of bench/RESULTS.md", () => {
  const tables = formatResultsTables(RESULTS);

  it("have raw, ours and the rivals, but no stored outputs", () => {
    expect(rowOf(tables, "trafilatura").slice(1, -1)).toEqual(["trafilatura", ".867", ".902", "32"]);
    expect(rowOf(tables, "text").slice(1, -1)).toEqual(["text", ".849", "2.1"]);
    expect(rowOf(tables, "cleaneval").slice(1, -1)).toEqual([
      "cleaneval",
      "41.2 %",
      "86.1 %",
      "14.2 %",
      "89.3 %",
      "8.1 %",
    ]);
    const own = tables.slice(tables.indexOf("By the measure that"));
    expect(own).toContain("cleaneval (WCXB word F1)");
    expect(rowOf(own, "trafilatura").slice(1, -1)).toEqual(["trafilatura", ".852 (.840–.864)"]);
    const types = tables.slice(tables.indexOf("By page type, WCXB word F1 of cleaneval:"));
    expect(rowOf(types, "system")[2]).toBe("article (140)");
    expect(rowOf(types, "trafilatura")[2]).toBe(".852");
    const nothing = tables.slice(tables.indexOf("Pages without main content"));
    expect(rowOf(nothing, "trafilatura").slice(1, -1)).toEqual(["trafilatura", "1 of 8; 0.3 %"]);
    expect(rowOf(nothing, "raw").slice(1, -1)).toEqual(["raw", "0 of 8; 0.3 %"]);
    expect(tables).not.toMatch(/<img|<\/script/u);
    expect(tables).toContain("2026-11-03");
    expect(tables).toContain(RESULTS.command);
  });
});

describe("written reports", () => {
  it("are saved next to the JSON, named by date, and nowhere else", async () => {
    const directory = await mkdtemp(join(tmpdir(), "reports-"));
    try {
      const files = await writeReports(
        { ...RESULTS, date: "../../2026-11-03T14:25:09Z" },
        join(directory, "new"),
      );
      expect(files.every((file) => file.startsWith(directory))).toBe(true);
      expect(await readdir(join(directory, "new"))).toHaveLength(2);
      const [markdown = "", page = ""] = await writeReports(RESULTS, directory);
      expect([markdown, page]).toEqual(
        ["md", "html"].map((ending) => join(directory, `2026-11-03T14-25-09.123Z.${ending}`)),
      );
      expect(await readFile(markdown, "utf8")).toBe(formatMarkdown(RESULTS));
      expect(await readFile(page, "utf8")).toMatch(/^<!doctype html>[^]*<\/html>\s*$/u);
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});

it("has the corpora that these tests mention", () => {
  expect([CLEANEVAL, SEGMENTS, LINES].map((one) => one?.corpus)).toEqual([
    "cleaneval",
    "trafilatura-eval",
    "turku-test",
  ]);
});
