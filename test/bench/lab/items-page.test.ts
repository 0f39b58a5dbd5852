import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readItems, readKept, replaceItemTables, slimItems } from "../../../bench/lab/items-page.js";
import { measureItems } from "../../../bench/run/items/item-bench.js";
import { ROOT } from "../../../bench/systems/root.js";
import { makeFolder, makeIo } from "../documents.js";

const PAGE = "# Thing\n\n<!-- items:start -->\n\nbefore this\n\n<!-- items:end -->\n\nrest\n";

async function measure() {
  const options = { corpora: [], corpus: ["fixtures/bench/structure.jsonl"], systems: ["raw"], resamples: 0 };
  return (await measureItems({ ...options, measure: "structure" }, makeIo())).results;
}

describe("the tables of structure and metadata", () => {
  it("are replaced together with date and command, and the rest stays unchanged", async () => {
    const results = await measure();
    const once = replaceItemTables(PAGE, [results]);
    expect(once).toMatch(/^# Thing\n\n<!-- items:start -->\n\n```\nthresher bench --measure structure/);
    expect(once).toMatch(/\n\n<!-- items:end -->\n\nrest\n$/);
    expect(once).toContain(results.date.slice(0, 10));
    expect(once).not.toContain("before this");
    expect(replaceItemTables(once, [results])).toBe(once);
    expect(replaceItemTables(PAGE, [slimItems(results)])).toBe(once);
  });

  it.each(["no marks", "<!-- items:end -->\n<!-- items:start -->", `${PAGE}${PAGE}`])(
    "are not inserted at guessed places in %j",
    async (page) => {
      const results = await measure();
      expect(() => replaceItemTables(page, [results])).toThrow(RangeError);
    },
  );

  it("contain no folder of this machine", async () => {
    const results = await measure();
    const commands = [
      "thresher bench a --gold /home/me/gold -x",
      "thresher bench --gold '/a b/c'",
      "thresher bench a",
    ];
    expect(commands.map((command) => slimItems({ ...results, command }).command)).toEqual([
      "thresher bench a --gold DIR -x",
      "thresher bench --gold DIR",
      "thresher bench a",
    ]);
  });

  it("accept only results, and copy no text of a page", async () => {
    const results = await measure();
    const [before, after] = [results, slimItems(results)].map((one) => JSON.stringify(one));
    expect(before).toContain("winter");
    expect(after).not.toContain("winter");
    const file = join(makeFolder(), "other.json");
    writeFileSync(file, '{"format":"thresher-bench-1"}');
    await expect(readItems(file)).rejects.toThrow(/not a results file/);
  });
});

describe("bench/items.md", () => {
  it("is what the command writes from the results in this repository", async () => {
    const page = readFileSync(join(ROOT, "bench", "items.md"), "utf8");
    const kept = await readKept();
    expect(new Set(kept.map(({ subject }) => subject))).toEqual(new Set(["structure", "metadata", "units"]));
    expect(replaceItemTables(page, kept)).toBe(page);
  });
});
