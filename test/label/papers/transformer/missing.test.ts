/** Tests the compiled program with every installed package except the optional one. */
import { spawnSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { installWithout } from "../../../program-without.js";
import { SEQUENCE } from "./folders.js";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const OPTIONAL = "@huggingface";
let place = "";

/** Makes an install as `npm install --omit=optional` does. */
beforeAll(() => {
  place = installWithout([OPTIONAL]);
  writeFileSync(join(place, "page.txt"), "The sea rose slowly over the old harbour wall.\n");
}, 60_000);

function run(args: readonly string[]): {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
} {
  return spawnSync(process.execPath, [join(place, "bin", "thresher.js"), "page.txt", ...args], {
    cwd: place,
    encoding: "utf8",
  });
}

describe("an install without the optional package", () => {
  it("works with another labeller", () => {
    const { status, stdout, stderr } = run(["--labeller", "none"]);
    expect(stderr).not.toContain("huggingface");
    expect(stdout).toContain("harbour wall");
    expect(status).toBe(0);
  });

  it("says what the transformer needs, and how to get it", () => {
    const { status, stdout, stderr } = run(["--labeller", "transformer", "--model", SEQUENCE]);
    expect(stderr).toMatch(
      /the labeller transformer needs an optional package that is not installed; run: npm install @huggingface\/transformers@\d/,
    );
    expect(stdout).toBe("");
    expect(status).toBe(2);
  });
});

describe("an install with it", () => {
  it("labels with the transformer", () => {
    symlinkSync(join(ROOT, "node_modules", OPTIONAL), join(place, "node_modules", OPTIONAL));
    const { status, stdout, stderr } = run([
      "--labeller",
      "transformer",
      "--model",
      SEQUENCE,
      "--keep-boilerplate",
      "--to",
      "jsonl",
    ]);
    expect(stderr).not.toContain("Error");
    expect(stdout).toContain('"score"');
    expect(status).toBe(0);
  });
});
