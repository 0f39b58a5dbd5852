import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readResults, replaceTables, slimResults } from "../../../bench/lab/results-page.js";
import { measure } from "../../../bench/run/run-bench.js";
import { ROOT } from "../../../bench/systems/root.js";
import { makeFolder, makeIo } from "../documents.js";
import { RESULTS } from "../report/report-results.js";

const PAGE = "# Thing\n\n<!-- bench:start -->\n\nold\n\n<!-- bench:end -->\n\nrest\n";

describe("the tables of a page", () => {
  it("are replaced together with date and command, and the rest stays unchanged", async () => {
    const { results } = await measure(
      { corpora: ["fixtures-text"], systems: ["raw"], resamples: 0 },
      makeIo(),
    );
    const once = replaceTables(PAGE, results);
    expect(once).toMatch(/^# Thing\n\n<!-- bench:start -->\n\n/);
    expect(once).toMatch(/\n\n<!-- bench:end -->\n\nrest\n$/);
    expect(once).toContain(results.date.slice(0, 10));
    expect(once).toContain("thresher bench fixtures-text --systems raw");
    expect(once).not.toContain("old");
    expect(replaceTables(once, results)).toBe(once);
  });

  it.each(["no marks", "<!-- bench:end -->\n<!-- bench:start -->", `${PAGE}${PAGE}`])(
    "are not inserted at guessed places in %j",
    async (page) => {
      const { results } = await measure(
        { corpora: ["fixtures-text"], systems: ["raw"], resamples: 0 },
        makeIo(),
      );
      expect(() => replaceTables(page, results)).toThrow(RangeError);
    },
  );

  it("list each rival once with its version", () => {
    const rival = (name: string, describe: string) => ({ name, group: "rival", describe }) as const;
    const systems = [
      rival("trafilatura", "2.2.0: extract(html), Python 3.11"),
      rival("trafilatura-fast", "2.2.0: extract(html, fast=True), Python 3.11"),
      rival("readability-lxml", "0.9: Document(html).summary()"),
      rival("readability-js", "0.6.0: new Readability(document)"),
    ];
    expect(replaceTables(PAGE, { ...RESULTS, systems })).toContain(
      "Rivals: trafilatura 2.2.0, readability-lxml 0.9, readability-js 0.6.0;",
    );
  });

  it("accept only results", async () => {
    const file = join(makeFolder(), "other.json");
    writeFileSync(file, '{"format":"something"}');
    await expect(readResults(file)).rejects.toThrow(/not a results file/);
  });
});

describe("slimResults", () => {
  it("gives the same tables", () => {
    const slim = slimResults(RESULTS);
    expect(replaceTables(PAGE, slim)).toBe(replaceTables(PAGE, RESULTS));
    expect(JSON.stringify(slim).length).toBeLessThan(JSON.stringify(RESULTS).length / 2);
  });

  it("keeps the scores and drops the gold lines", async () => {
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

/** Returns the cells of each row of the Markdown tables in a text. */
function rowsOf(text: string): string[][] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** Returns the cell of a system, without its interval, in the first table with a heading that begins with `column`. */
function cellOf(text: string, column: string, system: string): string | undefined {
  let at = -1;
  for (const row of rowsOf(text)) {
    if (row[0] === "system") at = row.findIndex((head) => head.startsWith(column));
    else if (row[0] === system && at > 0) return row[at]?.replace(/ \(.*\)$/, "");
  }
  return undefined;
}

describe("bench/RESULTS.md", () => {
  const page = readFileSync(join(ROOT, "bench", "RESULTS.md"), "utf8");

  it("is what the command writes from the newest results in this repository", async () => {
    const folder = join(ROOT, "bench", "results");
    const slim = readdirSync(folder).filter((name) => name.endsWith(".slim.json"));
    const newest = await readResults(join(folder, slim.sort().at(-1) ?? ""));
    expect(replaceTables(page, newest)).toBe(page);
  });

  it("has every figure of the table in the README", () => {
    const readme = readFileSync(join(ROOT, "README.md"), "utf8");
    const [heads = [], , ...systems] = rowsOf(readme);
    expect(heads[0]).toBe("system");
    expect(systems.length).toBeGreaterThan(5);
    expect(systems.length).toBeLessThanOrEqual(8);
    for (const [name = "", ...cells] of systems) {
      const system = /`([\w-]+)`/.exec(name)?.[1] ?? name;
      for (const [index, cell] of cells.entries()) {
        // line F1 is the measure of the first table, where a heading is the corpus alone
        const head = (heads[index + 1] ?? "").replace(" (line F1)", "");
        const isSpeed = head === "CPU ms/page";
        const column = isSpeed ? "ms/page" : head;
        const place = isSpeed ? page.slice(page.indexOf("## Speed")) : page;
        expect(cellOf(place, column, "page"), column).toMatch(/\d/);
        const found = cellOf(place, column, system);
        expect([system, column, found ?? "–"]).toEqual([system, column, cell]);
      }
    }
  });
});
