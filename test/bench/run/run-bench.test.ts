import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { SystemScores } from "../../../bench/report/results.js";
import { measure, runBench } from "../../../bench/run/run-bench.js";
import { gatherDocuments } from "../../../bench/run/documents.js";
import { formatCommand } from "../../../bench/run/bench-options.js";
import { runAndJudge, runEach } from "../../../bench/run/run-system.js";
import { scoreCorpus } from "../../../bench/run/score/score-corpus.js";
import { judge, type Judged } from "../../../bench/run/score/judge.js";
import { toColumns } from "../../../bench/run/score/score-sums.js";
import type { GoldDocument } from "../../../bench/corpora/gold.js";
import { createBrokenSystem, type Way } from "../systems/broken/systems.js";
import {
  makeCorpus,
  makeDocument,
  makeDocuments,
  makeFolder,
  makeGold,
  makeIo,
  toRow,
} from "../documents.js";

const CANOLA = "pages/canola/pages.jsonl.gz";

async function scoreWays(
  ways: readonly Way[],
  documents: readonly GoldDocument[],
): Promise<Map<string, SystemScores>> {
  const corpus = makeCorpus(documents);
  const gathered = await gatherDocuments(corpus);
  const outputs = new Map<string, Judged[]>();
  for (const way of ways) {
    const system = await createBrokenSystem(way, 400);
    outputs.set(way, await runAndJudge(system, gathered.read(), { judge }));
    await system.close();
  }
  const { systems } = scoreCorpus(
    { corpus, documents: gathered, outputs },
    { reference: ways[0]!, samples: 200 },
  );
  return new Map(systems.map((row) => [row.system, row]));
}

function valueOf(row: SystemScores | undefined, name: string): number | null | undefined {
  return row?.overall[name]?.value;
}

describe("costs", () => {
  it("are summed up over more documents than a call takes arguments", async () => {
    const documents = makeDocuments(1);
    const corpus = makeCorpus(documents);
    const gathered = await gatherDocuments(corpus);
    const cost = { wallMs: 1, cpuMs: 2, peakBytes: 3 };
    const one = { id: "?", columns: toColumns({}), cost };
    const outputs = new Map([["many", Array<Judged>(150_000).fill(one)]]);
    const { systems } = scoreCorpus({ corpus, documents: gathered, outputs }, { samples: 0 });
    expect(systems[0]?.cost).toEqual({
      ...{ pages: 150_000, peakBytes: 3 },
      cpuMs: { mean: 2, p50: 2, p99: 2, max: 2 },
    });
  });
});

describe("systems that run at the same time", () => {
  it("start no further system after one has failed by a bug", async () => {
    const started: string[] = [];
    const { signal } = new AbortController();
    const run = runEach(["bug", "slow", "later"], { jobs: 2, signal }, async (name) => {
      started.push(name);
      if (name === "bug") throw new Error("a bug");
      await setTimeout(20);
      return name;
    });
    await expect(run).rejects.toThrow("a bug");
    await setTimeout(40);
    expect(started).toEqual(["bug", "slow"]);
  });
});

describe("deliberately broken systems", () => {
  it("are reported by their kind of failure", async () => {
    const rows = await scoreWays(["works", "throws", "dies", "twice", "other"], makeDocuments(6));
    const [works, throws, twice, other] = ["works", "throws", "twice", "other"].map((way) => rows.get(way));

    expect(valueOf(works, "lineLoss")).toBe(0);
    expect(valueOf(works, "lineCleanliness")).toBeCloseTo(0.6, 5);
    expect(works?.unplaced).toBe(0);

    expect(throws?.failures).toEqual({ crash: 6, timeout: 0, missing: 0, reject: 0 });
    expect(throws?.failed[0]).toMatchObject({ id: "test/0", failure: "crash" });
    expect(throws?.failed[0]?.detail).toContain("this page is too much");
    // a failure is not an empty text: only the scores with failures exist
    expect(valueOf(throws, "lineF1")).toBeUndefined();
    expect(valueOf(throws, "lineLoss")).toBeUndefined();
    expect(valueOf(throws, "lineF1WithFailures")).toBe(0);
    expect(valueOf(throws, "wordLossWithFailures")).toBe(1);
    expect(rows.get("dies")?.failures.crash).toBe(6);

    // the page does not contain the second copy: it lowers cleanliness, and leaves loss unchanged
    expect(valueOf(twice, "wordLoss")).toBe(0);
    expect(twice?.unplaced).toBeCloseTo(0.5, 1);
    expect(valueOf(twice, "wordCleanliness")).toBeLessThan(0.6 * (valueOf(works, "wordCleanliness") ?? 0));

    expect(other?.unplaced).toBeGreaterThan(0.7);
    expect(valueOf(other, "lineF1")).toBeLessThan(0.2);
    expect(other?.versus).toMatchObject({ system: "works", measure: "lineF1", documents: 6 });
    expect(other?.versus?.difference).toBeLessThan(-0.5);
  });

  it("are counted as time-outs if they hang", async () => {
    const rows = await scoreWays(["hangs"], makeDocuments(2));
    expect(rows.get("hangs")?.failures).toEqual({ crash: 0, timeout: 2, missing: 0, reject: 0 });
    expect(rows.get("hangs")?.cost?.pages ?? 0).toBe(0);
  });

  it("gain nothing by failing on some pages: only answered pages are compared", async () => {
    const withFailures = (count: number): GoldDocument[] =>
      makeDocuments(10).map((document, index) => ({ ...document, url: index < count ? "" : "fine" }));
    const rows = await scoreWays(["works", "throws"], withFailures(5));
    const throws = rows.get("throws");
    expect(throws?.failures.crash).toBe(5);
    expect(throws?.versus).toMatchObject({ documents: 5, difference: 0 });
    const few = await scoreWays(["works", "throws"], withFailures(6));
    expect(few.get("throws")?.versus).toBeUndefined();
    expect(valueOf(throws, "lineLoss")).toBe(0);
    expect(valueOf(throws, "wordLossWithFailures")).toBeCloseTo(0.5, 1);
    expect(valueOf(throws, "lineF1WithFailures")).toBeLessThan(valueOf(throws, "lineF1") ?? 0);
  });
});

describe("the scores of a corpus", () => {
  it("are the same for the same outputs, in whatever order systems finish", async () => {
    const gold = makeGold(CANOLA, makeDocuments(8).map(toRow));
    const run = (jobs: number) =>
      measure(
        { corpora: ["canola"], systems: ["body", "readability", "raw"], gold, jobs, resamples: 200 },
        makeIo(),
      );
    const [one, three] = [await run(1), await run(3)];
    const scores = ({ results }: typeof one) =>
      results.corpora.map(({ systems, digest }) => ({
        digest,
        systems: systems.map(({ cost, ...rest }) => ({ ...rest, timed: cost !== undefined })),
      }));
    expect(scores(three)).toEqual(scores(one));
    expect(one.results.corpora[0]?.systems[0]?.overall["lineF1"]?.low).toBeDefined();
  });

  it("are grouped, and have no interval if a group is small", async () => {
    const rows = await scoreWays(["works"], makeDocuments(9));
    const groups = rows.get("works")?.groups["lang"];
    expect(groups?.["en"]?.documents).toBe(5);
    expect(groups?.["fi"]?.documents).toBe(4);
    expect(groups?.["en"]?.scores["lineF1"]?.low).toBeDefined();
    expect(groups?.["fi"]?.scores["lineF1"]).toEqual({ value: 0.75 });
    expect(rows.get("works")?.groups["register"]).toBeUndefined();
  });

  it("have no interval, and no comparison, if a corpus is small", async () => {
    const rows = await scoreWays(["works", "other"], makeDocuments(4));
    expect(rows.get("works")?.overall["lineF1"]).toEqual({ value: 0.75 });
    expect(rows.get("other")?.versus).toBeUndefined();
  });

  it("list the worst documents with their errors", async () => {
    const rows = await scoreWays(["works", "other"], makeDocuments(5));
    const worst = rows.get("other")?.worst[0];
    expect(worst?.lineF1).toBe(0);
    expect(worst?.bestOther).toEqual({ system: "works", lineF1: 0.75 });
    expect(worst?.lines.map(({ gold }) => gold)).toEqual([0, 1, 1, 1, 0]);
    expect(worst?.lines.filter(({ label }) => label === 1)).toEqual([]);
  });
});

describe("a run", () => {
  it("skips and lists a page that occurs twice", async () => {
    const rows = [...makeDocuments(3), makeDocument(1)].map(toRow);
    const gold = makeGold(CANOLA, rows);
    const { results } = await measure(
      { corpora: ["canola"], systems: ["raw"], gold, resamples: 0 },
      makeIo(),
    );
    expect(results.corpora[0]?.documents).toBe(3);
    expect(results.corpora[0]?.problems).toMatchObject([{ line: 4, problem: "duplicate" }]);
  });

  it("counts outputs that are missing, unknown, repeated or malformed", async () => {
    const gold = makeGold(CANOLA, makeDocuments(4).map(toRow));
    const file = join(makeFolder(), "mine.jsonl");
    const output = (id: string) => JSON.stringify({ id, text: makeDocument(0).lines![1]!.text });
    writeFileSync(file, [output("test/0"), output("test/0"), output("test/99"), "{broken", ""].join("\n"));
    const { results } = await measure(
      { corpora: ["canola"], systems: ["raw", file], gold, resamples: 0 },
      makeIo(),
    );
    const row = results.corpora[0]?.systems.find(({ system }) => system === "mine");
    expect(row?.failures).toEqual({ crash: 0, timeout: 0, missing: 3, reject: 0 });
    expect(valueOf(row, "lineRecall")).toBeCloseTo(1 / 3, 4);
    const audit = results.systems.find(({ name }) => name === "mine")?.audit;
    expect(audit?.counts).toEqual({ missing: 3, unknown: 1, repeated: 1, malformed: 1 });
    expect(audit?.first.unknown).toEqual(["test/99"]);
  });

  it("scores folds of WCXB by its own measure, with empty pages and page types", async () => {
    const types = ["article", "article", "forum", "forum", "listing"];
    const rows = types.map((page_type, index) => {
      const { id, html } = makeDocument(index);
      const gold_text = index < 3 ? makeDocument(index).lines![1]!.text : "";
      return { id, html, page_type, gold_text, gold_lines_how: "aligned" };
    });
    const gold = makeGold("pages/wcxb/dev.jsonl.gz", rows);
    const file = join(makeFolder(), "folds.jsonl");
    const outputs = [
      { id: "test/0", text: rows[0]!.gold_text, pageType: "article" },
      { id: "test/1", text: "", pageType: "forum" },
      { id: "test/2", text: rows[2]!.gold_text, pageType: "forum" },
      { id: "test/3", text: "", pageType: "article" },
      // the last page has no output, which is a failure and not an answer
    ];
    writeFileSync(file, outputs.map((output) => JSON.stringify(output)).join("\n"));
    const { results } = await measure(
      { corpora: ["wcxb-dev"], systems: [file], gold, resamples: 0 },
      makeIo(),
    );
    const row = results.corpora[0]?.systems[0];
    expect(results.corpora[0]?.ownMeasures?.at(-1)).toBe("wcxbF1");
    expect(row?.nothing).toEqual({ emptyPages: 2, emptySaid: 1, fullPages: 3, fullSaid: 1 });
    expect(row?.pageTypes).toEqual({ article: { article: 1, forum: 1 }, forum: { forum: 1, article: 1 } });
    expect(["wcxbF1", "nothingHere", "falseAlarms", "pageType"].map((name) => valueOf(row, name))).toEqual([
      ...[3 / 5, 1 / 2, 0.33333, 1 / 2],
    ]);
    const byType = row?.groups["pageType"];
    expect(byType?.["forum"]?.scores["wcxbF1"]?.value).toBe(1);
    expect(byType?.["listing"]?.scores["wcxbF1"]?.value).toBe(0);
  });

  it("does not count outputs outside the sample as unknown", async () => {
    const documents = makeDocuments(6);
    const gold = makeGold(CANOLA, documents.map(toRow));
    const file = join(makeFolder(), "all.jsonl");
    writeFileSync(file, documents.map(({ id }) => JSON.stringify({ id, text: "" })).join("\n"));
    const options = { corpora: ["canola"], systems: [file], gold, sample: 2, resamples: 0 };
    const { results } = await measure(options, makeIo());
    expect(results.corpora[0]).toMatchObject({ documents: 2, isSample: true });
    expect(results.systems[0]?.audit?.counts).toEqual({ missing: 0, unknown: 0, repeated: 0, malformed: 0 });
  });

  it("ignores stored outputs of another corpus", async () => {
    const gold = makeGold(CANOLA, makeDocuments(2).map(toRow));
    const file = join(makeFolder(), "elsewhere.jsonl");
    writeFileSync(file, JSON.stringify({ id: "somewhere/1", text: "text" }));
    const { results } = await measure(
      { corpora: ["canola"], systems: ["raw", file], gold, resamples: 0 },
      makeIo(),
    );
    expect(results.corpora[0]?.systems.map(({ system }) => system)).toEqual(["raw"]);
  });

  it("continues without an unavailable system", async () => {
    const gold = makeGold(CANOLA, makeDocuments(2).map(toRow));
    const systems = ["raw", "ours:labeller=text,model=nowhere"];
    const { results } = await measure({ corpora: ["canola"], systems, gold, resamples: 0 }, makeIo());
    expect(results.unavailable).toMatchObject([{ name: systems[1] }]);
    expect(results.corpora[0]?.systems.map(({ system }) => system)).toEqual(["raw"]);
  });

  it("says how to get a missing corpus, runs the others, and exits with 1", async () => {
    const io = makeIo();
    const output = makeFolder();
    const options = {
      corpora: ["fixtures-text", "canola"],
      systems: ["raw"],
      gold: makeFolder(),
      output,
      resamples: 0,
    };
    expect(await runBench(options, io)).toBe(1);
    expect(io.said()).toMatch(/corpus canola: .*is missing.*github\.com\/krdwrd.*--gold/s);
    const json = readdirSync(output).find((name) => name.endsWith(".json"));
    const results = JSON.parse(readFileSync(join(output, json ?? ""), "utf8")) as {
      corpora: { corpus: string }[];
    };
    expect(results.corpora.map(({ corpus }) => corpus)).toEqual(["fixtures-text"]);
    expect(readdirSync(output).some((name) => name.endsWith(".md"))).toBe(true);
  });

  it("writes the finished corpora if it is interrupted", async () => {
    const stop = new AbortController();
    const io = { ...makeIo(), signal: stop.signal };
    io.stderr.on("data", (chunk: Buffer) => {
      if (chunk.includes("fixtures: ")) stop.abort(new Error("enough"));
    });
    const output = makeFolder();
    const options = { corpora: ["fixtures-text", "fixtures"], systems: ["raw"], output, resamples: 0 };
    await runBench(options, io);
    expect(io.said()).toContain("fixtures: interrupted; the results have only the corpora before it\n");
    const json = readdirSync(output).find((name) => name.endsWith(".json"));
    const results = JSON.parse(readFileSync(join(output, json ?? ""), "utf8")) as {
      corpora: { corpus: string }[];
    };
    expect(results.corpora.map(({ corpus }) => corpus)).toEqual(["fixtures-text"]);
  });

  it.each([
    [{ corpora: ["nowhere"], systems: [] }, /no corpus nowhere.*canola/],
    [{ corpora: [], systems: ["nobody"] }, /no system "nobody"/],
    [{ corpora: [], systems: ["raw"], reference: "body" }, /reference body is not among/],
  ])("rejects unknown names: %j", async (options, message) => {
    await expect(measure(options, makeIo())).rejects.toThrow(message);
  });

  it("prints the command that reproduces it", () => {
    const options = { corpora: ["canola"], systems: ["raw", "my file.jsonl"], sample: 5, speed: true };
    expect(formatCommand(options)).toBe(
      "thresher bench canola --systems raw 'my file.jsonl' --sample 5 --speed",
    );
  });
});

describe("a sample", () => {
  it("has the same documents in any order of the corpus, and contains each smaller sample", async () => {
    const documents = makeDocuments(60);
    const idsOf = async (all: readonly GoldDocument[], size: number): Promise<string[]> => [
      ...(await gatherDocuments(makeCorpus(all), size)).gold.keys(),
    ];
    const ten = await idsOf(documents, 10);
    expect(ten).toHaveLength(10);
    expect([...(await idsOf(documents.toReversed(), 10))].sort()).toEqual([...ten].sort());
    for (const id of await idsOf(documents, 4)) expect(ten).toContain(id);
    expect(await idsOf(documents, 100)).toHaveLength(60);
  });

  it("keeps no pages in the gold, and loads them on request", async () => {
    const gathered = await gatherDocuments(makeCorpus(makeDocuments(3)), 2);
    expect([...gathered.gold.values()].every(({ html }) => html === undefined)).toBe(true);
    for await (const document of gathered.read()) expect(document.html).toContain("<p>");
  });
});
