import { createReadStream, readFileSync, writeFileSync } from "node:fs";
import { platform } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeArchive } from "../../../../bench/lab/crawl/crawl-speed/archive.js";
import { spend } from "../../../../bench/lab/crawl/crawl-speed/spend.js";
import { THRESHER } from "../../../../bench/systems/root.js";
import { readSources, varyPages } from "../../../../bench/lab/crawl/crawl-speed/varied-pages.js";
import { timeLabeller, varyLines, writeTexts } from "../../../../bench/lab/crawl/crawl-speed/varied-lines.js";
import { printMeasured } from "../../../../bench/lab/crawl/crawl-speed.js";
import { openInputs } from "../../../../src/acquire/inputs.js";
import { readWarc } from "../../../../src/acquire/warc/warc.js";
import { gather, summarise } from "../../../acquire/gather.js";
import { makeFolder } from "../../documents.js";
import { collectAll } from "../../../collect-all.js";

const SOURCES = ["<p>One page of 2024.</p><p>Two</p>", "<ul><li>Another</ul>"];

describe("the pages of a crawl", () => {
  it("are the same for the same seed, differ for another seed, and are all distinct", () => {
    const pages = [...varyPages(SOURCES, 20, 1)];
    expect([...varyPages(SOURCES, 20, 1)]).toEqual(pages);
    expect([...varyPages(SOURCES, 20, 2)]).not.toEqual(pages);
    const texts = pages.map(({ html }) => html).filter((html) => html.includes("One page of"));
    expect(texts).toHaveLength(10);
    expect(new Set(texts).size).toBe(10);
  });

  it("come from the fixtures if no file is named", async () => {
    expect((await readSources([], "fixtures")).length).toBeGreaterThan(10);
  });

  it("come in equal numbers from each file", async () => {
    const folder = makeFolder();
    const files = ["a", "b"].map((name) => {
      const file = join(folder, `${name}.jsonl`);
      writeFileSync(file, `${JSON.stringify({ html: `<p>${name}</p>` })}\n`.repeat(1_500));
      return file;
    });
    const sources = await readSources(files, "fixtures");
    expect(sources).toHaveLength(2_000);
    expect(sources.filter((html) => html === "<p>b</p>")).toHaveLength(1_000);
  });

  it("are all found in an archive that also holds requests and poison", async () => {
    const file = join(makeFolder(), "a.warc.gz");
    const archive = await writeArchive(file, varyPages(SOURCES, 600, 3), 3);
    expect(archive).toMatchObject({ pages: 600, bytes: readFileSync(file).length });
    const outcomes = await collectAll(
      readWarc(createReadStream(file), { input: "a", maxBytes: 1e7, packing: "gzip" }),
    );
    const good = outcomes.filter((one) => one.ok && !one.value.url.endsWith("?poison"));
    expect(good).toHaveLength(600);
    expect(outcomes.length).toBeGreaterThan(600);
  });
});

describe("a crawl of text", () => {
  const documents = [Array.from({ length: 40 }, (_, at) => `Line ${at} of a dump`)];

  it("has the same number of lines in JSON Lines and in WET", async () => {
    const folder = makeFolder();
    for (const name of ["t.jsonl.gz", "t.wet.gz"]) {
      const file = join(folder, name);
      expect(await writeTexts(file, varyLines(documents, 4_000, 1))).toBe(4_000);
      const source = openInputs([file], { maxBytes: 1e6, timeoutMs: 1000 });
      expect(summarise(await gather(source))).toEqual(Array(100).fill("page"));
    }
  });

  it("is timed per line when only the labeller reads it", async () => {
    expect(await timeLabeller([...varyLines(documents, 400, 1)])).toBeGreaterThan(0);
  });
});

describe("a measured program", () => {
  it("reports its time and memory, and throws on failure", async () => {
    const { cpuMs, wallMs, peakBytes, stdout } = await spend(THRESHER, ["--version"]);
    expect(stdout).toMatch(/^\d+\.\d+/);
    for (const value of [cpuMs, wallMs]) expect(value).toBeGreaterThan(10);
    expect(peakBytes).toBeGreaterThan(1e7);
    await expect(spend(THRESHER, ["nowhere.html"])).rejects.toThrow("ended with 1");
  });

  it.runIf(platform() === "linux")("can be limited to one core", async () => {
    const program = join(makeFolder(), "cores.mjs");
    writeFileSync(
      program,
      "import { availableParallelism } from 'node:os'; console.log(availableParallelism());",
    );
    expect((await spend(program, [], { isOneCore: true })).stdout).toBe("1\n");
  });

  it("is printed with its rates and ratios", () => {
    const printed = printMeasured({
      rows: [{ what: "-j 1", items: 1000, wallMs: 2000, cpuMs: 4000, peakBytes: 3e8 }],
      ratios: [{ what: "crawl ÷ in memory", value: "0.90", target: "≥ .85" }],
    });
    expect(printed).toMatch(/\| -j 1 +\| +1,000 +\| +500 +\| +250 +\| +4\.0 +\| +300 MB \|/);
    expect(printed).toMatch(/\| crawl ÷ in memory +\| +0\.90 +\| +≥ \.85 \|/);
  });
});
