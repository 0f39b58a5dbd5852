/** Checks that the output shown in the README and the documentation is what the program prints. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CRAWL_OPTIONS } from "../src/crawl/crawl-options.js";
import { OPTION_ROWS } from "../src/options/options.js";
import type { DocumentRecord } from "../src/write/document-record.js";
import { thresher } from "./cli/run.js";

const QA = "fixtures/pages/qa-en/source.html";
const page = (name: string): string => readFileSync(name, "utf8");
const folder = mkdtempSync(join(tmpdir(), "thresher-shown-"));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function run(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await thresher(args);
  expect(code, stderr).toBe(0);
  return stdout;
}

async function readRecord(...args: string[]): Promise<DocumentRecord> {
  return JSON.parse(await run(...args, "--to", "jsonl")) as DocumentRecord;
}

/** Finds rows of this form: "0.839  b  content        I glued up …". */
function listShown(
  text: string,
): readonly (readonly [score: string, grade: string, label: string, text: string])[] {
  const rows = text.matchAll(/^(\d\.\d{3})  ([a-j])  (content|boilerplate) +(\S.*?)(?: …)?$/gm);
  return [...rows].map(([, score = "", grade = "", label = "", line = ""]) => [score, grade, label, line]);
}

describe("the lines shown in the documentation", () => {
  let printed: readonly (readonly string[])[];
  beforeAll(async () => {
    printed = (await run(QA, "--keep-boilerplate")).split("\n").map((line) => line.split("\t"));
  });

  it.each([
    ["README.md", 2],
    ["docs/output.md", 17],
  ])("are the lines that the program prints: %s", (name, count) => {
    const shown = listShown(page(name));
    expect(shown).toHaveLength(count);
    for (const [score, grade, label, text] of shown)
      expect(printed.find((row) => row[4]?.startsWith(text) === true)?.slice(0, 3)).toEqual([
        score,
        grade,
        label,
      ]);
  });

  it("come with the cut that the README names", async () => {
    const { page: verdict } = await readRecord(QA);
    expect(page("README.md")).toContain(`Thresher chose the cut ${verdict?.cut} for this page`);
  });
});

it("shows a record with the values that the program writes", async () => {
  const [, json = ""] =
    /^```json\n(\{\n {2}"id": "fixtures.*?\n\})\n```$/ms.exec(page("docs/output.md")) ?? [];
  const shown = JSON.parse(json) as DocumentRecord;
  const { text, lines = [], ...rest } = await readRecord(QA, "--lines");
  const { text: shownText, lines: shownLines = [], fingerprint, ...others } = shown;
  expect({ ...others, fingerprint: rest.fingerprint }).toEqual(rest);
  expect(fingerprint).toMatch(/^[\da-f]{16}$/);
  expect(text.startsWith(shownText.replace(/ …$/, ""))).toBe(true);
  const [line] = shownLines;
  const found = lines.find((one) => one.text === line?.text);
  expect({ ...line, path: "" }).toEqual({ ...found, path: "" });
  const [front = "", back = ""] = line?.path.split("…") ?? [];
  expect([found?.path.startsWith(front), found?.path.endsWith(back)]).toEqual([true, true]);
});

it("explains every field of a record in docs/output.md", async () => {
  const source = join(folder, "base.html");
  writeFileSync(source, page(QA).replace("<head>", '<head><base href="https://example.org/q/">'));
  const args = ["--keep-boilerplate", "--spans", "--registers", "--formatted", "markdown"];
  const record = await readRecord(source, ...args);
  const names = [record, ...(record.lines ?? [])].flatMap((one) => Object.keys(one));
  expect(names).toContain("base");
  const explained = page("docs/output.md");
  expect([...new Set(names)].filter((name) => !explained.includes(`\`${name}\``))).toEqual([]);
});

it("shows what the program prints for plain text", async () => {
  const pattern = /^```\n(Home.*?)^```$.*?--keep-boilerplate` prints.*?^```\n(.*?)^```$/ms;
  const [, text = "", printed = ""] = pattern.exec(page("docs/plain-text.md")) ?? [];
  const path = join(folder, "old.txt");
  writeFileSync(path, text);
  expect(await run(path, "--keep-boilerplate")).toBe(printed);
});

it("states the word count for each choice of comments", async () => {
  const words = await Promise.all(
    ["auto", "drop", "keep", "only"].map(async (choice) => {
      const record = await readRecord(
        "fixtures/pages/blog-with-comments-fi/source.html",
        "--comments",
        choice,
      );
      return record.words;
    }),
  );
  const [, auto, keep, only] =
    /gives (\d+) words with `auto` and `drop`,\s(\d+) with `keep` and (\d+) with `only`/.exec(
      page("docs/comments.md"),
    ) ?? [];
  expect([auto, auto, keep, only].map(Number)).toEqual(words);
});

it("shows the summary that the program prints after an archive", async () => {
  const [out, rejects] = [join(folder, "w.jsonl"), join(folder, "w-rejects.jsonl")];
  const { stderr } = await thresher(["fixtures/warc/crawl.warc.gz", "-o", out, "--rejects", rejects]);
  const shown = page("docs/archives.md");
  const sum = /^thresher: \d+ documents.*$/m.exec(stderr)?.[0] ?? "nothing";
  const table = /^ {2}language .*\n {2}en .*$/m.exec(stderr)?.[0] ?? "nothing";
  expect(shown).toContain(`\n${sum}\n`);
  expect(shown).toContain(`\n${table}\n`);
});

it("explains every rule that can decide the label of a line", () => {
  const folders = ["src/label", "src/label/page", "src/label/text", "src/filter/duplicates"];
  const rules = folders
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((path) => path.endsWith(".ts") && !path.endsWith("rules-labeller.ts"))
    .flatMap((path) =>
      [...page(path).matchAll(/\b(?:WHY_[A-Z_]+ =|why:) "([a-z-]+)"/g)].map(([, rule]) => rule),
    );
  expect(rules.length).toBeGreaterThan(10);
  const rows = page("docs/output.md");
  expect(rules.filter((rule) => !new RegExp(`^\\|.*\`${rule ?? ""}\`.*\\|.*\\|$`, "m").test(rows))).toEqual(
    [],
  );
});

it("lists every option of a crawl", () => {
  const rows = page("docs/crawling.md")
    .split("\n")
    .filter((line) => line.startsWith("| `"));
  const names = Object.keys(CRAWL_OPTIONS).filter((name) => name !== "version");
  expect(names.filter((name) => !rows.some((line) => line.split("|")[1]?.includes(`\`${name}\``)))).toEqual(
    [],
  );
});

it("lists every option of the library with its flag", () => {
  const rows = page("docs/library.md")
    .split("\n")
    .filter((line) => line.startsWith("| `"));
  for (const [name, { flag }] of OPTION_ROWS) {
    const row = rows.find((line) => line.split("|")[1]?.includes(`\`${name}\``) === true);
    expect(row, name).toBeDefined();
    const long = /--[a-z-]+/.exec(flag?.name ?? "")?.[0];
    if (long !== undefined) expect(row).toContain(`\`${long}\``);
  }
});
