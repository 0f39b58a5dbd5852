import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Status } from "../../../src/shard/status.js";
import { makeCrawl } from "../crawl/crawl-warc.js";
import { parseLines, thresher } from "../run.js";
import {
  expectWhole,
  list,
  merge,
  OPTIONS,
  plan,
  run,
  runAlone,
  runAll,
  startRun,
  verify,
  writeRecords,
} from "./job.js";

const LONG_MS = 120_000;
const work = mkdtempSync(join(tmpdir(), "thresher-shard-"));
const crawl = join(work, "crawl.warc.gz");
const records = join(work, "records.jsonl");
const inputs = [crawl, records, "fixtures/pages/qa-en/source.html"];
/** The output of `clean` for the same inputs. */
let text = "";
let rejects = "";

beforeAll(async () => {
  writeFileSync(crawl, makeCrawl(30).subarray(0, -60_000));
  writeRecords(records, 120);
  const [out, rejected] = [join(work, "clean.jsonl"), join(work, "rejects.jsonl")];
  const cleaned = await thresher(["clean", ...inputs, "-o", out, "--rejects", rejected, ...OPTIONS]);
  expect(cleaned.code, cleaned.stderr).toBe(0);
  text = readFileSync(out, "utf8");
  rejects = readFileSync(rejected, "utf8");
}, LONG_MS);
afterAll(() => {
  rmSync(work, { recursive: true, force: true });
});

async function readStatus(job: string): Promise<{ readonly code: number | null; readonly status: Status }> {
  const { code, stdout } = await thresher(["shard", "status", job, "--json"]);
  return { code, status: JSON.parse(stdout) as Status };
}

describe("the output of shards", { timeout: LONG_MS }, () => {
  it.each([
    ["1G", "2", 1],
    ["12k", "1", 8],
  ])("is the output of clean, with shards of %s and -j %s", async (size, workers, least) => {
    const job = join(work, `same-${size}`);
    const shards = await plan(job, inputs, "--shard-size", size);
    expect(shards).toBeGreaterThanOrEqual(least);
    // The last shards run first: the manifest determines the order.
    const half = Math.floor(shards / 2);
    if (half > 0) expect((await run(job, `${half}-${shards - 1}`, "-j", workers)).code).toBe(0);
    const { code, status } = await readStatus(job);
    if (half > 0) {
      expect({ code, state: status.state, missing: status.missing }).toEqual({
        code: 75,
        state: "waiting",
        missing: half,
      });
      expect(status.toRun).toEqual([half === 1 ? "0" : `0-${half - 1}`]);
      expect(await verify(job)).toMatchObject({ code: 75 });
      expect(await thresher(["shard", "merge", job, "-o", "-"])).toMatchObject({ code: 75, stdout: "" });
    }
    const receipts = await runAll(job, "-j", workers);
    expect(await merge(job)).toEqual({ text, rejects });
    await expectWhole(job);
    const after = await readStatus(job);
    expect(after).toMatchObject({ code: 0, status: { state: "done", done: shards, missing: 0, running: 0 } });
    expect(after.status.documents).toEqual({
      in: parseLines(text).length + parseLines(rejects).length,
      out: parseLines(text).length,
      rejected: parseLines(rejects).length,
    });
    expect(receipts.reduce((sum, { bytesSkipped }) => sum + bytesSkipped, 0)).toBeGreaterThan(0);
    expect(list(job, "_tmp")).toEqual([]);
  });

  it("can be text and Parquet as well, with a file for each shard", async () => {
    const job = join(work, "formats");
    const shards = await plan(job, [records], "--shard-size", "8k");
    await runAll(job);
    const [table, plain, folder] = [join(work, "m.parquet"), join(work, "m.txt"), join(work, "each/")];
    for (const output of [table, plain, folder])
      expect((await thresher(["shard", "merge", job, "-o", output])).code).toBe(0);
    const texts = parseLines(text).flatMap(({ id, text: of }) =>
      String(id).startsWith("r-") ? [String(of)] : [],
    );
    expect(readFileSync(plain, "utf8")).toBe(texts.map((one) => `${one}\n`).join("\n"));
    const again = await thresher([
      table,
      "--from",
      "parquet",
      "--labeller",
      "none",
      "--to",
      "jsonl",
      "--quiet",
    ]);
    expect(parseLines(again.stdout).map(({ id }) => id)).toHaveLength(texts.length);
    expect(list(work, "each")).toHaveLength(shards);
    const csv = await thresher(["shard", "merge", job, "-o", join(work, "m.csv")]);
    expect(csv).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("jsonl, text, parquet or dataset, not as csv") as string,
    });
    const misspelt = await thresher(["shard", "merge", job, "-o", join(work, "m.foo")]);
    expect(misspelt).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        "m.foo; there are jsonl (.jsonl, .ndjson), text (.txt), parquet (.parquet); or give",
      ) as string,
    });
  });
});

describe("a shard", { timeout: LONG_MS }, () => {
  it("runs once: the second time nothing is done or changed", async () => {
    const job = join(work, "twice");
    await plan(job, [records]);
    const first = await run(job, 0);
    expect(first.code).toBe(0);
    // It does not even read the input.
    const aside = `${records}.aside`;
    renameSync(records, aside);
    const second = await run(job, 0);
    renameSync(aside, records);
    expect(second).toMatchObject({ code: 0, stdout: first.stdout });
    expect(second.stderr).toContain("was already done");
  });

  it("can be run by two processes at once", async () => {
    const job = join(work, "at-once");
    await plan(job, [records]);
    const ran = await Promise.all([0, 0, 0].map((index) => runAlone(job, index)));
    expect(ran.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(new Set(ran.map(({ stdout }) => stdout)).size).toBe(1);
    await expectWhole(job);
    expect(list(job, "_tmp")).toEqual([]);
  });

  it("is selected by the variables of engines", async () => {
    const job = join(work, "engines");
    await plan(job, [records], "--shard-size", "8k");
    process.env["JOB_COMPLETION_INDEX"] = "1";
    const { stdout } = await thresher(["shard", "run", job, "-j", "1"]).finally(() => {
      delete process.env["JOB_COMPLETION_INDEX"];
    });
    expect(JSON.parse(stdout)).toMatchObject({ index: 1 });
    expect(await thresher(["shard", "run", job])).toMatchObject({ code: 2 });
    expect(await run(job, 99)).toMatchObject({ code: 2, stdout: "" });
    expect(await run(join(work, "none"), 0)).toMatchObject({ code: 2 });
  });

  it("is run again if its attempt died between its files and its receipt", async () => {
    const job = join(work, "half");
    await plan(job, [records]);
    const [receipt] = await runAll(job);
    rmSync(join(job, "receipts"), { recursive: true });
    writeFileSync(join(job, receipt!.text.file), gzipSync('{"id":"of a dead attempt"}\n'));
    expect(await verify(job)).toMatchObject({
      code: 75,
      stdout: expect.stringContaining("no receipt names") as string,
    });
    const [again] = await runAll(job);
    expect(again?.sha256).toBe(receipt?.sha256);
    await expectWhole(job);
  });

  it("fails permanently with another model or version", async () => {
    const job = join(work, "model");
    const model = join(work, "a-model");
    cpSync("models/text-7", model, { recursive: true });
    const page = "fixtures/pages/qa-en/source.html";
    const planned = ["shard", "plan", page, "-o", job, "--labeller", "text", "--model", model];
    expect((await thresher(planned)).code).toBe(0);
    const about = join(model, "model.json");
    const shipped = readFileSync(about, "utf8");
    writeFileSync(about, shipped.replace('"name": "', '"name": "other-'));
    const other = await run(job, 0);
    expect(other).toMatchObject({ code: 65, stdout: "" });
    expect(other.stderr).toContain("differ from those that the job was planned with");
    expect(await run(job, 0, "--model", join(work, "none"))).toMatchObject({ code: 65, stdout: "" });
    const file = join(job, "job.json");
    const stated = readFileSync(file, "utf8");
    writeFileSync(file, stated.replace(/"version": "[^"]*"/, '"version": "0.0.1"'));
    expect(await run(job, 0)).toMatchObject({ code: 65, stderr: expect.stringContaining("0.0.1") as string });
    writeFileSync(file, stated);
    // The same model in another folder works.
    expect((await run(job, 0, "--model", "models/text-7")).code).toBe(0);
  });

  it("fails permanently if its input has changed, was cut or is gone, and temporarily if a disk is missing", async () => {
    const folder = join(work, "disk");
    mkdirSync(folder);
    const [grown, cut, touched, gone] = ["grown", "cut", "touched", "gone"].map((name) =>
      writeRecords(join(folder, `${name}.jsonl`), 20),
    ) as [string, string, string, string];
    const job = join(work, "changed");
    expect(await plan(job, [grown, cut, touched, gone], "--shard-size", "2k")).toBe(4);
    appendFileSync(grown, '{"text":"one more"}\n');
    truncateSync(cut, 1000);
    utimesSync(touched, 1, 1);
    rmSync(gone);
    const ran = await run(job, "0-3");
    expect(ran).toMatchObject({ code: 65, stdout: "" });
    expect(ran.stderr.match(/has changed since the job was planned/g)).toHaveLength(3);
    expect(ran.stderr).toContain("gone.jsonl cannot be read: ENOENT");
    const { code, status } = await readStatus(job);
    expect(code).toBe(65);
    expect(status).toMatchObject({ state: "failed", failed: 4, missing: 0 });
    expect(status.failures[0]?.message).toContain("has changed since the job was planned");
    expect(await verify(job)).toMatchObject({
      code: 65,
      stdout: expect.stringContaining("4 of 4 shards have failed") as string,
    });
    expect((await thresher(["shard", "status", job])).stdout).toMatch(
      /^failed: --index 0 .* after 1 attempt: /m,
    );
    renameSync(folder, `${folder}-unmounted`);
    expect(await run(job, 0)).toMatchObject({ code: 75, stdout: "" });
    expect(await run(job, 0, "--max-attempts", "2")).toMatchObject({ code: 65 });
  });

  it("is rejected if it belongs to another manifest", async () => {
    const job = join(work, "manifest");
    await plan(job, [records], "--shard-size", "8k");
    const file = join(job, "manifest.jsonl");
    const rows = readFileSync(file, "utf8").trim().split("\n");
    writeFileSync(file, `${rows.toReversed().join("\n")}\n`);
    expect(await run(job, 0)).toMatchObject({ code: 65, stdout: "" });
    writeFileSync(file, `${rows.slice(0, -1).join("\n")}\n`);
    expect(await run(job, 0)).toMatchObject({ code: 65, stdout: "" });
  });
});

describe("a merge", { timeout: LONG_MS }, () => {
  it("never overwrites its job or its inputs", async () => {
    const job = join(work, "kept");
    const input = join(work, "kept.jsonl");
    writeRecords(input, 5);
    await plan(job, [input]);
    await runAll(job);
    const before = readFileSync(input, "utf8");
    for (const place of [
      job,
      join(job, "text"),
      join(job, "text", "a.jsonl.gz"),
      join(job, "job.json"),
      input,
    ])
      expect(await thresher(["shard", "merge", job, "-o", place, "--to", "jsonl"])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("would overwrite") as string,
      });
    const rejects = ["--rejects", input];
    expect(await thresher(["shard", "merge", job, "-o", join(work, "ok.jsonl"), ...rejects])).toMatchObject({
      code: 2,
    });
    expect(readFileSync(input, "utf8")).toBe(before);
    await expectWhole(job);
  });

  it("names the shards of an earlier plan in its directory, which it leaves there", async () => {
    const [old, job, parts] = [join(work, "old"), join(work, "new"), join(work, "parts/")];
    for (const [place, size] of [
      [old, "8k"],
      [job, "1G"],
    ] as const) {
      await plan(place, [records], "--shard-size", size);
      await runAll(place);
    }
    const mergeInto = async (place: string, ...words: string[]): Promise<string> => {
      const { code, stderr } = await thresher(["shard", "merge", place, "-o", parts, ...words]);
      expect(code).toBe(0);
      return stderr;
    };
    const first = await mergeInto(old);
    expect(first).toMatch(/^thresher: merged [^\n]*\n$/);
    expect(await mergeInto(old)).toBe(first);
    writeFileSync(join(parts, "notes.jsonl.gz"), "");
    const others = list(work, "parts").filter((name) => name !== "notes.jsonl.gz");
    const stderr = await mergeInto(job);
    expect(stderr).toContain(`${parts} also holds shards from an earlier merge: ${others.join(", ")};`);
    expect(list(work, "parts")).toHaveLength(others.length + 2);
    expect(await mergeInto(job, "--to", "text")).toBe(await mergeInto(job, "--to", "text"));
    expect(await mergeInto(job, "--to", "text")).toMatch(/^thresher: merged [^\n]*\n$/);
  });

  it("rejects one file for two options, an address, and .gz for a Parquet file", async () => {
    const job = join(work, "places");
    await plan(job, [records]);
    await runAll(job);
    const [same, packed] = [join(work, "same.jsonl"), join(work, "same.parquet.gz")];
    for (const [words, says] of [
      [["-o", same, "--rejects", same], "cannot write to the same file"],
      [["-o", same, "--rejects", "rejects/"], "--rejects needs a file, not the folder rejects/"],
      [["-o", "s3://bucket/merged.jsonl"], "needs a path, not s3"],
      [["-o", packed], "leave out the .gz"],
    ] as const)
      expect(await thresher(["shard", "merge", job, ...words])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(says) as string,
      });
    expect([...list(work, "same.jsonl"), ...list(work, "same.parquet.gz")]).toEqual([]);
  });
});

describe("verify", { timeout: LONG_MS }, () => {
  it("names a damaged receipt, and checks the others", async () => {
    const job = join(work, "damaged");
    await plan(job, [records], "--shard-size", "8k");
    const [first, second] = await runAll(job);
    writeFileSync(join(job, "receipts", `${first!.shard}.json`), "garbage");
    rmSync(join(job, second!.text.file));
    const { code, stdout } = await verify(job);
    expect(code).toBe(65);
    expect(stdout).toContain(`wrong: receipts/${first!.shard}.json`);
    expect(stdout).toContain(`wrong: ${second!.text.file}`);
    const remedy = /receipts\/\S+\.json in \S+ is damaged: .*; remove it and run its row again/;
    expect((await thresher(["shard", "status", job])).stdout).toMatch(remedy);
    expect(await run(job, first!.index)).toMatchObject({
      code: 65,
      stderr: expect.stringMatching(remedy) as string,
    });
    // This follows the advice at the end of the message.
    for (const { shard } of [first!, second!]) rmSync(join(job, "receipts", `${shard}.json`));
    await runAll(job);
    await expectWhole(job);
  });

  it("is not needed for merge to say how to replace a lost file", async () => {
    const job = join(work, "lost");
    await plan(job, [records], "--shard-size", "8k");
    const [, second] = await runAll(job);
    rmSync(join(job, second!.text.file));
    const { code, stderr } = await thresher(["shard", "merge", job, "-o", join(work, "lost.jsonl")]);
    expect(code).toBe(65);
    expect(stderr).toContain(
      `${second!.text.file} is missing, although it has a receipt; remove receipts/${second!.shard}.json and run row 1 again`,
    );
  });

  it("names each file that differs from its receipt, and each without a receipt", async () => {
    const job = join(work, "verified");
    await plan(job, [records], "--shard-size", "8k");
    const receipts = await runAll(job);
    const [changed, lost, shifted] = receipts.map(({ text: { file } }) => join(job, file)) as [
      string,
      string,
      string,
    ];
    const shifts = readFileSync(shifted);
    writeFileSync(changed, gzipSync("{}\n"));
    rmSync(lost);
    writeFileSync(shifted, shifts.subarray(0, -20));
    writeFileSync(join(job, "text", "stray.jsonl.gz"), gzipSync(""));
    const { code, stdout } = await verify(job);
    expect(code).toBe(65);
    for (const { text: of } of receipts.slice(0, 3)) expect(stdout).toContain(`wrong: ${of.file} `);
    expect(stdout).toContain("no receipt names: text/stray.jsonl.gz");
    expect(await thresher(["shard", "merge", job, "-o", join(work, "wrong.jsonl")])).toMatchObject({
      code: 65,
    });
    expect(list(work, "wrong.jsonl")).toEqual([]);
  });
});

const isRoot = process.getuid?.() === 0;

/** Mounts a disk of this size; undefined if this user or this system cannot. */
function mountSmall(path: string, size: string): (() => void) | undefined {
  mkdirSync(path);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "thresher", path], { stdio: "ignore" });
    return () => execFileSync("umount", [path]);
  } catch {
    return undefined;
  }
}

describe.skipIf(!isRoot)("a full disk (only root can mount a small one)", { timeout: LONG_MS }, () => {
  it("allows another attempt, which finds nothing partial", async (context) => {
    const disk = join(work, "small");
    const unmount = mountSmall(disk, "24k");
    if (unmount === undefined) return context.skip("this system lets root mount nothing");
    try {
      const job = join(work, "full");
      await plan(job, [crawl], "--output", disk);
      const { code, stdout, stderr } = await run(job, 0);
      expect({ code, stdout }, stderr).toEqual({ code: 75, stdout: "" });
      expect(stderr).toContain("ENOSPC");
      expect([...list(disk, "text"), ...list(disk, "receipts")]).toEqual([]);
      execFileSync("mount", ["-o", "remount,size=20m", disk]);
      expect((await run(job, 0)).code).toBe(0);
      await expectWhole(job);
    } finally {
      unmount();
    }
  });
});

describe("an attempt that is interrupted", { timeout: LONG_MS }, () => {
  it("prints no receipt, and is not counted as a failure", async () => {
    const slow = writeRecords(join(work, "slow.jsonl"), 6, 3);
    const job = join(work, "interrupted");
    await plan(job, [slow]);
    const started = startRun(job, 0);
    setTimeout(() => started.child.kill("SIGTERM"), 1_000);
    const { code, stdout } = await started.ended;
    expect([0, 130, null]).toContain(code);
    if (code !== 0) expect(stdout).toBe("");
    expect((await readStatus(job)).status.failed).toBe(0);
    await runAll(job);
    await expectWhole(job);
  });
});
