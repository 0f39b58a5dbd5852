import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openInputs } from "../../src/acquire/inputs.js";
import { gather, summarise } from "./gather.js";

const README = readFileSync("fixtures/poison/README.md", "utf8");
const ROWS = [...README.matchAll(/^\| `([^`]+)` \| .* \| ([^|]+) \|$/gm)].map(
  ([, file = "", outcome = ""]) => ({
    file,
    outcome: outcome.split(", ").flatMap((part) => {
      const [what = "", times = "1"] = part.split(" × ");
      return Array<string>(Number(times)).fill(what);
    }),
  }),
);

describe("fixtures/poison", () => {
  it("has one row in its README for each file", () => {
    expect(ROWS.map(({ file }) => file).sort()).toEqual(
      readdirSync("fixtures/poison")
        .filter((file) => file !== "README.md")
        .sort(),
    );
  });

  for (const { file, outcome } of ROWS) {
    it(`${file} gives ${outcome.join(", ")}`, async () => {
      const source = openInputs([`fixtures/poison/${file}`], { maxBytes: 10_000_000, timeoutMs: 1000 });
      expect(summarise(await gather(source))).toEqual(outcome);
    });
  }
});
