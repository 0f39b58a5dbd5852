import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openOwnGold } from "../../../../bench/corpora/own-gold.js";
import { corpusNames, openCorpus } from "../../../../bench/corpora/registry.js";
import { leaningsOf, listCorpora } from "../../../../bench/corpora/item-descriptors.js";
import type { GoldDocument } from "../../../../bench/corpora/gold.js";
import { FIELDS } from "../../../../bench/metrics/metadata/fields.js";
import { ELEMENT_KINDS } from "../../../../bench/metrics/structure/elements.js";
import { loadMarkdownReader } from "../../../../bench/metrics/structure/read-markdown.js";
import { formatCommand } from "../../../../bench/run/bench-options.js";
import { formatItemTerminal } from "../../../../bench/report/items/item-reports.js";
import { runBench } from "../../../../bench/run/run-bench.js";
import { measureItems } from "../../../../bench/run/items/item-bench.js";
import {
  createStructureJudge,
  judgeMetadata,
  readPageGolds,
  type JudgedItems,
} from "../../../../bench/run/items/judge-items.js";
import { scoreItems } from "../../../../bench/run/items/score-items.js";
import { runAndJudge } from "../../../../bench/run/run-system.js";
import { findSystems } from "../../../../bench/systems/registry.js";
import type { SystemOutput } from "../../../../bench/systems/system.js";
import { makeFolder, makeIo } from "../../documents.js";
import { createBrokenSystem } from "../../systems/broken/systems.js";
import { collectAll } from "../../../collect-all.js";

const FIXTURES = fileURLToPath(new URL("../../../../fixtures/bench/", import.meta.url));
const STRUCTURE = join(FIXTURES, "structure.jsonl");
const METADATA = join(FIXTURES, "metadata.jsonl");

async function readGold(path: string, subject: "structure" | "metadata"): Promise<GoldDocument[]> {
  const [corpus] = await openOwnGold([path], subject);
  return collectAll(corpus!.documents());
}

async function* each(documents: readonly GoldDocument[]): AsyncGenerator<GoldDocument> {
  yield* documents;
  await Promise.resolve();
}

describe("the gold of metadata", () => {
  it("rejects rows that are damaged or state nothing, with a reason each", async () => {
    const [corpus] = await openOwnGold([METADATA], "metadata");
    const ids = (await collectAll(corpus!.documents())).map(({ id }) => id);
    expect(ids).toEqual(["crane", "bare"]);
    expect(corpus!.problems().map(({ line, problem, detail }) => `${line} ${problem} ${detail}`)).toEqual([
      "3 bad-row silent: no meta of title, author, date, site, description, image, lang",
      expect.stringMatching(/^4 bad-row Unexpected token .*NaN/),
      "5 bad-row number: meta.date is 20210304",
      "6 bad-row no-meta: no meta",
      expect.stringMatching(/^7 bad-row Unterminated string/),
    ]);
  });

  it("exists for the fixtures, without changing the digest of their lines", async () => {
    const documents = await collectAll(openCorpus("fixtures", { subject: "metadata" }).documents());
    expect(documents.length).toBeGreaterThan(30);
    expect(documents.every(({ meta, lines }) => meta !== undefined && lines === undefined)).toBe(true);
    const lines = await collectAll(openCorpus("fixtures").documents());
    expect(lines.some(({ meta }) => meta !== undefined)).toBe(false);
  });

  it("describes each corpus, and names existing systems that it depends on", () => {
    for (const { name, mainContent, training } of listCorpora("metadata")) {
      expect(mainContent.length, name).toBeGreaterThan(40);
      expect(training, name).not.toBe("");
      expect(() => findSystems(Object.keys(leaningsOf(name)), "metadata")).not.toThrow();
    }
    expect(corpusNames("metadata")).toContain("meta-atf");
    expect(corpusNames("structure")).toEqual(
      expect.arrayContaining(["fixtures", "wcxb-heldout", "atf-heldout"]),
    );
    expect(corpusNames("structure")).not.toContain("speed");
  });
});

describe("a judge of metadata", () => {
  const judgeAll = async (output: SystemOutput): Promise<JudgedItems[]> =>
    (await readGold(METADATA, "metadata")).map((document) => judgeMetadata(document, output));

  it("scores answers, missing answers and failures", async () => {
    const fields = {
      title: "the crane comes down",
      author: ["Ann Lee", "Bo Ek"],
      date: "2021-03-04T23:30:00-05:00",
    };
    const [crane, bare] = await judgeAll({ ok: true, text: "", fields });
    expect(crane?.counts).toMatchObject({
      title: { right: 1, found: 1, wanted: 1 },
      author: { right: 1, found: 1, wanted: 1 },
      date: { right: 1, found: 1, wanted: 1 },
      image: { right: 0, found: 0, wanted: 1 },
    });
    expect(bare?.differences["date"]).toEqual({
      missed: ["1999-01-01"],
      extra: ["2021-03-04", "2021-03-05"],
    });

    // no field at all is an answer without a correct value
    const silent = await judgeAll({ ok: true, text: "", fields: {} });
    expect(silent[0]?.failure).toBeUndefined();
    const died = await judgeAll({ ok: false, failure: "crash", detail: "out of luck" });
    expect(died[0]?.counts).toEqual(silent[0]?.counts);
    expect(died[0]?.failure).toEqual({ failure: "crash", detail: "out of luck" });
  });
});

describe("a judge of structure", () => {
  it("finds everything in the page itself, and nothing in an empty output", async () => {
    const golds = await readPageGolds(each(await readGold(STRUCTURE, "structure")));
    expect([...golds.keys()]).toEqual(["net", "tides", "layout"]);
    const judge = createStructureJudge(await loadMarkdownReader(), golds);
    const documents = (await readGold(STRUCTURE, "structure")).filter(({ id }) => golds.has(id));
    const whole = documents.map((document) =>
      judge(document, { ok: true, text: "", markup: { form: "html", source: document.html ?? "" } }),
    );
    for (const { id, counts } of whole)
      for (const [kind, { right, wanted }] of Object.entries(counts))
        expect({ id, kind, right }).toEqual({ id, kind, right: wanted });
    // "Read on" and "winter" are on no line of main content
    expect(whole[0]?.counts["heading"]).toMatchObject({ right: 2, found: 3, wanted: 2 });
    expect(whole[0]?.counts["emphasis"]).toMatchObject({ right: 2, found: 3, wanted: 2 });
    // "Readers say" is on an unlabelled line
    expect(whole[1]?.counts["heading"]).toMatchObject({ right: 0, found: 1, wanted: 0 });
    const nothing = judge(documents[0]!, { ok: true, text: "" });
    expect(nothing.counts["item"]).toEqual({ right: 0, found: 0, wanted: 4, present: 0 });
    const died = judge(documents[0]!, { ok: false, failure: "timeout", detail: "30 s" });
    expect(died.counts).toEqual(nothing.counts);
  });

  it("requires pages whose tree contains the gold", async () => {
    const [net] = await readGold(STRUCTURE, "structure");
    const swallowed = { ...net!, html: net!.html!.replace("<table>", "<iframe><table>") };
    const golds = await readPageGolds(each([swallowed]));
    expect(golds.size).toBe(0);
    const judge = createStructureJudge(await loadMarkdownReader(), golds);
    expect(() => judge(swallowed, { ok: true, text: "" })).toThrow("there is no gold for net");
  });

  it("distinguishes words that came out as something else from words that did not", async () => {
    const [net] = await readGold(STRUCTURE, "structure");
    const judge = createStructureJudge(await loadMarkdownReader(), await readPageGolds(each([net!])));
    const source =
      "What you need\n\n- A needle\n  - of bone, or\n  - of **steel**\n\nHemp 40\n\n### Count the meshes\n";
    const { counts } = judge(net!, { ok: true, text: "", markup: { form: "markdown", source } });
    expect(counts["heading"]).toEqual({ right: 1, found: 1, wanted: 2, present: 2 });
    expect(counts["heading-level"]).toEqual({ right: 1, found: 1, wanted: 2, present: 2 });
    expect(counts["item"]).toEqual({ right: 3, found: 3, wanted: 4, present: 3 });
    expect(counts["cell"]).toEqual({ right: 0, found: 0, wanted: 5, present: 2 });
    expect(counts["emphasis"]).toEqual({ right: 1, found: 1, wanted: 2, present: 1 });
    expect(counts["link"]).toEqual({ right: 0, found: 0, wanted: 1, present: 0 });
  });
});

describe("scores of items", () => {
  const judged = (right: number, pageType: string, id: string): JudgedItems => ({
    id,
    pageType,
    counts: { heading: { right, found: 4, wanted: 4 }, code: { right: 0, found: 0, wanted: 0 } },
    differences: right === 4 ? {} : { heading: { missed: ["a"], extra: ["b"] } },
  });

  it("are sums over pages with intervals, a mean of kinds, page types and examples", () => {
    const pages = [4, 4, 2, 0, 0].map((right, at) => judged(right, at < 3 ? "forum" : "article", `p${at}`));
    const scores = scoreItems("x", pages, { kinds: ELEMENT_KINDS, samples: 200 });
    expect(scores.overall["heading"]).toMatchObject({ right: 10, found: 20, wanted: 20, f1: { value: 0.5 } });
    expect(scores.overall["heading"]?.f1.low).toBeLessThan(0.5);
    expect(scores.overall["heading"]?.f1.high).toBeGreaterThan(0.5);
    expect(scores.overall["code"]).toBeUndefined();
    expect(scores.mean.value).toBe(0.5);
    expect(scores.pageTypes["forum"]).toMatchObject({ documents: 3, mean: 10 / 12 });
    // the gold has fewer than ten headings there
    expect(scores.pageTypes["article"]?.mean).toBeNull();
    expect(scores.examples["heading"]?.map(({ id }) => id)).toEqual(["p2", "p3", "p4"]);
  });

  it("count a page on which a system crashed as a page without finds", async () => {
    const documents = (await readGold(METADATA, "metadata")).map((document) => ({ ...document, url: "" }));
    const system = await createBrokenSystem("dies");
    const judgedAll = await runAndJudge(system, each(documents), { judge: judgeMetadata });
    await system.close();
    const scores = scoreItems("dies", judgedAll, { kinds: FIELDS, samples: 0 });
    expect(scores.failures).toEqual({ crash: 2, timeout: 0, missing: 0, reject: 0 });
    expect(scores.failed[0]).toMatchObject({ id: "crane", failure: "crash" });
    expect(scores.overall["title"]).toMatchObject({ right: 0, found: 0, wanted: 2, recall: { value: 0 } });
    expect(scores.overall["title"]?.precision.value).toBeNull();
  });
});

describe("a run that measures items", () => {
  it("writes JSON, Markdown and a page from the same figures", async () => {
    const output = makeFolder();
    const io = makeIo();
    const given = {
      corpora: [],
      corpus: [STRUCTURE],
      systems: ["raw", "page"],
      measure: "structure",
    } as const;
    const options = { ...given, output, resamples: 20, jobs: 1 };
    expect(await runBench(options, io)).toBe(0);
    expect(io.said()).toContain("structure: 4 documents, 2 rows left out");
    expect(io.said()).toContain(`${STRUCTURE}:5: mislabelled: line 0 has label 7`);
    const files = readdirSync(output).sort();
    expect(files.map((name) => name.split(".").at(-1))).toEqual(["html", "json", "md"]);
    const [page, json, markdown] = files.map((name) => readFileSync(join(output, name), "utf8"));
    const results = JSON.parse(json ?? "") as { corpora: { documents: number; unusable: number }[] };
    expect(results).toMatchObject({ format: "thresher-bench-items-1", subject: "structure" });
    expect(results.corpora[0]).toMatchObject({ documents: 3, unusable: 1 });
    expect(markdown).toContain("| raw ");
    expect(markdown).toContain("--measure structure");
    expect(page).toContain("Thresher benchmark of structure");
    expect(page).not.toContain("<script");
  });

  it("aligns the text of any system with the units of a page", async () => {
    const outputs = join(makeFolder(), "outputs.jsonl");
    // the code and half of the list, and no heading
    const text = "A needle\nof bone, or\nfor mesh in net:\n    count(mesh)\n";
    writeFileSync(outputs, `${JSON.stringify({ id: "net", text })}\n`);
    const given = { corpora: [], corpus: [STRUCTURE], systems: ["raw", outputs], resamples: 0 };
    const { results } = await measureItems({ ...given, measure: "units" }, makeIo());
    const [raw, stored] = results.corpora[0]?.systems ?? [];
    // two lists, a table, code, a quote and four sections of "net", and a section of each other page
    expect(raw?.overall["unit"]).toMatchObject({ right: 11, wanted: 11 });
    expect(stored?.overall["code"]).toMatchObject({ right: 1, wanted: 1 });
    expect(stored?.overall["list"]).toMatchObject({ right: 1, wanted: 2 });
    expect(stored?.failures.missing).toBe(2);
    expect(formatItemTerminal(results)).toMatch(/torn units[^]*outputs .* 1\.000/);
  });

  it("reads metadata from our own pipeline", async () => {
    const options = {
      corpora: [],
      corpus: [METADATA],
      systems: ["page"],
      measure: "metadata",
      resamples: 0,
    } as const;
    const { results } = await measureItems(options, makeIo());
    const [page] = results.corpora[0]?.systems ?? [];
    expect(page?.overall["site"]).toMatchObject({ right: 1, found: 1, wanted: 1 });
    expect(page?.overall["author"]).toMatchObject({ right: 1, wanted: 2 });
    expect(page?.overall["image"]?.recall).toEqual({ value: 1 });
    expect(results.systems[0]?.describe).toContain("title, lang and meta of the record");
  });

  it.each([
    [
      { corpora: ["canola-lines"], systems: [] },
      "there is no corpus canola-lines whose structure can be measured",
    ],
    [{ corpora: [], systems: ["justext"] }, 'there is no system "justext" whose structure can be measured'],
    [{ corpora: [], systems: ["outputs.jsonl"] }, 'there is no system "outputs.jsonl"'],
    [{ corpora: [], systems: ["raw"], speed: true }, "--speed and --reference are for --measure lines"],
    [{ corpora: [], systems: ["raw"], reference: "raw" }, "--speed and --reference are for --measure lines"],
  ])("rejects %j", async (options, message) => {
    await expect(runBench({ ...options, measure: "structure" }, makeIo())).rejects.toThrow(message);
  });

  it("says how to get a missing corpus, and exits with 1", async () => {
    const io = makeIo();
    const options = {
      corpora: ["meta-atf"],
      systems: ["page"],
      gold: makeFolder(),
      measure: "metadata",
    } as const;
    expect(await runBench(options, io)).toBe(1);
    expect(io.said()).toMatch(/corpus meta-atf: .*atf\.jsonl\.gz is missing\. Get the data from https/);
  });

  it("writes the command that runs it again", () => {
    const options = { corpora: ["fixtures"], systems: [], measure: "metadata" } as const;
    expect(formatCommand(options)).toBe("thresher bench fixtures --measure metadata");
    expect(formatCommand({ ...options, measure: "lines" })).toBe("thresher bench fixtures");
  });
});
