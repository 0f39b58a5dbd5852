import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readWarc, type WarcStart } from "../../../src/acquire/warc/warc.js";
import {
  awsEnvironment,
  hasServer,
  makeBucket,
  putObject,
  startS3,
  type Asked,
  type S3Server,
} from "../../objects/s3-server.js";
import { writeParquet } from "../../acquire/parquet/parquet-file.js";
import { inOneChunk } from "../../../src/acquire/streams.js";
import { makeCrawl } from "../crawl/crawl-warc.js";
import { parseLines, thresher } from "../run.js";
import { expectWhole, merge, OPTIONS, plan, run, runAlone, runAll, verify, writeRecords } from "./job.js";

const LONG_MS = 120_000;
const work = mkdtempSync(join(tmpdir(), "thresher-shard-objects-"));
const CRAWL = makeCrawl(40);
const records = join(work, "records.jsonl");

/** Returns the output of `clean` for the same inputs as files. */
async function cleanFiles(...inputs: string[]): Promise<string> {
  const { code, stdout, stderr } = await thresher(["clean", ...inputs, "--to", "jsonl", ...OPTIONS]);
  expect(code, stderr).toBe(0);
  return stdout;
}

describe.skipIf(!hasServer)("jobs in object stores", { timeout: LONG_MS }, () => {
  let server: S3Server;
  let text = "";

  beforeAll(async () => {
    server = await startS3();
    Object.assign(process.env, awsEnvironment(server));
    for (const bucket of ["pages", "results"]) await makeBucket(server, bucket);
    writeFileSync(join(work, "crawl.warc.gz"), CRAWL);
    writeRecords(records, 60);
    await putObject(server, "pages/c/crawl.warc.gz", CRAWL);
    await putObject(server, "pages/c/records.jsonl", readFileSync(records));
    await putObject(server, "pages/c/notes.pdf", "no page");
    text = await cleanFiles(join(work, "crawl.warc.gz"), records);
  }, LONG_MS);
  afterAll(async () => {
    await server.close();
    rmSync(work, { recursive: true, force: true });
  });
  beforeEach(() => {
    server.fault = () => undefined;
    server.asked.length = 0;
  });

  /** Truncates the first answers with an object, and answers every twentieth request with an error. */
  const failNowAndThen = (): void => {
    let count = 0;
    server.fault = ({ method, url, range }: Asked) => {
      count += 1;
      if (count % 20 === 6) return { status: 503, code: "SlowDown" };
      return method === "GET" && url.includes("/c/crawl") && range === undefined
        ? { cutAfter: 90_001 }
        : undefined;
    };
  };

  it("are cleaned like files, whatever the network does", async () => {
    failNowAndThen();
    expect(await cleanFiles("s3://pages/c/")).toBe(text);
    expect(server.asked.some(({ range }) => range === "bytes=90001-")).toBe(true);
    server.fault = () => undefined;
    const { code, stderr } = await thresher(["s3://pages/nothing/*.html"]);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no object matches") as string,
    });
  });

  it("are planned, run by two attempts at once, reported, verified and merged", async () => {
    const job = "s3://results/jobs/one";
    expect(await plan(job, ["s3://pages/c"], "--shard-size", "1M")).toBe(1);
    failNowAndThen();
    const attempts = await Promise.all(["a", "b"].map((name) => runAlone(job, 0, "--attempt", name)));
    expect(attempts.map(({ code }) => code)).toEqual([0, 0]);
    const receipts = attempts.map(({ stdout }) => JSON.parse(stdout) as { attempt: string; sha256: string });
    expect(receipts[0]).toEqual(receipts[1]);
    server.fault = () => undefined;
    const again = await run(job, 0);
    expect(again.stderr).toContain("was already done");
    const { stdout } = await thresher(["shard", "status", job, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ state: "done", done: 1 });
    expect(await verify(job)).toMatchObject({ code: 0 });
    const merged = join(work, "merged.jsonl");
    expect(await thresher(["shard", "merge", job, "-o", merged])).toMatchObject({ code: 0 });
    expect(readFileSync(merged, "utf8")).toBe(text);
    const lock = await fetch(`${server.endpoint}/results?list-type=2&prefix=jobs/one/_tmp`);
    expect(await lock.text()).not.toContain(".lock");
  });

  it("give up a shard whose input has changed, and retry if the network fails", async () => {
    await putObject(server, "pages/changing.jsonl", readFileSync(records));
    const job = join(work, "changing");
    await plan(job, ["s3://pages/changing.jsonl"]);
    await putObject(server, "pages/changing.jsonl", '{"text":"another one"}\n');
    const { code, stderr } = await run(job, 0);
    expect({ code, stderr }).toMatchObject({
      code: 65,
      stderr: expect.stringContaining("has changed") as string,
    });
    const { AWS_ENDPOINT_URL } = process.env;
    process.env["AWS_ENDPOINT_URL"] = "http://127.0.0.1:1";
    try {
      expect(await run(job, 0)).toMatchObject({ code: 75 });
    } finally {
      process.env["AWS_ENDPOINT_URL"] = AWS_ENDPOINT_URL;
    }
  });

  describe("of an index", () => {
    let starts: readonly WarcStart[] = [];
    const index = (name: string, rows: readonly (readonly [string, number, number])[]): string => {
      const path = join(work, name);
      const columns = [
        { name: "url", data: rows.map(([, at]) => `https://example.org/${at}`) },
        { name: "warc_filename", data: rows.map(([file]) => file) },
        { name: "warc_record_offset", data: rows.map(([, at]) => at), type: "INT32" as const },
        { name: "warc_record_length", data: rows.map(([, , length]) => length), type: "INT32" as const },
      ];
      writeFileSync(path, writeParquet(columns));
      return path;
    };
    const spanOf = (at: number): [string, number, number] => {
      const { offset = 0 } = starts[at] ?? {};
      return ["c/crawl.warc.gz", offset, (starts[at + 1]?.offset ?? CRAWL.length) - offset];
    };

    beforeAll(async () => {
      const found: WarcStart[] = [];
      const options = { input: "crawl", maxBytes: 1e7, packing: "gzip" as const };
      const pages = readWarc(inOneChunk(CRAWL), { ...options, onStart: (start) => found.push(start) });
      for await (const page of pages) expect(page.ok || page.reason).toBeTruthy();
      starts = found;
    });

    it("are the same from a store as from a server", async () => {
      const path = index("few.parquet", [spanOf(20), spanOf(3)]);
      const jobs = [
        ["s3://pages/", join(work, "index-s3")],
        [`${server.endpoint}/pages`, join(work, "index-http")],
      ] as const;
      const digests: string[] = [];
      for (const [base, job] of jobs) {
        await plan(job, [], "--index", path, "--base", base);
        server.asked.length = 0;
        const [receipt] = await runAll(job);
        expect(receipt).toMatchObject({ in: 2, rejected: 0 });
        digests.push(receipt?.sha256 ?? "");
      }
      expect(digests[1]).toBe(digests[0]);
      await expectWhole(jobs[0][1]);
      const found = parseLines((await merge(jobs[0][1])).text);
      const whole = parseLines(text).filter(({ id }) => found.some((one) => one["id"] === id));
      expect(found).toHaveLength(2);
      expect(found).toEqual(whole);
    });
  });
});
