import { Command } from "commander";
import { describe, expect, it } from "vitest";
import {
  addFilterFlags,
  explainFilters,
  toFilterOptions,
  type FilterFlags,
} from "../../src/cli/filter-flags.js";
import { FILTER_DEFAULTS, type FilterOptions } from "../../src/filter/options.js";
import { FILTER_NAMES } from "../../src/filter/registry.js";

interface Parsed {
  readonly options: FilterOptions;
  readonly inputs: readonly string[];
}

function parse(...args: readonly string[]): Parsed {
  let parsed: Parsed | undefined;
  const command = addFilterFlags(new Command().argument("[inputs...]"))
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .action((inputs: string[], flags: FilterFlags) => {
      parsed = { options: toFilterOptions(flags), inputs };
    });
  command.parse(args, { from: "user" });
  if (parsed === undefined) throw new Error("the command did not run");
  return parsed;
}

describe("the flags of the filters", () => {
  it("mean nothing when they are not there", () => {
    expect(parse("page.html")).toEqual({ options: FILTER_DEFAULTS, inputs: ["page.html"] });
  });

  it("reach the options", () => {
    const { options } = parse(
      ..."--preset gopher --min-words 20 --filter digits foreign=0.1 --filter score=.7 --dedup near".split(
        " ",
      ),
      ..."--dedup-lines 5 --dedup-memory 1G --identify-lang --lang sv,fi pt-BR".split(" "),
    );
    expect(options).toEqual({
      preset: "gopher",
      filters: { "min-words": 20, digits: true, foreign: 0.1, score: 0.7 },
      languages: ["sv", "fi", "pt-BR"],
      language: "identified",
      dedup: "near",
      dedupLines: 5,
      dedupMemoryBytes: 1_000_000_000,
    });
  });

  it("leave inputs alone that are before them or behind --", () => {
    expect(parse("a.html", "--lang", "sv").inputs).toEqual(["a.html"]);
    expect(parse("--filter", "digits", "--", "a.html").inputs).toEqual(["a.html"]);
  });

  it.each([
    [["--lang", "sv", "a.html"], "Inputs go before this option"],
    [["--filter", "digits", "a.html"], "Inputs go before this option"],
    [["--filter", "digits="], "The limit must be"],
    [["--filter", "digits=x"], "The limit must be"],
    [["--filter", "digits=-1"], "The limit must be"],
    [["--filter", "=1"], "There is no such filter"],
    [["--filter", "toString"], "There is no such filter"],
    [["--min-words", "0"], "whole number"],
    [["--dedup-lines", "many"], "whole number"],
    [["--dedup", "fuzzy"], "none, exact, near"],
    [["--preset", "oscar"], "register-oscar"],
  ])("are refused: %j", (args, message) => {
    expect(() => parse(...args)).toThrow(message);
  });

  it("are explained, each filter with its limit", () => {
    const lines = explainFilters().split("\n");
    for (const name of FILTER_NAMES)
      expect(lines.filter((line) => line.startsWith(`  ${name} `) && /\d$/.test(line))).toHaveLength(1);
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(125);
  });
});
