import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeEach, expect, it } from "vitest";

// bin/setup.js is plain JavaScript and has no types.
const { toSpawned } = (await import(pathToFileURL("bin/setup.js").href)) as {
  readonly toSpawned: (command: string, args: string[], platform: string) => object;
};

/** A clone with the real set-up and a fake compiler that logs each run. */
let clone = "";

const COMPILER = `
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
appendFileSync("log", "begin\\n");
await new Promise((resolve) => setTimeout(resolve, 300));
mkdirSync("dist/cli", { recursive: true });
writeFileSync("dist/page.js", "");
// What writes the manual page is compiled as well, and run when all is.
writeFileSync("dist/cli/write-manual.js", "");
appendFileSync("log", "end\\n");
`;

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), "thresher-setup-"));
  cpSync("bin", join(clone, "bin"), { recursive: true });
  for (const folder of ["src", "bench", "node_modules/typescript/bin"])
    mkdirSync(join(clone, folder), { recursive: true });
  for (const name of [
    "tsconfig.json",
    "tsconfig.bench.json",
    "tsconfig.build.json",
    "package-lock.json",
    "src/page.ts",
  ])
    writeFileSync(join(clone, name), "");
  writeFileSync(join(clone, "package.json"), '{"type":"module"}');
  writeFileSync(join(clone, "node_modules/.package-lock.json"), "");
  writeFileSync(join(clone, "node_modules/typescript/package.json"), '{"type":"module"}');
  writeFileSync(join(clone, "node_modules/typescript/bin/tsc"), COMPILER);
  const future = new Date(Date.now() + 60_000);
  utimesSync(join(clone, "node_modules/.package-lock.json"), future, future);
});

function setUp(...words: string[]): Promise<{ code: number | null; stderr: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, words.length === 0 ? ["bin/setup.js"] : words, { cwd: clone });
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    child.on("close", (code) => {
      resolve({ code, stderr });
    });
  });
}

/** The log of one build, which compiles the program, the inspector's page and the benchmark in turn. */
const ONE_BUILD = "begin\nend\n".repeat(3);

const log = (): string => readFileSync(join(clone, "log"), "utf8");

it("builds once when several first runs start at the same time", async () => {
  const runs = await Promise.all([setUp(), setUp(), setUp()]);
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(log()).toBe(ONE_BUILD);
  expect(runs.filter(({ stderr }) => stderr.includes("waiting for another process"))).toHaveLength(2);
  expect(existsSync(join(clone, ".setup.lock"))).toBe(false);
  expect(await setUp()).toEqual({ code: 0, stderr: "" });
});

it("takes over the lock of a killed process, and leaves no lock when the build fails", async () => {
  const gone = spawn(process.execPath, ["-e", ""]);
  await new Promise((resolve) => gone.on("close", resolve));
  writeFileSync(join(clone, ".setup.lock"), String(gone.pid));
  writeFileSync(join(clone, "node_modules/typescript/bin/tsc"), "process.exit(3)");
  expect((await setUp()).code).toBe(1);
  expect(existsSync(join(clone, ".setup.lock"))).toBe(false);
  writeFileSync(join(clone, "node_modules/typescript/bin/tsc"), COMPILER);
  expect((await setUp()).code).toBe(0);
  expect(log()).toBe(ONE_BUILD);
});

it("builds as well when it is started through a link", async () => {
  symlinkSync(clone, `${clone}-link`);
  expect((await setUp(join(`${clone}-link`, "bin", "setup.js"))).code).toBe(0);
  expect(log()).toBe(ONE_BUILD);
});

it("quotes each word for the Windows shell when it runs npm and tools, but not when it runs Node.js itself", () => {
  const program = "C:\\Program Files\\nodejs\\node.exe";
  expect(toSpawned(program, ["C:\\a clone\\bin\\x.js"], "win32")).toEqual({
    file: program,
    args: ["C:\\a clone\\bin\\x.js"],
    shell: false,
  });
  const tool = "C:\\a clone\\node_modules\\.bin\\vitest.cmd";
  expect(toSpawned(tool, ["run", "--project", "quick"], "win32")).toEqual({
    file: `"${tool}" "run" "--project" "quick"`,
    args: [],
    shell: true,
  });
  expect(toSpawned("npm", ["ci"], "linux")).toEqual({ file: "npm", args: ["ci"], shell: false });
});
