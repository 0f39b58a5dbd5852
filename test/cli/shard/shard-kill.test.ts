import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Receipt } from "../../../src/shard/receipt.js";
import { parseLines, thresher } from "../run.js";
import {
  expectWhole,
  findChildren,
  list,
  merge,
  OPTIONS,
  plan,
  run,
  runAll,
  startRun,
  watchCursor,
  writeRecords,
  type Started,
} from "./job.js";

const LONG_MS = 180_000;
const work = mkdtempSync(join(tmpdir(), "thresher-kill-"));
const RECORDS = 40;
const POISON = 17;
const input = join(work, "records.jsonl");
let clean = "";

beforeAll(async () => {
  writeRecords(input, RECORDS, POISON);
  const out = join(work, "clean.jsonl");
  expect((await thresher(["clean", input, "-o", out, ...OPTIONS])).code).toBe(0);
  clean = readFileSync(out, "utf8");
}, LONG_MS);
afterAll(() => {
  rmSync(work, { recursive: true, force: true });
});

async function runToEnd(job: string): Promise<Receipt> {
  const ran = await run(job, 0);
  expect(ran.code, ran.stderr).toBe(0);
  return JSON.parse(ran.stdout) as Receipt;
}

/** Kills a run when its cursor shows that the document has begun and is not done; otherwise the run ends. */
async function runWithPoison(job: string, kill: (started: Started) => void): Promise<Started> {
  const started = startRun(job, 0);
  if (await watchCursor(job, started, ({ done, begun }) => done <= POISON && begun > POISON)) kill(started);
  return started;
}

describe("a run that is killed", { timeout: LONG_MS }, () => {
  it.each([5, POISON])(
    "leaves nothing valid after %i documents, and the next run does everything",
    async (at) => {
      const job = join(work, `killed-${at}`);
      await plan(job, [input]);
      const started = startRun(job, 0);
      await watchCursor(job, started, ({ done }) => done >= at);
      started.kill();
      const { code } = await started.ended;
      if (code !== 0) expect(list(job, "receipts")).toEqual([]);
      await runToEnd(job);
      expect((await merge(job)).text).toBe(clean);
      await expectWhole(job);
      expect(list(job, "_tmp")).toEqual([]);
    },
  );
});

describe("a document that kills the process", { timeout: LONG_MS }, () => {
  const withoutPoison = (text: string): unknown[] =>
    parseLines(text)
      .map(({ id }) => id)
      .filter((id) => id !== `r-${POISON}`);

  it("is rejected at once if it kills each process that cleans it, without losing another", async () => {
    const job = join(work, "child");
    await plan(job, [input]);
    const started = startRun(job, 0);
    const isAtPoison = ({ done }: { readonly done: number }): boolean => done === POISON;
    const killed = new Set<number>();
    while (killed.size < 2 && (await watchCursor(job, started, isAtPoison)))
      for (const pid of findChildren(started.child.pid).filter((one) => !killed.has(one))) {
        // A process that has used some CPU time works on a page, and no longer only loads.
        if (cpuTicks(pid) < 60) continue;
        process.kill(pid, "SIGKILL");
        killed.add(pid);
      }
    const { code, stdout, stderr } = await started.ended;
    expect(code, stderr).toBe(0);
    const receipt = JSON.parse(stdout) as Receipt;
    expect(receipt.reasons["killed-process"]).toBe(1);
    const { text, rejects } = await merge(job);
    expect(parseLines(text).map(({ id }) => id)).toEqual(withoutPoison(clean));
    expect(parseLines(rejects)).toContainEqual(
      expect.objectContaining({ id: `r-${POISON}`, reason: "killed-process" }),
    );
    await expectWhole(job);
    // The document was not the cause.
    const retried = await thresher(["shard", "retry-rejects", job]);
    expect(retried).toMatchObject({ code: 0, stdout: '{"tried":1,"mended":1}\n' });
    expect((await merge(job)).text).toBe(clean);
    await expectWhole(job);
    expect(list(job, "text")).toEqual([`${receipt.shard}.2.jsonl.gz`]);
    expect(list(job, "_tmp")).toEqual([]);
  });

  it("is given up after attempts that try every document alone, without losing another", async () => {
    const job = join(work, "group");
    await plan(job, [input]);
    const ends: (number | null)[] = [];
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const started = await runWithPoison(job, ({ kill }) => {
        kill();
      });
      ends.push((await started.ended).code);
    }
    // It is tried among others, then alone twice, and then given up without an attempt.
    expect(ends).toEqual([null, null, null, 0]);
    const { text, rejects } = await merge(job);
    expect(parseLines(text).map(({ id }) => id)).toEqual(withoutPoison(clean));
    expect(parseLines(rejects).filter(({ reason }) => reason === "killed-process")).toMatchObject([
      { id: `r-${POISON}`, stage: "extract" },
    ]);
    await expectWhole(job);
    expect(list(job, "_tmp")).toEqual([]);
  });

  it("fails the shard if every attempt is killed", async () => {
    const job = join(work, "failed");
    await plan(job, [input]);
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const started = startRun(job, 0);
      await watchCursor(job, started, () => true);
      started.kill();
      await started.ended;
    }
    const { code, stdout } = await thresher(["shard", "status", job]);
    expect(code).toBe(65);
    expect(stdout).toMatch(/^state +failed$/m);
    expect(stdout).toContain("after 4 attempts");
    expect(await run(job, 0, "--max-attempts", "4")).toMatchObject({ code: 65 });
    await runAll(job);
    expect((await merge(job)).text).toBe(clean);
  });
});

function cpuTicks(pid: number): number {
  try {
    const facts = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = facts.slice(facts.lastIndexOf(")") + 2).split(" ");
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return 0; // it has ended
  }
}
