import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { OutputError } from "../../../src/outcome.js";
import { readState, writeState } from "../../../src/cli/run/resume.js";

const folder = (): string => mkdtempSync(join(tmpdir(), "thresher-state-"));

describe("the state of a run", () => {
  it("is read by another run as it was written", async () => {
    const dir = folder();
    const path = join(dir, "state");
    expect(await readState(path)).toBeUndefined();
    const value = { text: "zwei\nZeilen", list: [1, 0.5, null], deep: { ö: true } };
    await writeState(path, { old: 1 }, "out");
    await writeState(path, value, "out");
    expect(await readState(path)).toEqual(value);
    expect(readdirSync(dir)).toEqual(["state"]);
  });

  it("is ignored if it is incomplete or damaged", async () => {
    const path = join(folder(), "state");
    await writeState(path, { bytes: 12, more: "x".repeat(100) }, "out");
    const text = readFileSync(path, "utf8");
    for (const damaged of ["", "\n", text.slice(0, -10), text.replace("12", "13"), text.slice(1), "{}"]) {
      writeFileSync(path, damaged);
      expect(await readState(path), damaged.slice(0, 20)).toBeUndefined();
    }
  });

  it("reports what it cannot write", async () => {
    const dir = folder();
    const path = join(dir, "state");
    mkdirSync(path);
    await expect(writeState(path, 1, "out.jsonl")).rejects.toThrow("beside out.jsonl");
    expect(readdirSync(dir)).toEqual(["state"]);
    await expect(writeState(join(path, "none", "state"), 1, "out")).rejects.toBeInstanceOf(OutputError);
  });
});
