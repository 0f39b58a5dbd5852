import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { runBench } from "../../bench/run/run-bench.js";
import { SUBJECTS } from "../../bench/systems/subject.js";
import { MEASURES, type BenchModule } from "../../src/cli/bench.js";
import { thresher, thresherAlone } from "./run.js";

describe("thresher bench", () => {
  it("scores systems on the fixtures: a table on stdout, files in the folder, progress on stderr", async () => {
    const folder = mkdtempSync(join(tmpdir(), "thresher-bench-"));
    const args = ["bench", "fixtures-text", "--systems", "raw", "none", "--resamples", "20", "-o", folder];
    const { code, stdout, stderr } = await thresher(args);
    expect(stderr).toContain("fixtures-text  none: ");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^fixtures-text: \d+ documents/);
    expect(stdout).toMatch(/raw.*\n.*none|none.*\n.*raw/);
    expect(readdirSync(folder).filter((name) => name.endsWith(".json"))).toHaveLength(1);
  });

  it.each([
    [["nowhere"], "there is no corpus nowhere"],
    [["--systems", "nobody"], 'there is no system "nobody"'],
    [["cannola"], 'gold of your own); did you mean "canola"?'],
    [["nowhere", "--systems", "raw", "Trafilatra"], "there is no corpus nowhere"],
    [["--systems", "raw", "Trafilatra"], '; did you mean "trafilatura"?'],
    [["--measure", "metadata", "--systems", "trafilatra"], '; did you mean "trafilatura"?'],
    [["--profile", "--systems", "trafilatra"], '; did you mean "trafilatura"?'],
    [["--systems", "missing.jsonl"], "there is no file missing.jsonl; there are all, raw"],
    [["--corpus", "missing.jsonl"], "there is no file missing.jsonl"],
    [["nowhere"], "--corpus FILE takes gold of your own"],
    [["--sample", "0"], "whole number of at least 1"],
    [["--measure", "beauty"], "It must be one of lines, structure, metadata, units."],
    [
      ["canola-lines", "--measure", "structure"],
      "there is no corpus canola-lines whose structure can be measured",
    ],
    [["--measure", "metadata", "--systems", "justext"], 'no system "justext" whose metadata can be measured'],
    [["--systems", "page", "--model", "my-model"], "name a system: --systems ours:model=DIR"],
    [["--measure", "metadata", "--speed"], "--speed and --reference are for --measure lines"],
  ])("rejects %j as wrong usage", async (args, message) => {
    const { code, stdout, stderr } = await thresher(["bench", ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
  });

  it("says that an interrupted run writes no results", async () => {
    const folder = mkdtempSync(join(tmpdir(), "thresher-bench-"));
    const args = ["bench", "fixtures", "fixtures-text", "--systems", "raw", "page", "-o", folder];
    const { code, stdout, stderr } = await thresherAlone(args, {
      onStart: (child) => child.stderr?.once("data", () => child.kill("SIGINT")),
    });
    expect([code, stdout, readdirSync(folder)]).toEqual([130, "", []]);
    expect(stderr).toContain("thresher: no results are written, because the run has not ended\n");
  });

  it("measures metadata of the user's own gold, and reports damaged rows", async () => {
    const folder = mkdtempSync(join(tmpdir(), "thresher-bench-"));
    const args = ["--measure", "metadata", "--systems", "page", "--resamples", "20", "-o", folder];
    const { code, stdout, stderr } = await thresher([
      "bench",
      "--corpus",
      "fixtures/bench/metadata.jsonl",
      ...args,
    ]);
    expect(stderr).toContain("fixtures/bench/metadata.jsonl:5: number: meta.date is 20210304");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^metadata: 2 pages, 5 rows of the gold not used/);
    expect(readdirSync(folder).map((name) => name.split(".").at(-1))).toEqual(["html", "json", "md"]);
  });

  it("has the same subjects and types as the benchmark", () => {
    expect(MEASURES).toEqual(SUBJECTS);
    expectTypeOf<typeof runBench>().toExtend<BenchModule["runBench"]>();
  });
});
