import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openInputs } from "../../../src/acquire/inputs.js";
import { gather, readOutcomeTable, summarise } from "../gather.js";

const rows = readOutcomeTable(readFileSync("fixtures/warc/README.md", "utf8"));

describe("fixtures/warc", () => {
  it("has one row in its README for each file", () => {
    const files = readdirSync("fixtures/warc").filter((file) => file !== "README.md" && file !== "make.js");
    expect(rows.map(({ file }) => file).sort()).toEqual(files.sort());
  });

  it.each(rows)("$file gives $outcome", async ({ file, outcome }) => {
    const source = openInputs([`fixtures/warc/${file}`], { maxBytes: 10_000_000, timeoutMs: 1000 });
    expect(summarise(await gather(source))).toEqual(outcome);
  });
});
