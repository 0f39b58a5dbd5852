/** Checks that a benchmark with the user's own gold and outputs scores them, or says what is wrong with the names and ids. */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { formatCommand, type BenchOptions } from "../../../bench/run/bench-options.js";
import { measure, runBench } from "../../../bench/run/run-bench.js";
import { makeDocument, makeDocuments, makeFolder, makeGold, makeIo, toRow } from "../documents.js";

function write(name: string, rows: readonly unknown[]): string {
  const path = join(makeFolder(), name);
  const text = rows.map((row) => (typeof row === "string" ? row : JSON.stringify(row))).join("\n");
  writeFileSync(path, name.endsWith(".gz") ? gzipSync(text) : text);
  return path;
}

const bare = ({ id, html, lines }: ReturnType<typeof makeDocument>): object => ({
  id,
  html,
  gold_lines: lines,
});
const quick = (options: Partial<BenchOptions>): BenchOptions => ({
  ...{ corpora: [], systems: ["raw"], resamples: 0, output: makeFolder() },
  ...options,
});

describe("the user's own gold", () => {
  it("is scored, one corpus per file, as pages or lines, compressed or not", async () => {
    const pages = write("mine.jsonl", makeDocuments(3).map(bare));
    const lines = write(
      "texts.jsonl.gz",
      makeDocuments(2).map(({ id, lang, lines: labelled }) => ({ id, lang, lines: labelled })),
    );
    const { results } = await measure(quick({ corpus: [pages, lines] }), makeIo());
    expect(results.corpora.map(({ corpus, unit, documents }) => [corpus, unit, documents])).toEqual([
      ["mine", "pages", 3],
      ["texts", "lines", 2],
    ]);
    for (const { systems } of results.corpora) expect(systems[0]?.overall["lineRecall"]?.value).toBe(1);
    const [one, other] = [pages, lines].map((path) => (path.includes("\\") ? `'${path}'` : path));
    expect(results.command).toContain(`--corpus ${one} ${other}`);
  });

  it("is scored with other corpora, and by the labels that the program writes", async () => {
    const labelled = [
      { text: "One.", label: "content" },
      { text: "Two", label: "boilerplate" },
    ];
    const path = write("mine.jsonl", [{ id: "a", lines: labelled }]);
    const { results } = await measure(quick({ corpora: ["fixtures-text"], corpus: [path] }), makeIo());
    expect(results.corpora.map(({ corpus }) => corpus)).toEqual(["fixtures-text", "mine"]);
    expect(results.corpora[1]?.systems[0]?.overall["lineCleanliness"]?.value).toBeCloseTo(0.5, 5);
  });

  it("is reported with the number of unusable rows, and the first of them", async () => {
    const io = makeIo();
    const path = write("mine.jsonl", [
      bare(makeDocument(0)),
      { html: "<p>x</p>" },
      { id: "b", html: "<p>y</p>" },
    ]);
    const { results } = await measure(quick({ corpus: [path] }), io);
    expect(results.corpora[0]?.documents).toBe(1);
    expect(io.said()).toContain("mine: 1 document, 2 rows left out");
    expect(io.said()).toContain("mine.jsonl:2: no id");
    expect(io.said()).toContain("mine.jsonl:3: b: has none of gold_lines, gold_text, with and without");
  });

  it("may begin with a byte order mark, like outputs", async () => {
    const gold = write("gold.jsonl", ["\ufeff" + JSON.stringify(bare(makeDocument(0)))]);
    const { id, lines } = makeDocument(0);
    const text = lines?.map((line) => line.text).join("\n");
    const out = write("out.jsonl", ["\ufeff" + JSON.stringify({ id, text })]);
    const { results } = await measure(quick({ corpus: [gold], systems: [out] }), makeIo());
    expect(results.corpora[0]?.systems[0]?.overall["lineRecall"]?.value).toBe(1);
  });

  it("reports a row without a valid id, and has no group for an empty language", async () => {
    const io = makeIo();
    const path = write("mine.jsonl", [
      { ...bare(makeDocument(0)), lang: "" },
      { ...bare(makeDocument(1)), id: 7 },
    ]);
    const { results } = await measure(quick({ corpus: [path] }), io);
    expect(io.said()).toContain("mine.jsonl:2: id 7 is not a string");
    expect(Object.keys(results.corpora[0]?.systems[0]?.groups["lang"] ?? {})).toEqual(["und"]);
  });

  it.each<[string, () => string, RegExp]>([
    ["a missing file", () => "nowhere.jsonl", /there is no file nowhere\.jsonl/],
    ["a folder", () => makeFolder(), /is a folder/],
    [
      "a file of another kind",
      () => write("gold.txt", ["{}"]),
      /gold\.txt is not a \.jsonl or \.jsonl\.gz file/,
    ],
    ["an empty file", () => write("none.jsonl", []), /none\.jsonl has no rows/],
    ["a file that is not JSON", () => write("bad.jsonl", ["<p>"]), /bad\.jsonl:1: /],
    [
      "rows without pages or lines",
      () => write("bad.jsonl", [{ id: "a", text: "b" }]),
      /neither "html" nor "lines"/,
    ],
    [
      "rows without gold",
      () => write("bad.jsonl", [{ id: "a", html: "<p>" }]),
      /bad\.jsonl:1: a: has none of gold_lines/,
    ],
    [
      "the name of another corpus",
      () => write("canola.jsonl", [bare(makeDocument(0))]),
      /two corpora .*canola/,
    ],
  ])("is rejected as wrong usage: %s", async (_, path, message) => {
    const options = quick({
      corpora: ["canola"].slice(message.source.startsWith("two") ? 0 : 1),
      corpus: [path()],
    });
    await expect(measure(options, makeIo())).rejects.toThrow(message);
    await expect(measure(options, makeIo())).rejects.toMatchObject({ name: "UsageError" });
  });

  it("is part of the command that reproduces the results", () => {
    expect(formatCommand({ corpora: ["canola"], systems: [], corpus: ["a.jsonl"] })).toBe(
      "thresher bench canola --corpus a.jsonl",
    );
  });
});

describe("a benchmark whose results cannot be written", () => {
  it.each(["lines", "metadata"] as const)("stops before it measures anything (%s)", async (subject) => {
    const io = makeIo();
    const fields = { meta: { title: "One" } };
    const gold = write("gold.jsonl", [{ ...bare(makeDocument(0)), ...fields }]);
    const options = quick({ corpus: [gold], systems: ["page"], measure: subject, output: gold });
    await expect(runBench(options, io)).rejects.toMatchObject({
      name: "OutputError",
      message: `cannot write the results to ${gold}: ${gold} is not a folder`,
    });
    expect(io.said()).not.toContain("documents");
  });
});

describe("a benchmark without scores", () => {
  const filesIn = (folder: string | undefined): string[] => readdirSync(folder ?? "");

  it("is wrong usage if stored outputs are missing", async () => {
    await expect(runBench(quick({ systems: ["missing.jsonl"] }), makeIo())).rejects.toThrow(
      /there is no file missing\.jsonl.*there are all, raw/,
    );
  });

  it("is wrong usage if gold and outputs have no id in common", async () => {
    const io = makeIo();
    const gold = write("gold.jsonl", makeDocuments(2).map(bare));
    const options = quick({ corpus: [gold], systems: [write("out.jsonl", [{ id: "other/1", text: "x" }])] });
    expect(await runBench(options, io)).toBe(2);
    expect(io.said()).toMatch(/out: no output for any document of gold; .*"other\/1".*"test\/0", "test\/1"/);
    expect(filesIn(options.output)).toEqual([]);
  });

  it("exits with 2 and writes the scores if only some of the named systems have any", async () => {
    const io = makeIo();
    const gold = makeGold("pages/canola/pages.jsonl.gz", makeDocuments(2).map(toRow));
    const systems = ["raw", write("out.jsonl", [{ id: "other/1", text: "x" }])];
    const options = quick({ corpora: ["canola"], gold, systems });
    expect(await runBench(options, io)).toBe(2);
    expect(filesIn(options.output)).not.toEqual([]);
  });

  it("ignores files of the folder that belong to other corpora", async () => {
    const gold = write("gold.jsonl", makeDocuments(1).map(bare));
    const folder = makeFolder();
    writeFileSync(join(folder, "here.jsonl"), JSON.stringify({ id: "test/0", text: "x" }));
    writeFileSync(join(folder, "there.jsonl"), JSON.stringify({ id: "other/0", text: "x" }));
    expect(await runBench(quick({ corpus: [gold], systems: [folder] }), makeIo())).toBe(0);
  });

  it("is wrong usage if systems need other documents than the corpora hold", async () => {
    const io = makeIo();
    const options = quick({ corpora: ["fixtures-text"], systems: ["body"] });
    expect(await runBench(options, io)).toBe(2);
    expect(io.said()).toContain("body: takes pages, but fixtures-text holds lines");
  });

  it("exits with 1 if no system is available", async () => {
    const options = quick({ corpora: ["fixtures-text"], systems: ["ours:labeller=text,model=nowhere"] });
    expect(await runBench(options, makeIo())).toBe(1);
    expect(filesIn(options.output)).toEqual([]);
  });
});
