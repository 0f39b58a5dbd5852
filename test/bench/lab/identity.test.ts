import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { compareCheckouts, type SetResult } from "../../../bench/lab/identity.js";
import { listFiles, prepareInputs } from "../../../bench/lab/identity/inputs.js";
import { OPTION_SETS, type OptionSet } from "../../../bench/lab/identity/option-sets.js";
import { digestOutputs, findDifferences } from "../../../bench/lab/identity/output.js";
import { LABELLER_NAMES } from "../../../src/label/names.js";

const folders: string[] = [];

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "thresher-identity-test-"));
  folders.push(folder);
  return folder;
}

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function write(folder: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

function pack(rows: readonly object[]): Uint8Array {
  return gzipSync(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
}

const pagesOf = (set: string, count: number): Uint8Array =>
  pack(
    Array.from({ length: count }, (_, index) => ({
      id: `${set}/${index}`,
      url: "",
      html: `<p>${index}</p>`,
    })),
  );

const GOLD = write(makeFolder(), {
  "pages/a/pages.jsonl.gz": pagesOf("a", 30),
  "pages/unlabelled/b.jsonl.gz": pagesOf("b", 10),
  "lines/turku-tq/de.dev.jsonl.gz": pack([
    {
      id: "t/0",
      lines: [
        { text: "One", label: 1 },
        { text: "Two", label: 0 },
      ],
    },
  ]),
  "speed/pages.jsonl.gz": pack([{ id: "s/0", html: "<p>whole</p>" }]),
});

/** Makes a checkout whose program writes one line per document; `spoil` is code that changes what it does. */
function fakeCheckout(fingerprint: string, spoil = ""): string {
  const program = `
import { readFileSync, writeFileSync } from "node:fs";
const words = process.argv.slice(2);
const after = (name) => words[words.indexOf(name) + 1];
const jobs = words.includes("-j") ? after("-j") : "1";
const inputs = words.filter((word) => /^(\\.\\.\\/){2}[^/]+\\.jsonl$/.test(word));
const fingerprint = ${JSON.stringify(fingerprint)};
let records = inputs.flatMap((path) => readFileSync(path, "utf8").trim().split("\\n").map((line) => JSON.parse(line)));
records = records.map(({ id, html }) => ({ id, text: html ?? "a text", fingerprint }));
let [exit, run] = [0, { seconds: Math.random() }];
const rejects = [{ id: "gone", reason: "empty" }];
${spoil}
writeFileSync(after("-o"), records.map((record) => JSON.stringify(record) + "\\n").join(""));
writeFileSync(after("--rejects"), rejects.map((record) => JSON.stringify(record) + "\\n").join(""));
writeFileSync(after("--stats"), JSON.stringify({ fingerprint, documents: records.length, rejects: 1, run }));
process.exit(exit);
`;
  return write(makeFolder(), { "bin/thresher.js": program, "package.json": '{"type":"module"}' });
}

const SETS: readonly OptionSet[] = ["rules", "justext"].map((labeller) => ({
  ...{ name: labeller, inputs: ["all"], hasFixtures: true, jobs: [1, 2] },
  options: ["--labeller", labeller, "-o", "out.jsonl"],
}));

async function compare(
  one: string,
  other: string,
  optionSets = SETS,
): Promise<{ results: SetResult[]; told: string }> {
  const told: string[] = [];
  const results = await compareCheckouts({
    ...{ checkouts: [one, other], optionSets, fixtures: "fixtures", gold: GOLD, pages: 20 },
    report: (line) => told.push(line),
  });
  const kept = /are in (.*)\.$/m.exec(told.join("\n"))?.[1];
  if (kept !== undefined) folders.push(dirname(kept));
  return { results, told: told.join("\n") };
}

const verdicts = (results: readonly SetResult[]): (boolean | undefined)[] =>
  results.map(({ isEqual }) => isEqual);

// Each comparison starts up to nine processes.
describe("two checkouts", { timeout: 120_000 }, () => {
  it("are equal if only the fingerprint and times differ", async () => {
    const { results } = await compare(fakeCheckout("0123456789abcdef"), fakeCheckout("fedcba9876543210"));
    expect(verdicts(results)).toEqual([true, true]);
    // 20 pages and one text of the gold sets, and the known failures.
    const known = listFiles("fixtures/known-failures").length;
    expect(results[0]).toMatchObject({ documents: 21 + known, rejects: 1, jobs: [1, 2] });
    expect(Object.keys(results[0]?.files ?? {})).toEqual([
      "out.jsonl",
      "rejects.jsonl",
      "stats.json",
      "stderr",
      "stdout",
    ]);
  });

  it("differ if one byte of one document differs, and the report shows it", async () => {
    const spoil = `if (after("--labeller") === "justext") records[3].text = records[3].text.replace("6", "7");`;
    const { results, told } = await compare(
      fakeCheckout("0123456789abcdef"),
      fakeCheckout("fedcba9876543210", spoil),
    );
    expect(verdicts(results)).toEqual([true, false]);
    expect(told).toContain('this checkout -j 1: out.jsonl: line 4, document "a/6"');
    expect(told).toMatch(/first: .*<p>6<\/p>.*\n.*second: .*<p>7<\/p>/);
    expect(told).toContain("| justext | 1, 2 |");
    const kept = /are in (.*)\.$/m.exec(told)?.[1] ?? "";
    expect(existsSync(kept)).toBe(true);
  });

  it.each([
    ["the number of workers matters", `if (jobs === "2") records.reverse();`, "-j 2: out.jsonl"],
    ["the exit code differs", "exit = 1;", "exit code: 0 / 1"],
    ["a reject differs", `rejects[0].reason = "binary";`, "rejects.jsonl: line 1"],
    ["one of them writes to stderr", `process.stderr.write("oh");`, "stderr: line 1"],
    ["a file is missing", `writeFileSync("more.txt", "");`, "more.txt: only the second run wrote it"],
    ["one of them crashes", `throw new Error("broken");`, "exit code: 0 / 1"],
  ])("differ if %s", async (_, spoil, expected) => {
    const { results, told } = await compare(
      fakeCheckout("a".repeat(16)),
      fakeCheckout("b".repeat(16), spoil),
    );
    expect(verdicts(results)).toEqual([false, false]);
    expect(told).toContain(expected);
  });

  it("are not called equal if neither yields a document", async () => {
    const broken = fakeCheckout("a".repeat(16), "process.exit(2);");
    const { results, told } = await compare(broken, broken, SETS.slice(0, 1));
    expect(verdicts(results)).toEqual([false]);
    expect(told).toContain("no document came out (exit code 2)");
  });

  it("report the option sets that did not run because a package is missing", async () => {
    const checkout = fakeCheckout("a".repeat(16));
    const { results, told } = await compare(checkout, checkout, [{ ...SETS[0]!, needs: "no-such-package" }]);
    expect(verdicts(results)).toEqual([undefined]);
    expect(told).toContain("not run: a package is missing");
  });
});

describe("the outputs", () => {
  const wet = (fingerprint: string, id: string, text: string): string =>
    `WARC-Record-ID: <urn:uuid:${id}>\r\nWARC-Refers-To: <urn:uuid:${"1".repeat(36)}>\r\nfingerprint: ${fingerprint}\r\n${text}`;
  const stats = (fingerprint: string): string => JSON.stringify({ fingerprint, documents: 1 });
  const runOf = (fingerprint: string, id: string, text: string): ReturnType<typeof digestOutputs> =>
    digestOutputs(
      write(makeFolder(), {
        "stats.json": stats(fingerprint),
        "out.wet.gz": gzipSync(wet(fingerprint, id, text), { level: id.startsWith("3") ? 1 : 9 }),
      }),
      0,
    );

  it("omit only the parts of archives that depend on the fingerprint", () => {
    const one = runOf("0123456789abcdef", "2".repeat(36), "text");
    expect(findDifferences(one, runOf("fedcba9876543210", "3".repeat(36), "text"))).toEqual([]);
    expect(findDifferences(one, runOf("fedcba9876543210", "3".repeat(36), "tect"))).toEqual([
      "out.wet.gz: line 4\n    first:  text\n    second: tect",
    ]);
  });
});

describe("the inputs", () => {
  it("are sampled evenly from all sets, in the requested number", async () => {
    const folder = makeFolder();
    const fixtures = await prepareInputs(folder, { fixtures: "fixtures", gold: GOLD, pages: 8 });
    const rows = readFileSync(join(folder, "pages.jsonl"), "utf8").trim().split("\n");
    const ids = rows.map((row) => (JSON.parse(row) as { id: string }).id);
    expect(ids).toEqual(["a/0", "a/5", "a/10", "a/15", "a/20", "a/25", "b/0", "b/5"]);
    expect(fixtures.filter((name) => name.endsWith("/source.html")).length).toBeGreaterThan(30);
    for (const name of ["poison/bomb.html.gz", "warc/cut.warc.gz", "text/essay-es/source.txt"])
      expect(fixtures).toContain(`fixtures/${name}`);
    expect(fixtures.filter((name) => name.endsWith(".md"))).toEqual([]);
  });

  it("are rejected if there are too few pages", async () => {
    const asked = prepareInputs(makeFolder(), { fixtures: "fixtures", gold: GOLD, pages: 41 });
    await expect(asked).rejects.toThrow("40 pages, and 41 were asked for");
  });
});

describe("the sets of options", () => {
  it("have unique names, and run every labeller on all pages with one and with two workers", () => {
    expect(new Set(OPTION_SETS.map(({ name }) => name)).size).toBe(OPTION_SETS.length);
    for (const labeller of LABELLER_NAMES) {
      const sets = OPTION_SETS.filter(
        ({ inputs, options, jobs }) =>
          (inputs.includes("all") || inputs.includes("mostlyPages")) &&
          options[options.indexOf("--labeller") + 1] === labeller &&
          jobs.length === 2,
      );
      expect(sets, labeller).toHaveLength(1);
    }
  });
});
