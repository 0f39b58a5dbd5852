import { thresher } from "../run.js";
import { Command } from "commander";
import { describe, expect, it } from "vitest";
import {
  addTextFlags,
  addRunFlags,
  toPipelineOptions,
  type CleanFlags,
} from "../../../src/cli/options/clean-flags.js";
import { explainFilters } from "../../../src/cli/options/option-flags.js";
import { FILTER_NAMES } from "../../../src/filter/registry.js";
import { DEFAULTS, OPTION_ROWS, type PipelineOptions } from "../../../src/options/options.js";

interface Parsed {
  readonly options: PipelineOptions;
  readonly inputs: readonly string[];
}

function parse(...args: readonly string[]): Parsed {
  let parsed: Parsed | undefined;
  const command = addRunFlags(addTextFlags(new Command().argument("[inputs...]")))
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .action((inputs: string[], flags: CleanFlags) => {
      parsed = { options: toPipelineOptions(flags), inputs };
    });
  command.parse(args, { from: "user" });
  if (parsed === undefined) throw new Error("the command did not run");
  return parsed;
}

/** For each option, a value other than its default, as on the command line. */
const SAID: Readonly<Record<keyof PipelineOptions, readonly [flag: string, value: unknown]>> = {
  extractor: ["--extractor body", "body"],
  labeller: ["--labeller rules", "rules"],
  modelDir: ["--model some/folder", "some/folder"],
  focus: ["--focus recall", "recall"],
  cut: ["--threshold .7", 0.7],
  condition: ["--condition crawl", "crawl"],
  comments: ["--comments drop", "drop"],
  rescore: ["--rescore", true],
  keepBoilerplate: ["--keep-boilerplate", true],
  structure: ["--spans", "keep"],
  metadata: ["--metadata origins", "origins"],
  registers: ["--registers", true],
  keep: ["--keep main --keep article", ["main", "article"]],
  remove: ["--remove nav", ["nav"]],
  wants: ["--lines", "lines"],
  preset: ["--preset gopher", "gopher"],
  languages: ["--lang sv,fi pt-BR", ["sv", "fi", "pt-BR"]],
  language: ["--identify-lang", "identified"],
  filters: ["--filter digits foreign=0.1", { digits: true, foreign: 0.1 }],
  dedup: ["--dedup near", "near"],
  dedupLines: ["--dedup-lines 5", 5],
  dedupMemoryBytes: ["--dedup-memory 1G", 1_000_000_000],
  workers: ["-j 7", 7],
  maxBytes: ["--max-bytes 5k", 5000],
  timeoutMs: ["--timeout 2s", 2000],
  engine: ["--engine portable", "portable"],
};

describe("the flags of the options", () => {
  it.each(["--keep", "--remove", "--model", "--column"])("reject an empty value for %s", async (flag) => {
    const { code, stderr } = await thresher(["page.html", flag, ""]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^error: option '--\w+ <\w+>' argument '' is invalid/),
    ]);
  });

  it.each([
    ["serve", "--host", ""],
    ["crawl", "seeds.txt", "-o", ""],
    ["train", "gold.jsonl", "-o", ""],
    ["features", "gold.jsonl", "-o", ""],
    ["report", "clean.jsonl", "-o", ""],
    ["shard", "plan", "page.html", "-o", ""],
  ])("reject an empty value: %s %s %s %s", async (...args) => {
    const { code, stderr } = await thresher(args);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("argument '' is invalid. It must not be empty."),
    ]);
  });

  it.each(["status", "run --index 0"])("reject an empty place of a job: %s", async (words) => {
    const { code, stderr } = await thresher(["shard", ...words.split(" "), ""]);
    expect([code, stderr]).toEqual([2, "thresher: a job has an empty place; is a variable not set?\n"]);
  });

  it("reject an empty input", async () => {
    const { code, stderr } = await thresher([""]);
    expect([code, stderr]).toEqual([2, "thresher: an input is empty; is a variable not set?\n"]);
  });

  it.each([
    ["page.html", "--rejects=~/r.jsonl"],
    ["page.html", "-o", "~/clean.jsonl"],
    ["shard", "plan", "page.html", "--job=~/job"],
  ])("reject a ~ that the shell left as it is: %s %s", async (...args) => {
    const { code, stderr } = await thresher(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^thresher: the shell did not expand the ~ in \S+; write \$HOME\/… instead/);
  });

  it("mean the defaults if absent", () => {
    expect(parse("page.html")).toEqual({ options: { ...DEFAULTS, wants: "text" }, inputs: ["page.html"] });
  });

  it.each(Object.entries(SAID))("set %s", (name, [flag, value]) => {
    expect({ ...parse(...flag.split(" ")).options }).toMatchObject({ [name]: value });
  });

  it("exist for every option except the one that other flags imply", () => {
    expect(OPTION_ROWS.filter(([, { flag }]) => flag === undefined).map(([name]) => name)).toEqual(["wants"]);
  });
});

describe("the flags of the filters", () => {
  it("set the filter options, --min-words among them", () => {
    const { options } = parse(
      ..."--min-words 20 --filter digits foreign=0.1 --filter score=.7 --lang sv".split(" "),
    );
    expect(options.filters).toEqual({ "min-words": 20, digits: true, foreign: 0.1, score: 0.7 });
    expect(options.languages).toEqual(["sv"]);
  });

  it("leave inputs before them or after -- unchanged", () => {
    expect(parse("a.html", "--lang", "sv").inputs).toEqual(["a.html"]);
    expect(parse("--filter", "digits", "--", "a.html").inputs).toEqual(["a.html"]);
  });

  it.each([
    [["--lang", "sv", "a.html"], "Put inputs before this option"],
    [["--filter", "digits", "a.html"], "Put inputs before this option"],
    [["--filter", "digits="], "The limit must be"],
    [["--filter", "digits=x"], "The limit must be"],
    [["--filter", "digits=-1"], "The limit must be"],
    [["--filter", "digits=0.1,score"], "such as 0.1. Separate filters by spaces, not commas."],
    [["--filter", "digits,score"], "--help lists them. Separate filters by spaces, not commas."],
    [["--filter", "=1"], "There is no such filter"],
    [["--filter", "toString"], "There is no such filter"],
    [["--min-words", "0"], "whole number"],
    [["--dedup-lines", "many"], "whole number"],
    [["--dedup", "fuzzy"], "none, exact, near"],
    [["--preset", "oscar"], "register-oscar"],
  ])("are rejected: %j", (args, message) => {
    expect(() => parse(...args)).toThrow(message);
  });

  it("are described in the help, each with its limit", () => {
    const lines = explainFilters().split("\n");
    for (const name of FILTER_NAMES)
      expect(lines.filter((line) => line.startsWith(`  ${name} `) && /\d$/.test(line))).toHaveLength(1);
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(125);
  });
});
