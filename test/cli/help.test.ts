import { describe, expect, it } from "vitest";
import { thresher } from "./run.js";

describe("thresher --help", () => {
  it("lists every command with a summary", async () => {
    const { code, stdout } = await thresher(["--help"]);
    expect(code).toBe(0);
    const commands = stdout.slice(stdout.indexOf("\nCommands"), stdout.indexOf("\nExamples:"));
    const names = [...commands.matchAll(/^ {2}(\w+) +\S/gm)].map(([, name]) => name ?? "");
    expect(names).toEqual([
      "clean",
      "crawl",
      "shard",
      "serve",
      "report",
      "inspect",
      "bench",
      "train",
      "features",
      "models",
      "completion",
    ]);
    for (const name of names) {
      const help = (await thresher([name, "--help"])).stdout;
      expect(help).toMatch(new RegExp(`^Usage: thresher ${name}[^\\n]*\\n\\n[A-Z][^\\n]`));
      expect(help).toMatch(/^ {2}-h, --help +print this help$/m);
    }
  });

  it("exists for each step of a job", async () => {
    for (const step of ["plan", "run", "status", "merge", "verify", "retry-rejects"])
      expect((await thresher(["shard", step, "--help"])).stdout).toMatch(
        new RegExp(`^Usage: thresher shard ${step} .*\n`),
      );
    const { code, stderr } = await thresher(["shard", "paln"]);
    expect(code).toBe(2);
    expect(stderr).toContain("plan");
  });

  it("does not list options of serve that it refuses, and says when a server ends with which exit code", async () => {
    const { stdout } = await thresher(["serve", "--help"]);
    expect(stdout).not.toContain("--dedup");
    expect(stdout).toContain("Exit codes: 0 stopped, 2 wrong usage, or the address is taken.");
  });

  it("fits into 120 columns", async () => {
    const steps = ["plan", "run", "dedup", "status", "merge", "verify", "retry-rejects"];
    const commands = ["clean", "crawl", "shard", "serve", "report", "inspect", "bench", "train", "features"];
    const all = [...commands.map((name) => [name]), ...steps.map((step) => ["shard", step])];
    const helps = await Promise.all(all.map((name) => thresher([...name, "--help"])));
    expect(helps.flatMap(({ stdout }) => stdout.split("\n").filter((line) => line.length > 120))).toEqual([]);
  });

  it.each([
    [["--nothing"], "thresher"],
    [["clean", "--nothing"], "thresher"],
    [["bench", "--nothing"], "thresher bench"],
    [["report", "x.jsonl"], "thresher report"],
    [["shard", "plan", "--nothing"], "thresher shard plan"],
  ])("is suggested for a wrong option: %j", async (args, command) => {
    const { code, stderr } = await thresher(args);
    expect(code).toBe(2);
    expect(stderr.split("\n").at(-2)).toBe(`(${command} --help lists the options)`);
  });

  it.each([
    [["page.html", "--depth", "3"], "'--depth': it is an option of thresher crawl"],
    [["shard", "run", "job", "--signatures"], "'--signatures': it is an option of thresher shard plan"],
    [["inspect", "x", "--dedup", "near"], "'--dedup': it is an option of thresher clean, thresher crawl"],
    [["train", "x.jsonl", "--corpus=x"], "'--corpus': it is an option of thresher bench"],
  ])("says which command has an option that is missing here: %j", async (args, says) => {
    const { code, stderr } = await thresher(args);
    expect([code, stderr.split("\n")[0]]).toEqual([2, `error: unknown option ${says}`]);
  });

  it("says that a command does not exist", async () => {
    const { code, stderr } = await thresher(["help", "inspct"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^thresher: there is no command "inspct".*did you mean "inspect"\?\n$/);
    expect((await thresher(["help", "inspect"])).stdout).toMatch(/^Usage: thresher inspect /);
  });

  it.each([
    ["shard", "help", "pln"],
    ["help", "shard", "pln"],
  ])("says that a step does not exist: %s %s %s", async (...args) => {
    const { code, stdout, stderr } = await thresher(args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^thresher: there is no command "pln".*did you mean "plan"\?\n$/);
  });

  it("shows a step", async () => {
    const step = /^Usage: thresher shard plan /;
    expect((await thresher(["help", "shard", "plan"])).stdout).toMatch(step);
    expect((await thresher(["shard", "help", "plan"])).stdout).toMatch(step);
    expect((await thresher(["help", "shard"])).stdout).toMatch(/^Usage: thresher shard STEP/);
    expect((await thresher(["shard", "help"])).stdout).toMatch(/^Usage: thresher shard STEP/);
  });

  it.each([
    [["page.html", "-o=x.txt"], "write -o x.txt, without = behind a short option (or -o ./=x.txt"],
    [["clean", "page.html", "-j=4"], "write -j 4, without = behind a short option"],
    [["shard", "merge", "job", "-o="], "write -o VALUE, without = behind a short option"],
  ])("is not needed to write a short option: %j", async (args, says) => {
    const { code, stdout, stderr } = await thresher(args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(`thresher: ${says}`);
  });

  it("lists -V, which prints the version", async () => {
    const { stdout } = await thresher(["--help"]);
    const column = (option: string, text: string): number | undefined =>
      stdout
        .split("\n")
        .find((line) => line.startsWith(`  ${option}`))
        ?.indexOf(text);
    expect(column("-V, --version", "print the version")).toBeGreaterThan(0);
    expect(column("-V, --version", "print the version")).toBe(column("-h, --help", "print this help"));
    expect((await thresher(["-V"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
