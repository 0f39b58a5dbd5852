import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { parseLines, thresher } from "../run.js";

const PAGE = readFileSync("fixtures/pages/unclosed-tags/source.html");
let work = "";
let page = "";

beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), "thresher-places-"));
  page = join(work, "page.html");
  writeFileSync(page, PAGE);
});

describe("a place that is not a path", () => {
  it("is rejected, and no folder of its name is created", async () => {
    const { code, stderr } = await thresher([page, "-o", "s3://bucket/clean.jsonl"], { cwd: work });
    expect(code).toBe(2);
    expect(stderr).toContain(
      "--output needs a path, not s3://bucket/clean.jsonl; to write to s3://, plan a job",
    );
    expect(readdirSync(work)).toEqual(["page.html"]);
  });
});

describe("a place beside the output", () => {
  it.each(["--rejects", "--log", "--stats"])(
    "is rejected early for %s if its name promises more",
    async (option) => {
      const results = await Promise.all(
        ["side.jsonl.gz", "side/"].map((name) =>
          thresher([page, "-o", "out.txt", option, name], { cwd: work }),
        ),
      );
      expect(results).toMatchObject([
        { code: 2, stderr: `thresher: ${option} is not compressed; leave out the .gz of side.jsonl.gz\n` },
        { code: 2, stderr: `thresher: ${option} needs a file, not the folder side/\n` },
      ]);
      expect(readdirSync(work)).toEqual(["page.html"]);
    },
  );
});

describe("a place that is an input", () => {
  it.each(["-o", "--rejects", "--log", "--stats"])(
    "is rejected for %s, and the input stays unchanged",
    async (option) => {
      const { code, stdout, stderr } = await thresher([page, option, join(work, ".", "page.html")]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain(`would overwrite the input ${page}`);
      expect(readFileSync(page).equals(PAGE)).toBe(true);
      expect(readdirSync(work)).toEqual(["page.html"]);
    },
  );

  it.each(["-o", "--rejects", "--log", "--stats"])(
    "is rejected for %s if a folder or a pattern includes it",
    async (option) => {
      const output = option === "-o" ? [] : ["-o", join(work, "out.jsonl")];
      for (const input of [work, join(work, "*.html")]) {
        const { code, stderr } = await thresher([input, option, page, ...output]);
        expect([code, stderr]).toEqual([
          2,
          expect.stringContaining(`would overwrite the input ${page}`) as string,
        ]);
        expect(readFileSync(page)).toEqual(PAGE);
        expect(readdirSync(work)).toEqual(["page.html"]);
      }
    },
  );

  it("is rejected by reports and crawls as well", async () => {
    const records = join(work, "records.jsonl");
    writeFileSync(records, '{"id":"a","text":"A text."}\n');
    expect(await thresher(["report", records, "-o", records])).toMatchObject({ code: 2 });
    const seeds = join(work, "seeds.jsonl");
    writeFileSync(seeds, '{"url":"http://127.0.0.1:1/"}\n');
    const crawl = ["crawl", "--seeds", seeds, "-o", join(work, "crawl")];
    expect(await thresher([...crawl, "--outcomes", seeds])).toMatchObject({ code: 2 });
    expect(await thresher([...crawl, "--outcomes", join(work, "table.txt")])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(".jsonl, .csv or .parquet") as string,
    });
    expect(await thresher([...crawl, "--seeds", join(work, "none")])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("there is no file") as string,
    });
    expect(existsSync(join(work, "crawl"))).toBe(false);
  });

  it("is rejected under other names of the file", async () => {
    symlinkSync(page, join(work, "link.html"));
    linkSync(page, join(work, "hard.html"));
    for (const name of ["link.html", "hard.html"]) {
      expect((await thresher([join(work, name), "-o", page])).code).toBe(2);
      expect((await thresher([page, "-o", join(work, name)])).code).toBe(2);
    }
    expect(readFileSync(page).equals(PAGE)).toBe(true);
  });
});

describe("a dash", () => {
  it("is rejected for figures, logs and tables, which stdout never gets", async () => {
    for (const option of ["--stats", "--log"]) {
      const { code, stdout, stderr } = await thresher([page, option, "-"], { cwd: work });
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toContain(`${option} needs a file; use /dev/stdout or /dev/stderr instead of -`);
    }
    const crawl = ["crawl", "http://127.0.0.1:1/", "-o", join(work, "crawl"), "--outcomes", "-"];
    expect(await thresher(crawl, { cwd: work })).toMatchObject({ code: 2 });
    expect(existsSync(join(work, "-"))).toBe(false);
  });
});

describe("a place in an input directory", () => {
  it("is reported if the next run would read it", async () => {
    const other = mkdtempSync(join(tmpdir(), "thresher-places-"));
    for (const place of [join(work, "out.jsonl"), join(work, "texts/")]) {
      const { code, stderr } = await thresher([work, "-o", place]);
      expect(code).toBe(0);
      expect(stderr).toContain(`${place} is in the input directory ${work}`);
    }
    const apart = [
      join(other, "out.jsonl"),
      join(work, "notes.md"),
      `${work}-out/`,
      join(work, "..", "up.jsonl"),
    ];
    for (const place of apart)
      expect((await thresher([work, "-o", place])).stderr).not.toContain("is in the input directory");
    expect((await thresher([page, "-o", join(work, "out.txt")])).stderr).toBe("");
  });
});

describe("a log and figures that cannot be written", () => {
  it.each(["--log", "--stats"])("stop a run with %s before any work", async (option) => {
    const file = join(work, "a-file");
    writeFileSync(file, "");
    for (const place of [work, join(file, "below"), "/proc/none/below"]) {
      const { code, stdout, stderr } = await thresher([page, option, place]);
      expect({ code, stdout }).toEqual({ code: 74, stdout: "" });
      expect(stderr).toContain(place);
      expect(stderr).not.toContain("bug");
    }
    const crawl = await thresher([
      "crawl",
      "http://127.0.0.1:9/",
      "-o",
      join(work, "crawl"),
      option,
      join(file, "x"),
    ]);
    expect(crawl.code).toBe(74);
    expect(existsSync(join(work, "crawl"))).toBe(false);
  });

  // Root may write anywhere.
  it.skipIf(process.getuid?.() === 0)("stop a run if their folder is read-only", async () => {
    mkdirSync(join(work, "closed"));
    chmodSync(join(work, "closed"), 0o500);
    expect((await thresher([page, "--stats", join(work, "closed", "s.json")])).stdout).toBe("");
  });

  it("create their missing folders", async () => {
    const log = join(work, "new", "run.log");
    const { code } = await thresher([page, "--log", log, "--stats", join(work, "other", "s.json")]);
    expect(code).toBe(0);
    expect(parseLines(readFileSync(log, "utf8")).map(({ event }) => event)).toEqual(["document", "end"]);
    expect(existsSync(join(work, "other", "s.json"))).toBe(true);
  });
});

describe("a place that cannot be written", () => {
  it.each(["-o", "--rejects", "--log", "--stats"])(
    "is reported with the system's message, for %s",
    async (option) => {
      const { code, stderr } = await thresher([page, option, join(page, "below.jsonl")]);
      expect(code).toBe(74);
      expect(stderr).toMatch(/^thresher: cannot \S.*: E[A-Z]+: /);
      expect(stderr).not.toContain("Error:");
    },
  );
});
