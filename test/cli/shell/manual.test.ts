import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createProgram } from "../../../src/cli/main.js";

const PATH = "dist/thresher.1";
const manual = readFileSync(PATH, "utf8");
/** As a reader sees it. */
const shown = manual.replaceAll("\\-", "-").replaceAll(/\\f[BR]/g, "");
const has = (program: string): boolean => spawnSync(program, ["--version"]).error === undefined;

describe("the manual page", () => {
  it("is where the package says", () => {
    const { man, version } = JSON.parse(readFileSync("package.json", "utf8")) as Readonly<
      Record<string, string>
    >;
    expect(man).toBe(`./${PATH}`);
    expect(manual).toContain(`"thresher ${version}"`);
  });

  it("has every command and option that the help has, and no figure of this machine", () => {
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
    expect(shown).toContain("workers (by itself one a core)");
  });

  it.skipIf(!has("groff"))("is right for groff", () => {
    const { stdout, stderr } = spawnSync("groff", ["-man", "-ww", "-Tutf8", PATH], { encoding: "utf8" });
    expect(stderr).toBe("");
    expect(stdout).toContain("INPUT…");
  });

  it.skipIf(!has("mandoc"))(
    "is right for mandoc but for its date, which a build that repeats cannot have",
    () => {
      const { stdout, stderr } = spawnSync("mandoc", ["-Tlint", PATH], { encoding: "utf8" });
      const found = `${stdout}${stderr}`.split("\n").filter((line) => line !== "");
      expect(found.filter((line) => !line.includes("missing date"))).toEqual([]);
      expect(execFileSync("mandoc", ["-Tutf8", PATH], { encoding: "utf8" })).toContain("INPUT…");
    },
  );
});
