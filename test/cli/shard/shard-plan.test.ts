import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readPaths } from "../../../src/cli/shard/paths-list.js";
import { parseLines, thresher } from "../run.js";
import { list, OPTIONS, plan } from "./job.js";

const work = mkdtempSync(join(tmpdir(), "thresher-plan-"));
const pages = join(work, "pages");
beforeAll(() => {
  mkdirSync(pages);
  for (let at = 0; at < 10; at += 1)
    writeFileSync(join(pages, `${at}.html`), `<p>${"word ".repeat(100 * (at + 1))}`);
});
afterAll(() => {
  rmSync(work, { recursive: true });
});

const planAgain = (job: string, inputs: readonly string[], ...options: string[]) =>
  thresher(["shard", "plan", ...inputs, "-o", job, ...OPTIONS, ...options]);

describe("thresher shard plan", { timeout: 120_000 }, () => {
  it("ends with 74 if the folder of the job cannot be written", async () => {
    const job = join(pages, "0.html", "job");
    expect(await planAgain(job, [pages])).toMatchObject({
      code: 74,
      stderr: expect.stringContaining(`cannot write ${job}`) as string,
    });
  });

  it("packs small files together, in order, into shards of similar size", async () => {
    const job = join(work, "packed");
    const shards = await plan(job, [pages], "--shard-size", "8k");
    const rows = parseLines(readFileSync(join(job, "manifest.jsonl"), "utf8")) as unknown as {
      shard: string;
      inputs: { uri: string; bytes: number }[];
    }[];
    expect(rows).toHaveLength(shards);
    expect(shards).toBeGreaterThan(2);
    const files = rows.flatMap(({ inputs }) => inputs.map(({ uri }) => uri));
    expect(files).toEqual(Array.from({ length: 10 }, (_, at) => `${pages}/${at}.html`));
    for (const [at, { shard, inputs }] of rows.entries()) {
      expect(shard).toMatch(new RegExp(`^0000${at}-[0-9a-f]{8}$`));
      expect(inputs.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(8_000);
    }
  });

  it("does nothing the second time, and rejects another job in the same place", async () => {
    const job = join(work, "again");
    await plan(job, [pages], "--shard-size", "8k");
    const before = readFileSync(join(job, "job.json"), "utf8");
    await plan(job, [pages], "--shard-size", "8k");
    const others = [
      ["--shard-size", "9k"],
      ["--shard-size", "8k", "--focus", "precision"],
      ["--shard-size", "8k", "--lines"],
    ];
    for (const options of others) {
      const { code, stderr } = await planAgain(job, [pages], ...options);
      expect(code).toBe(2);
      expect(stderr).toContain("a job cannot change");
    }
    const sized = await planAgain(job, [pages], "--shard-size", "1M");
    expect(sized.stderr).toMatch(/ holds a job with \d+ shards, not 1 \(--shard-size\); a job cannot change/);
    expect(readFileSync(join(job, "job.json"), "utf8")).toBe(before);
    expect(list(job, "_tmp")).toEqual([]);
  });

  it("rejects a file as the place of a job", async () => {
    const file = join(pages, "0.html");
    for (const places of [
      ["-o", file],
      ["-o", join(work, "none"), "--output", file],
    ])
      expect(await thresher(["shard", "plan", pages, ...places])).toMatchObject({
        code: 2,
        stderr: `thresher: ${file} is a file, but a job is written into folders; give another place\n`,
      });
  });

  it("says which options have no effect", async () => {
    const archive = join(work, "a.warc");
    writeFileSync(archive, "WARC/1.0\r\n\r\n");
    const dry = (...options: string[]) => thresher(["shard", "plan", "-o", "none", "--dry-run", ...options]);
    const { code, stderr } = await dry(archive, "--column", "body", "--links");
    expect(code).toBe(0);
    expect(stderr).toBe(
      "thresher: --links has no effect here: it only affects --formatted markdown, html, xml\n" +
        "thresher: --column has no effect here: it only affects JSON Lines, JSON and Parquet inputs\n",
    );
    expect((await dry(archive, pages, "--column", "body", "--links", "--formatted", "html")).stderr).toBe("");
    expect((await dry(archive, "--paths-under", "/x")).stderr).toContain("--paths-under needs --paths");
  });

  it("warns about a job within its input, and counts hidden files apart from files with other names", async () => {
    const folder = join(work, "mine");
    mkdirSync(folder);
    for (const name of ["a.html", ".b.html", "c.css", "d.js"]) writeFileSync(join(folder, name), "<p>word");
    const job = join(folder, "job");
    const { code, stderr } = await planAgain(job, [folder]);
    expect(code).toBe(0);
    expect(stderr).toContain(`${folder}: files with other names, not read: 2\n`);
    expect(stderr).toContain(`${folder}: hidden files, not read: 1\n`);
    expect(stderr).toContain(
      `${job} is in the input directory ${folder}: the next run would read it as pages\n`,
    );
  });

  it("reads lists of paths, and writes nothing with --dry-run", async () => {
    const listed = join(work, "paths.gz");
    writeFileSync(listed, gzipSync("3.html\n\n1.html\n"));
    const job = join(work, "listed");
    const options = ["--paths", listed, "--paths-under", `${pages}/`];
    expect((await planAgain(job, [], ...options, "--dry-run")).stdout).toBe("1\n");
    expect(list(job, ".")).toEqual([]);
    await plan(job, [], ...options);
    const text = readFileSync(join(job, "manifest.jsonl"), "utf8");
    expect(text.indexOf("/3.html")).toBeLessThan(text.indexOf("/1.html"));
    const typed = await thresher(
      ["shard", "plan", "--paths", "-", "-o", join(work, "typed"), "--dry-run", "--shard-size", "1k"],
      { stdin: [`${pages}/3.html\n${pages}/9.html\n`] },
    );
    expect(typed).toMatchObject({ code: 0, stdout: "2\n" });
  });

  it("ends at Ctrl-C while it waits for a list", { timeout: 5000 }, async () => {
    const interrupt = new AbortController();
    const stdin = new PassThrough();
    stdin.write("1.html\n");
    const paths = readPaths("-", "", { stdin, signal: interrupt.signal }).next();
    setTimeout(() => {
      interrupt.abort(new Error("stopped"));
    }, 20);
    await expect(paths).rejects.toThrow("stopped");
  });

  it.each([
    ["no input", [], [], "no input"],
    ["a missing file", [`${work}/none.html`], [], "none.html"],
    ["a file that is named twice", [`${work}/pages/1.html`, pages], [], "given twice"],
    ["a file that is named in two ways", [`${work}/pages/../pages/1.html`, pages], [], "given twice"],
    ["stdin", ["-"], [], "--paths -"],
    ["an address", ["https://example.org/"], [], "https://example.org/"],
    ["filters across documents", [pages], ["--dedup", "near"], "--dedup"],
    ["a missing list", [], ["--paths", `${work}/none.txt`], "none.txt"],
  ])("rejects %s", async (_, inputs, options, says) => {
    const { code, stderr, stdout } = await planAgain(join(work, "refused"), inputs, ...options);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(says);
    expect(list(work, "refused")).toEqual([]);
  });
});
