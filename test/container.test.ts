/** Checks the Dockerfile with a linter, and checks what its steps put into the image. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readContext, readSteps, runSteps } from "../bench/lab/container.js";

const steps = readSteps(readFileSync("Dockerfile", "utf8"));
const context = readContext(readFileSync(".dockerignore", "utf8"));
/** CI installs hadolint; other machines may not have it. */
const hasLinter = spawnSync("hadolint", ["--version"]).status === 0;

describe("the Dockerfile", () => {
  it.skipIf(!hasLinter && process.env["CI"] === undefined)("passes hadolint", () => {
    const { status, stdout } = spawnSync("hadolint", ["Dockerfile"], { encoding: "utf8" });
    expect([status, stdout]).toEqual([0, ""]);
  });

  it("copies only files that exist, and everything that the package needs", () => {
    for (const name of context) expect(existsSync(name), name).toBe(true);
    const manifest = JSON.parse(readFileSync("package.json", "utf8")) as {
      readonly files: readonly string[];
    };
    const tops = manifest.files
      .filter((file) => !file.startsWith("!"))
      .map((file) => file.split("/")[0] ?? "");
    for (const top of tops.filter((one) => one !== "dist")) expect(context).toContain(top);
    // The build of the package reads these settings.
    const settings = readFileSync("bin/setup.js", "utf8").matchAll(/"(tsconfig[\w.-]*\.json)"/g);
    expect(context).toEqual(expect.arrayContaining([...settings].map(([, file]) => file)));
    for (const secret of [".git", "node_modules", "dist", ".venv"]) expect(context).not.toContain(secret);
  });

  it("ends with an image that does not run as root, has no build tools and has a health check", () => {
    const last = steps.slice(steps.findLastIndex(({ word }) => word === "FROM"));
    expect(last.filter(({ word }) => word === "RUN")).toEqual([]);
    expect(last.filter(({ word }) => word === "COPY").map(({ rest }) => rest)).toEqual([
      "--from=build /usr/local/bin/node /usr/local/bin/node",
      "--from=build /app /app",
    ]);
    expect(last.map(({ word }) => word)).toEqual(expect.arrayContaining(["USER", "HEALTHCHECK"]));
    expect(last.find(({ word }) => word === "USER")?.rest).toMatch(/^[1-9]\d+:[1-9]\d+$/);
    expect(last.find(({ word }) => word === "FROM")?.rest).toMatch(/-slim$/);
  });

  it.skipIf(process.platform === "win32")(
    "is run by the test helper as Docker would run it, and an unsupported step throws",
    () => {
      const folder = mkdtempSync(join(tmpdir(), "thresher-steps-"));
      try {
        const small = readSteps(
          `# a comment\nFROM node:20 AS build\nWORKDIR /other\nRUN touch here\nWORKDIR /a\nRUN echo one > f \\\n  && echo two >> f\nFROM base\nCOPY --from=build /a /b\nWORKDIR /b\nUSER 7:7\nHEALTHCHECK --interval=1s CMD ["node", "-e", "0"]\nENTRYPOINT ["node"]\nCMD ["x"]\n`,
        );
        const { root, workdir, user, command, health } = runSteps(small, process.cwd(), folder);
        expect(readFileSync(join(root, "b/f"), "utf8")).toBe("one\ntwo\n");
        expect({ workdir, user, command, health }).toEqual({
          workdir: "/b",
          user: 7,
          command: ["node", "x"],
          health: ["node", "-e", "0"],
        });
        expect(() =>
          runSteps(readSteps("FROM a\nADD http://a.example/x /x\n"), ".", join(folder, "2")),
        ).toThrow(/ADD/);
        expect(() => runSteps(readSteps("FROM a\nRUN exit 3\n"), ".", join(folder, "3"))).toThrow();
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );
});
