import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRandom } from "../../../src/random.js";
import { parseLines, thresher, type Result } from "../../cli/run.js";

const OPTIONS = ["--labeller", "none", "--extractor", "body"];
const FURNITURE = ["Sign up for the newsletter of our shop.", "Read more below."];

let folder = "";
let input = "";
const at = (name: string): string => join(folder, name);

/** Writes pages, including copies that are equal or differ in a word, and records that are not pages. */
function writePages(path: string): void {
  const random = createRandom(4);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const sentence = (): string =>
    Array.from({ length: 15 }, () => `w${Math.floor(random() * 3000)}`).join(" ");
  const pages: string[][] = [];
  const records = Array.from({ length: 90 }, (_, number) => {
    const chance = random();
    const earlier = pages.length > 0 && chance < 0.4 ? [...pick(pages)] : undefined;
    if (earlier !== undefined && chance < 0.25) earlier[0] = `${earlier[0]!} changed`;
    const lines = earlier ?? Array.from({ length: 8 }, sentence);
    pages.push(lines);
    if (number % 20 === 7) return `{"id":"page ${number}","html":""}`;
    const body = lines.map((line) => `<p>${line}</p>`);
    if (number % 3 === 0) body.splice(3, 0, `<ul><li>${pick(FURNITURE)}</li></ul>`);
    if (number % 4 === 0) body.push(`<pre>${FURNITURE[1]!}\n\n  x</pre>`, `<p>${FURNITURE[1]!}</p>`);
    return JSON.stringify({ id: `page ${number}`, html: body.join("") });
  });
  // This page has only lines that others have.
  records.push(JSON.stringify({ id: "hollow", html: `<p>${FURNITURE[1]!}</p>` }));
  writeFileSync(path, `${records.join("\n")}\n`);
}

const dedup = (...options: string[]): Promise<Result> =>
  thresher(["shard", "dedup", at("job"), "--quiet", ...options]);

async function succeed(...args: string[]): Promise<Result> {
  const result = await thresher(args);
  expect(result.code, result.stderr).toBe(0);
  return result;
}

describe("duplicates over shards", { timeout: 120_000 }, () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "thresher-duplicates-"));
    input = at("in.jsonl");
    writePages(input);
    const plan = [
      "plan",
      input,
      "-o",
      at("job"),
      ...OPTIONS,
      "--shard-size",
      "24k",
      "--signatures",
      "--lines",
    ];
    const { stdout } = await succeed("shard", ...plan);
    expect(Number(stdout)).toBeGreaterThan(2);
    await succeed("shard", "run", at("job"), "--index", "1", "-j", "1", "--quiet");
    expect((await dedup("--near")).code).toBe(75);
    const last = String(Number(stdout) - 1);
    await succeed("shard", "run", at("job"), "--index", `0-${last}`, "-j", "1", "--quiet");
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it("are those that clean finds in one run, with the same texts, lines and rejects", async () => {
    const one = [input, "-o", at("one.jsonl"), "--rejects", at("one-rejects.jsonl"), ...OPTIONS, "--lines"];
    await succeed("clean", ...one, "--dedup", "near", "--dedup-lines", "4", "-j", "1", "--quiet");
    const told = await dedup("--near", "--lines", "4");
    expect(told.code, told.stderr).toBe(0);
    const merged = ["merge", at("job"), "-o", at("merged.jsonl"), "--rejects", at("merged-rejects.jsonl")];
    const { stderr } = await succeed("shard", ...merged);
    const [expected, found] = ["one", "merged"].map((name) =>
      parseLines(readFileSync(at(`${name}.jsonl`), "utf8")).map(({ id, text, words, lines }) => ({
        ...{ id, text, words, lines },
      })),
    );
    expect(found).toEqual(expected);
    const rejects = readFileSync(at("merged-rejects.jsonl"), "utf8");
    expect(rejects).toBe(readFileSync(at("one-rejects.jsonl"), "utf8"));
    expect(rejects).toMatch(/"id":"hollow".*every line occurs in many earlier documents/);
    const { duplicate, nearDuplicate, stripped } = JSON.parse(told.stdout) as Record<string, number>;
    expect(Math.min(duplicate!, nearDuplicate!, stripped!)).toBeGreaterThan(1);
    expect(stderr).toContain(`without ${duplicate! + nearDuplicate! + 1} duplicates`);
    await succeed("shard", "verify", at("job"));
    const left = readdirSync(at("job/signatures"))[0]!.replace(".jsonl", ".2.jsonl");
    writeFileSync(at(`job/signatures/${left}`), "");
    const { stdout } = await succeed("shard", "verify", at("job"));
    rmSync(at(`job/signatures/${left}`));
    expect(stdout).toContain(`no receipt names: signatures/${left}`);
  });

  it("stay on request", async () => {
    await dedup("--exact");
    await succeed("shard", "merge", at("job"), "-o", at("all.jsonl"), "--keep-duplicates");
    await succeed("shard", "merge", at("job"), "-o", at("some.jsonl"));
    const count = (name: string): number => parseLines(readFileSync(at(name), "utf8")).length;
    expect(count("all.jsonl")).toBe(86);
    expect(count("some.jsonl")).toBeLessThan(80);
  });

  it("are not searched unless a kind is named", async () => {
    expect(await dedup()).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/what should be found/) as string,
    });
    expect((await dedup("--lines", "0")).code).toBe(2);
  });

  it("are not lines if the records have a second format, which would keep them", async () => {
    await succeed(
      "shard",
      "plan",
      input,
      "-o",
      at("second"),
      "--signatures",
      ...OPTIONS,
      "--formatted",
      "markdown",
    );
    const { code, stderr } = await thresher(["shard", "dedup", at("second"), "--lines", "4"]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^thresher: .*second format.*leave out --lines/),
    ]);
  });

  it("are rejected if decisions are truncated, or belong to other signatures", async () => {
    await dedup("--exact");
    const name = JSON.parse(readFileSync(at("job/manifest.jsonl"), "utf8").split("\n")[0]!) as {
      shard: string;
    };
    const path = at(`job/duplicates/${name.shard}.jsonl.gz`);
    const whole = readFileSync(path);
    const merge = (): Promise<Result> => thresher(["shard", "merge", at("job"), "-o", at("broken.jsonl")]);
    truncateSync(path, Math.floor(whole.length / 2));
    expect(await merge()).toMatchObject({ code: 65, stderr: expect.stringMatching(/damaged/) as string });
    const lines = gunzipSync(whole).toString().trimEnd().split("\n");
    writeFileSync(path, gzipSync(`${lines.slice(0, -1).join("\n")}\n`));
    expect(await merge()).toMatchObject({
      code: 65,
      stderr: expect.stringMatching(/it is incomplete/) as string,
    });
    const other = lines.with(0, lines[0]!.replace(/"signatures":"./, '"signatures":"_'));
    writeFileSync(path, gzipSync(`${other.join("\n")}\n`));
    expect(await merge()).toMatchObject({
      code: 75,
      stderr: expect.stringMatching(/out of date/) as string,
    });
    expect((await dedup("--exact")).code).toBe(0);
    expect((await merge()).code).toBe(0);
  });
});
