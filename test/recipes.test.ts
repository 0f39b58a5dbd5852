/** Runs every command of docs/recipes.md in a folder with small inputs; the crawl goes to a server of this machine. */
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BIN, parseLines } from "./cli/run.js";

const PAGES = ["recipe-fr", "forum-thread-de", "qa-en"];
const source = (slug: string): string => `fixtures/pages/${slug}/source.html`;

const blocks = [...readFileSync("docs/recipes.md", "utf8").matchAll(/^```sh\n([^]*?)^```$/gm)].map(
  ([, code = ""]) => code,
);
const work = mkdtempSync(join(tmpdir(), "thresher-recipes-"));
const server = createServer(({ url = "" }, answer) => {
  const slug = PAGES.find((name) => url === `/${name}`);
  if (slug === undefined) answer.writeHead(404).end();
  else answer.setHeader("content-type", "text/html").end(readFileSync(source(slug)));
});

beforeAll(async () => {
  for (const folder of ["pages", "mirror"]) {
    mkdirSync(join(work, folder));
    for (const slug of PAGES) copyFileSync(source(slug), join(work, folder, `${slug}.html`));
  }
  copyFileSync(source("qa-en"), join(work, "mirror", "index.php@page=2"));
  copyFileSync("fixtures/warc/crawl.warc.gz", join(work, "CC-MAIN-1.warc.gz"));
  copyFileSync("fixtures/warc/crawl.warc.wet.gz", join(work, "CC-MAIN-1.warc.wet.gz"));
  const body =
    "The ferry crossed the bay twice a day, for forty years, and nobody remembers a storm that stopped it.";
  writeFileSync(join(work, "table.csv"), `id,body,year\nx1,"${body}",1977\n`);
  writeFileSync(join(work, "table.jsonl"), `${JSON.stringify({ id: "x1", body, year: 1977 })}\n`);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  const urls = [...PAGES, "gone"].map((name) => `http://127.0.0.1:${port}/${name}\n`);
  writeFileSync(join(work, "urls.txt"), urls.join(""));
  const npx = `npx() { shift; ${process.execPath} ${BIN} "$@"; }\n`;
  for (const code of blocks) {
    // The crawler refuses a server of this machine without this option.
    const own = code.replace("thresher crawl ", "thresher crawl --allow-private --delay 0 ");
    await promisify(execFile)("bash", ["-euo", "pipefail", "-c", npx + own], { cwd: work });
  }
}, 120_000);

afterAll(() => {
  server.close();
  rmSync(work, { recursive: true, force: true });
});

function readRecords(name: string): readonly Record<string, unknown>[] {
  const bytes = readFileSync(join(work, name));
  return parseLines((name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString());
}

describe("the recipes", () => {
  it("make a corpus from a list of addresses, and clean it again", () => {
    expect(readRecords("crawl/text.jsonl.gz").map(({ url }) => url)).toHaveLength(PAGES.length);
    expect(readRecords("crawl/outcomes.jsonl").map(({ reason }) => reason)).toContain("http-status");
    expect(readRecords("strict.jsonl.gz")).toHaveLength(PAGES.length);
  });

  it("read archives, with what says where a page comes from", () => {
    const [{ id, carried } = {}] = readRecords("clean.jsonl.gz");
    expect(id).toMatch(/^urn:uuid:/);
    expect(carried).toEqual({ "WARC-Date": "2026-01-05T08:00:00Z" });
    expect(readRecords("clean-wet.jsonl.gz")[0]).toMatchObject({
      condition: { name: "raw", probability: 1 },
    });
  });

  it("read folders, also files with other names", () => {
    expect(readRecords("clean.jsonl").map(({ id }) => id)).toContain("mirror/index.php@page=2");
    expect(readFileSync(join(work, "texts", "mirror_qa-en.txt"), "utf8")).toMatch(/^I glued up/);
  });

  it("read tables, with their other columns", () => {
    const [row] = readRecords("clean-table.jsonl");
    expect(row).toMatchObject({ id: "x1", carried: { year: "1977" } });
    expect(row?.["text"]).toMatch(/^The ferry/);
    expect(readFileSync(join(work, "clean.parquet")).subarray(0, 4).toString()).toBe("PAR1");
  });

  it("filter by language, count, choose a cut, and compare", () => {
    expect(JSON.parse(readFileSync(join(work, "stats.json"), "utf8"))).toMatchObject({
      languages: { de: { keptTexts: 1 }, fr: { keptTexts: 1 } },
    });
    expect(readRecords("rejects.jsonl").map(({ reason }) => reason)).toEqual(["wrong-language"]);
    expect(readRecords("cut.jsonl")).toHaveLength(PAGES.length);
    for (const name of ["report.html", "changes.html"])
      expect(readFileSync(join(work, name), "utf8")).toContain("<html");
  });
});
