import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createProgram } from "../../../src/cli/main.js";

const PATH = "dist/thresher.1";
const manual = readFileSync(PATH, "utf8");
/** The text as a reader sees it. */
const shown = manual.replaceAll("\\-", "-").replaceAll(/\\f[BR]/g, "");
const has = (program: string): boolean => spawnSync(program, ["--version"]).error === undefined;

describe("the manual page", () => {
  it("is at the path that the package states", () => {
    const { man, version } = JSON.parse(readFileSync("package.json", "utf8")) as Readonly<
      Record<string, string>
    >;
    expect(man).toBe(`./${PATH}`);
    expect(manual).toContain(`"thresher ${version}"`);
  });

  it("has every command and option of the help, and no figure of this machine", () => {
    const { stdin, stdout, stderr } = process;
    const signal = new AbortController().signal;
    const program = createProgram(
      { stdin, stdout, stderr, signal },
      { finish: () => undefined, stop: () => undefined },
    );
    expect(program.commands.length).toBeGreaterThan(5);
    const steps = program.commands.flatMap(({ commands }) => commands);
    expect(steps.map((step) => step.name())).toContain("retry-rejects");
    for (const command of [...program.commands, ...steps]) {
      const name = `${steps.includes(command) ? "shard " : ""}${command.name()}`;
      if (name !== "clean") expect(shown).toContain(`.SS thresher ${name}\n`);
      const options = [...command.helpInformation().matchAll(/^ {2}(-\S+(?: -\S+)?)/gm)].map(
        ([, flags]) => flags,
      );
      expect(options).toContain("-h, --help");
      for (const flags of options) expect(shown).toContain(`\n${flags ?? ""}`);
    }
    expect(shown).toContain('.BR -V ", " --version');
    expect(shown).toContain("workers (default: one per core)");
  });

  it.skipIf(!has("groff"))("passes groff without warnings", () => {
    const { stdout, stderr } = spawnSync("groff", ["-man", "-ww", "-Tutf8", PATH], { encoding: "utf8" });
    expect(stderr).toBe("");
    expect(stdout).toContain("INPUT…");
  });

  it.skipIf(!has("mandoc"))(
    "passes mandoc, except for the date, which a reproducible build cannot have",
    () => {
      const { stdout, stderr } = spawnSync("mandoc", ["-Tlint", PATH], { encoding: "utf8" });
      const found = `${stdout}${stderr}`.split("\n").filter((line) => line !== "");
      expect(found.filter((line) => !line.includes("missing date"))).toEqual([]);
      expect(execFileSync("mandoc", ["-Tutf8", PATH], { encoding: "utf8" })).toContain("INPUT…");
    },
  );
});
