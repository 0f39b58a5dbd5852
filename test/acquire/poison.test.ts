import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openInputs } from "../../src/acquire/inputs.js";
import { gather, readOutcomeTable, summarise } from "./gather.js";

const ROWS = readOutcomeTable(readFileSync("fixtures/poison/README.md", "utf8"));

describe("fixtures/poison", () => {
  it("has one row in its README for each file", () => {
    expect(ROWS.map(({ file }) => file).sort()).toEqual(
      readdirSync("fixtures/poison")
        .filter((file) => file !== "README.md")
        .sort(),
    );
  });

  for (const { file, outcome } of ROWS) {
    it(`gives ${outcome.join(", ")} for ${file}`, async () => {
      const source = openInputs([`fixtures/poison/${file}`], { maxBytes: 10_000_000, timeoutMs: 1000 });
      expect(summarise(await gather(source))).toEqual(outcome);
    });
  }
});
