import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

// Checks the recipes that no test can run against the schemas of their vendors, and their exit codes against ours.

const PYTHON = "engines/.venv/bin/python";
const hasSchemas = existsSync(PYTHON);
const KUBERNETES = "engines/kubernetes/job.yaml";
const BATCH = "engines/aws-batch/job-definition.json";

function check(kind: string, path: string): string {
  const { status, stderr } = spawnSync(PYTHON, ["test/engines/check_recipes.py", kind, path], {
    encoding: "utf8",
  });
  return status === 0 ? "right" : stderr;
}

function withChange(path: string, from: string, to: string): string {
  const text = readFileSync(path, "utf8");
  expect(text).toContain(from);
  const folder = mkdtempSync(join(tmpdir(), "thresher-recipe-"));
  const changed = join(folder, "changed");
  writeFileSync(changed, text.replace(from, to));
  return changed;
}

describe("the recipes", () => {
  it.runIf(process.env["CI"])("have their schemas in CI", () => {
    expect(hasSchemas, `${PYTHON}, which .ci/run makes`).toBe(true);
  });

  it.skipIf(!hasSchemas)("are valid for Kubernetes and AWS Batch", () => {
    expect(check("Job", KUBERNETES)).toBe("right");
    expect(check("RegisterJobDefinition", BATCH)).toBe("right");
    expect(check("SubmitJob", "engines/aws-batch/submit-job.json")).toBe("right");
  });

  it.skipIf(!hasSchemas).each([
    ["Job", KUBERNETES, "backoffLimitPerIndex", "backoffLimitPerindex"],
    ["Job", KUBERNETES, "values: [65]", "values: [many]"],
    ["RegisterJobDefinition", BATCH, "evaluateOnExit", "evaluateAtExit"],
  ])("would be invalid as a %s with another word for %s %s", (kind, path, from, to) => {
    const changed = withChange(path, from, to);
    expect(check(kind, changed)).toMatch(/ValidationError|ValueError/);
    rmSync(join(changed, ".."), { recursive: true });
  });

  it("give up a shard at exit code 65, the whole job at 2, and retry at all others", () => {
    const kubernetes = readFileSync(KUBERNETES, "utf8");
    expect(kubernetes).toMatch(/FailIndex\n[^]*?values: \[65\]/);
    expect(kubernetes).toMatch(/FailJob\n[^]*?values: \[2\]/);
    const { retryStrategy } = JSON.parse(readFileSync(BATCH, "utf8")) as {
      readonly retryStrategy: { readonly evaluateOnExit: readonly Record<string, string>[] };
    };
    // The first rule that fits counts.
    expect(
      retryStrategy.evaluateOnExit.map(({ onExitCode = "host", action }) => [onExitCode, action]),
    ).toEqual([
      ["65", "EXIT"],
      ["2", "EXIT"],
      ["host", "RETRY"],
      ["*", "RETRY"],
    ]);
  });
});
