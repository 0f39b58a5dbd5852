import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { runBench } from "../../bench/run/run-bench.js";
import type { BenchModule } from "../../src/cli/bench.js";
import { thresher } from "./run.js";

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
    [["--systems", "missing.jsonl"], "there is no file missing.jsonl; there are all, raw"],
    [["--corpus", "missing.jsonl"], "there is no file missing.jsonl"],
    [["nowhere"], "--corpus FILE takes gold of your own"],
    [["--sample", "0"], "whole number from 1"],
  ])("refuses %j as wrong usage", async (args, message) => {
    const { code, stdout, stderr } = await thresher(["bench", ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
  });

  it("calls the benchmark as it is", () => {
    expectTypeOf<typeof runBench>().toExtend<BenchModule["runBench"]>();
  });
});
