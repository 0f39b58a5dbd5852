import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readResults, replaceTables, slimResults } from "../../bench/readme.js";
import { measure } from "../../bench/run/run-bench.js";
import { makeFolder, makeIo } from "./documents.js";
import { RESULTS } from "./report/report-results.js";

const README = "# Thing\n\n<!-- bench:start -->\n\nold\n\n<!-- bench:end -->\n\nrest\n";

describe("the benchmark's part of the README", () => {
  it("is replaced, with date and command, and nothing else is touched", async () => {
    const { results } = await measure(
      { corpora: ["fixtures-text"], systems: ["raw"], resamples: 0 },
      makeIo(),
    );
    const once = replaceTables(README, results);
    expect(once).toMatch(/^# Thing\n\n<!-- bench:start -->\n\n/);
    expect(once).toMatch(/\n\n<!-- bench:end -->\n\nrest\n$/);
    expect(once).toContain(results.date.slice(0, 10));
    expect(once).toContain("thresher bench fixtures-text --systems raw");
    expect(once).not.toContain("old");
    expect(replaceTables(once, results)).toBe(once);
  });

  it.each(["no marks", "<!-- bench:end -->\n<!-- bench:start -->", `${README}${README}`])(
    "is not guessed in %j",
    async (readme) => {
      const { results } = await measure(
        { corpora: ["fixtures-text"], systems: ["raw"], resamples: 0 },
        makeIo(),
      );
      expect(() => replaceTables(readme, results)).toThrow(RangeError);
    },
  );

  it("names each rival once with its version", () => {
    const rival = (name: string, describe: string) => ({ name, group: "rival", describe }) as const;
    const systems = [
      rival("trafilatura", "2.2.0: extract(html), Python 3.11"),
      rival("trafilatura-fast", "2.2.0: extract(html, fast=True), Python 3.11"),
      rival("readability-lxml", "0.9: Document(html).summary()"),
      rival("readability-js", "0.6.0: new Readability(document)"),
    ];
    expect(replaceTables(README, { ...RESULTS, systems })).toContain(
      "Rivals: trafilatura 2.2.0, readability-lxml 0.9, readability-js 0.6.0;",
    );
  });

  it("takes only results", async () => {
    const file = join(makeFolder(), "other.json");
    writeFileSync(file, '{"format":"something"}');
    await expect(readResults(file)).rejects.toThrow(/no results file/);
  });
});

describe("slimResults", () => {
  it("gives the tables of the README again", () => {
    const slim = slimResults(RESULTS);
    expect(replaceTables(README, slim)).toBe(replaceTables(README, RESULTS));
    expect(JSON.stringify(slim).length).toBeLessThan(JSON.stringify(RESULTS).length / 2);
  });

  it("keeps the scores and no line of gold", async () => {
    const { results } = await measure(
      { corpora: ["fixtures-text"], systems: ["rules"], resamples: 0 },
      makeIo(),
    );
    const slim = slimResults(results);
    const systems = slim.corpora.flatMap((corpus) => corpus.systems);
    expect(systems.map(({ overall }) => overall)).toEqual(
      results.corpora.flatMap((corpus) => corpus.systems.map(({ overall }) => overall)),
    );
    const shown = results.corpora.flatMap((corpus) => corpus.systems.flatMap((system) => system.worst));
    expect(shown.length).toBeGreaterThan(0);
    for (const { lines } of shown) {
      for (const { text } of lines.filter((line) => line.text.length > 20))
        expect(JSON.stringify(slim)).not.toContain(JSON.stringify(text));
    }
    expect(replaceTables("<!-- bench:start -->\n<!-- bench:end -->", slim)).toContain("line F1");
  });
});
