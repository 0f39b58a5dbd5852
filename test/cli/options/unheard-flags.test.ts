import { describe, expect, it } from "vitest";
import type { CleanFlags } from "../../../src/cli/options/clean-flags.js";
import { findUnheard } from "../../../src/cli/options/unheard-flags.js";
import { thresher } from "../run.js";

const PAGE = "fixtures/pages/qa-en/source.html";
const FLAGS: CleanFlags = { jobs: 1, maxBytes: 1, timeout: 1, saveEvery: 1 };

describe("--column", () => {
  it.each(["html", "text"] as const)(
    "is reported if there are only inputs without fields (%s)",
    async (from) => {
      const { code, stderr } = await thresher([PAGE, "--column", "body", "--from", from]);
      expect(code).toBe(0);
      expect(stderr).toBe(
        "thresher: --column has no effect here: it only affects JSON Lines, JSON and Parquet inputs\n",
      );
    },
  );

  it("is not reported if an input has fields", async () => {
    const record = JSON.stringify({ body: "<p>Otters live in rivers and eat fish all day long.</p>" });
    const { stderr } = await thresher(["-", PAGE, "--column", "body"], { stdin: [record] });
    expect(stderr).not.toContain("--column");
  });
});

describe("--condition", () => {
  const TEXT = "fixtures/text/raw-crawl-dump-en/source.txt";
  const NO_EFFECT = "--condition has no effect here: it only affects documents that the labeller text labels";

  it.each([
    ["a page", [PAGE]],
    ["a text that another labeller labels", [TEXT, "--labeller", "rules"]],
  ])("is reported if there is only %s", async (_what, args) => {
    const { code, stderr } = await thresher([...args, "--condition", "crawl"]);
    expect([code, stderr]).toEqual([0, `thresher: ${NO_EFFECT}\n`]);
  });

  it.each([
    ["there is a text", [PAGE, TEXT, "--to", "text"]],
    ["there is a text among records", [PAGE, TEXT, "--to", "jsonl"]],
    ["the labeller text labels a page", [PAGE, "--labeller", "text"]],
    ["readers' comments are judged by their text", [PAGE, "--comments", "keep"]],
    ["it is auto", [PAGE, "--condition", "auto"]],
  ])("is not reported if %s", async (_why, args) => {
    const { stderr } = await thresher(["--condition", "crawl", ...args]);
    expect(stderr).not.toContain("--condition");
  });
});

describe.each([
  ["--extractor", "readability"],
  ["--keep", "main"],
  ["--remove", "nav"],
])("%s", (flag, value) => {
  const TEXT = "fixtures/text/raw-crawl-dump-en/source.txt";

  it("is reported if there are only texts", async () => {
    const { code, stderr } = await thresher([TEXT, flag, value]);
    expect([code, stderr]).toEqual([0, `thresher: ${flag} has no effect here: it only affects HTML pages\n`]);
  });

  it("is not reported if there is a page, though it may become a reject", async () => {
    expect((await thresher([TEXT, PAGE, flag, value])).stderr).not.toContain("no effect");
    expect((await thresher([TEXT, PAGE, "--keep", ".nothing"])).stderr).not.toContain("no effect");
  });
});

describe("--rescore", () => {
  const NO_EFFECT = "--rescore has no effect here: it only affects records of --keep-boilerplate or --lines";

  it("is reported if no input has scored lines", async () => {
    const { stdout } = await thresher([PAGE, "--to", "jsonl"]);
    for (const input of [[PAGE], ["-", "--from", "jsonl"]]) {
      const { code, stderr } = await thresher([...input, "--rescore"], { stdin: [stdout] });
      expect([code, stderr]).toEqual([0, `thresher: ${NO_EFFECT}\n`]);
    }
  });

  it.each(["--lines", "--keep-boilerplate"])("is not reported for records of %s", async (flag) => {
    const { stdout } = await thresher([PAGE, "--to", "jsonl", flag]);
    expect(await thresher(["-", "--from", "jsonl", "--rescore"], { stdin: [stdout] })).toMatchObject({
      code: 0,
      stderr: "",
    });
  });
});

describe("--focus", () => {
  it("is reported beside --threshold", () => {
    expect(findUnheard({ ...FLAGS, focus: "recall", threshold: 0.4 })).toEqual([
      "--focus has no effect here: it only affects runs without --threshold",
    ]);
    expect(findUnheard({ ...FLAGS, focus: "balanced", threshold: 0.4 })).toEqual([]);
    expect(findUnheard({ ...FLAGS, focus: "recall" })).toEqual([]);
  });
});

describe("--dedup-memory", () => {
  it("is reported if no duplicates are looked for", () => {
    const said = ["--dedup-memory has no effect here: it only affects --dedup and --dedup-lines"];
    expect(findUnheard({ ...FLAGS, dedupMemory: 1e9 })).toEqual(said);
    expect(findUnheard({ ...FLAGS, dedupMemory: 1e9, dedup: "none" })).toEqual(said);
    expect(findUnheard({ ...FLAGS, dedupMemory: 1e9, dedup: "near" })).toEqual([]);
    expect(findUnheard({ ...FLAGS, dedupMemory: 1e9, dedupLines: 3 })).toEqual([]);
  });

  it("is reported by the command", async () => {
    const { stderr } = await thresher([PAGE, "--dedup-memory", "1G"]);
    expect(stderr).toContain("--dedup-memory has no effect");
    expect((await thresher([PAGE])).stderr).toBe("");
  });
});

describe("a flag for some formats", () => {
  it("is reported if no such format is written", () => {
    expect(findUnheard({ ...FLAGS, links: true, frontMatter: true })).toEqual([
      "--links has no effect here: it only affects --to markdown, html, xml, tei",
      "--front-matter has no effect here: it only affects --to markdown",
    ]);
    expect(findUnheard({ ...FLAGS, to: "csv", images: true })).toHaveLength(1);
    expect(findUnheard({ ...FLAGS, to: "html", links: true, frontMatter: true })).toHaveLength(1);
  });

  it("is not reported if one is, as --to or as --formatted", () => {
    expect(findUnheard(FLAGS)).toEqual([]);
    expect(findUnheard({ ...FLAGS, to: "tei", links: true, images: true })).toEqual([]);
    expect(
      findUnheard({ ...FLAGS, to: "jsonl", formatted: "markdown", links: true, frontMatter: true }),
    ).toEqual([]);
  });

  it("is reported if it adds to records and none are written", () => {
    const added = { lines: true, spans: true, formatted: "html" } as const;
    expect(findUnheard({ ...FLAGS, to: "text", ...added })).toEqual([
      "--lines has no effect here: it only affects --to jsonl, json, parquet, tei",
      "--spans has no effect here: it only affects --to jsonl, json, parquet",
      "--formatted has no effect here: it only affects --to jsonl, json, parquet",
    ]);
    // Without a name, several documents become JSON Lines.
    for (const to of ["jsonl", "json", "parquet", undefined] as const)
      expect(findUnheard({ ...FLAGS, ...(to && { to }), ...added })).toEqual([]);
  });

  it("is reported if it lists all lines, origins or registers and the format has no place for them", () => {
    const added = { keepBoilerplate: true, metadata: "origins", registers: true } as const;
    expect(findUnheard({ ...FLAGS, to: "html", ...added })).toEqual([
      "--keep-boilerplate writes no boilerplate here: it only does so with --to text, markdown, jsonl, json, parquet, tei",
      "--metadata origins has no effect here: it only affects --to jsonl, json, parquet",
      "--registers has no effect here: it only affects --to jsonl, json, parquet, tei, xml, csv, wet",
    ]);
    expect(findUnheard({ ...FLAGS, to: "text", registers: true, stats: "s.json" })).toEqual([]);
    expect(findUnheard({ ...FLAGS, to: "jsonl", ...added })).toEqual([]);
  });

  it("is reported by the command, but not with --quiet", async () => {
    const { code, stderr } = await thresher([PAGE, "--links"]);
    expect([code, stderr]).toEqual([
      0,
      "thresher: --links has no effect here: it only affects --to markdown, html, xml, tei\n",
    ]);
    expect((await thresher([PAGE, "--links", "--quiet"])).stderr).toBe("");
  });
});
