/** Without the optional package: the compiled program beside every installed package but that one. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { SEQUENCE } from "./folders.js";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const OPTIONAL = "@huggingface";
let place = "";

/** A folder with the program and links to what is installed, as `npm install --omit=optional` leaves it. */
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), "without-"));
  cpSync(join(ROOT, "dist"), join(place, "dist"), { recursive: true });
  cpSync(join(ROOT, "package.json"), join(place, "package.json"));
  mkdirSync(join(place, "bin"));
  for (const name of ["check-node.js", "thresher.js"])
    cpSync(join(ROOT, "bin", name), join(place, "bin", name));
  symlinkSync(join(ROOT, "models"), join(place, "models"));
  mkdirSync(join(place, "node_modules"));
  for (const name of readdirSync(join(ROOT, "node_modules")))
    if (!name.startsWith(".") && name !== OPTIONAL)
      symlinkSync(join(ROOT, "node_modules", name), join(place, "node_modules", name));
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
  it("does everything else", () => {
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
  it("labels", () => {
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
