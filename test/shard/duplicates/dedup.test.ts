import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { UsageError } from "../../../src/outcome.js";
import { readDecided } from "../../../src/shard/duplicates/apply.js";
import { dedupJob, readDuplicatesNote, type DuplicatesNote } from "../../../src/shard/duplicates/dedup.js";
import { parseDecision, parseHead, type Wishes } from "../../../src/shard/duplicates/decision.js";
import { BadShard, TryAgain } from "../../../src/shard/attempt/failures.js";
import { openJob } from "../../../src/shard/job.js";
import { cutShards, makeCorpus } from "./corpora.js";
import { layOut, readDecisions, repack } from "./jobs.js";

const shards = cutShards(makeCorpus(240, 9), 3);
const ALL: Wishes = { documents: "near", lines: 3 };

let folder = "";
let names: string[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "thresher-dedup-"));
  names = layOut(folder, shards);
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

async function dedup(wishes = ALL, { isPartial = false } = {}): Promise<DuplicatesNote> {
  const { signal } = new AbortController();
  return dedupJob(await openJob(folder), {
    ...{ wishes, isPartial, memoryBytes: 1e7, signal },
    say: () => undefined,
  });
}

const signatures = (at: number): string => join(folder, "signatures", `${names[at] ?? ""}.jsonl.gz`);

describe("the decisions on a job", () => {
  it("list what each shard drops, and are recorded when all are complete", async () => {
    const note = await dedup();
    const found = readDecisions(folder);
    expect(Object.keys(found)).toEqual(names.map((name) => `${name}.jsonl.gz`));
    let decisions = 0;
    for (const text of Object.values(found)) {
      const [head = "", ...rest] = text.trimEnd().split("\n");
      const { documents, copies, stripped } = parseHead(head);
      expect(documents).toBe(80);
      expect(rest.length).toBe(copies + stripped);
      const numbers = rest.map((line) => parseDecision(line).number);
      expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
      decisions += rest.length;
    }
    expect(decisions).toBe(note.duplicate + note.nearDuplicate + note.stripped);
    expect(Math.min(note.duplicate, note.nearDuplicate, note.stripped)).toBeGreaterThan(5);
    expect(await readDuplicatesNote(await openJob(folder))).toEqual(note);
  });

  it("are the same in a second run", async () => {
    await dedup();
    const first = readDecisions(folder);
    await dedup();
    expect(readDecisions(folder)).toEqual(first);
  });

  it("do not depend on how the corpus is split", async () => {
    const whole = { ...(await dedup()), shards: 0 };
    rmSync(folder, { recursive: true });
    layOut(folder, cutShards(makeCorpus(240, 9), 11));
    expect({ ...(await dedup()), shards: 0 }).toEqual(whole);
  });

  it("wait for unfinished shards", async () => {
    rmSync(join(folder, "receipts", `${names[1] ?? ""}.json`));
    await expect(dedup()).rejects.toThrow(TryAgain);
    await expect(dedup()).rejects.toThrow(/^1 of 3 shards are not done yet, among them 00001-/);
  });

  it("leave out unfinished shards if asked to, also what an earlier run decided on them", async () => {
    const whole = await dedup();
    const receipt = join(folder, "receipts", `${names[1] ?? ""}.json`);
    const saved = readFileSync(receipt);
    rmSync(receipt);
    const note = await dedup(ALL, { isPartial: true });
    expect(note).toMatchObject({ shards: 2, documents: 160 });
    expect(Object.keys(readDecisions(folder))).toEqual(
      [names[0], names[2]].map((name) => `${name}.jsonl.gz`),
    );
    writeFileSync(receipt, saved);
    const { store } = await openJob(folder);
    const shard = {
      shard: names[1] ?? "",
      text: { file: "", records: 80, bytes: 0, plainBytes: 0, sha256: "" },
    };
    const merged = readDecided(store, shard, note).next();
    await expect(merged).rejects.toThrow(TryAgain);
    await expect(merged).rejects.toThrow(/ is out of date; run thresher shard dedup again$/);
    expect(await dedup()).toEqual(whole);
  });

  it("need a finished shard", async () => {
    rmSync(join(folder, "receipts"), { recursive: true });
    await expect(dedup(ALL, { isPartial: true })).rejects.toThrow(/^3 of 3 shards are not done yet/);
  });

  it("require signatures", async () => {
    const path = join(folder, "receipts", `${names[0] ?? ""}.json`);
    const receipt = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
    delete receipt["signatures"];
    writeFileSync(path, JSON.stringify(receipt));
    await expect(dedup()).rejects.toThrow(UsageError);
  });

  it("are not recorded if they were interrupted, and neither are earlier ones", async () => {
    await dedup();
    const stop = new AbortController();
    const opened = await openJob(folder);
    const work = dedupJob(opened, {
      ...{ wishes: ALL, isPartial: false, memoryBytes: 1e7, signal: stop.signal },
      say: () => {
        stop.abort(new Error("enough"));
      },
    });
    await expect(work).rejects.toThrow("enough");
    expect(await readDuplicatesNote(opened)).toBeUndefined();
  });

  it.each<[string, (path: string) => void, RegExp]>([
    ["missing", rmSync, /is missing/],
    ["cut in half", halve, /is damaged/],
    [
      "not gzip",
      (path) => {
        writeFileSync(path, "hello");
      },
      /is damaged/,
    ],
    [
      "without its end",
      (path) => {
        repack(path, (lines) => lines.slice(0, -1));
      },
      /79 records, but its receipt states 80/,
    ],
    [
      "without a line",
      (path) => {
        repack(path, (lines) => lines.toSpliced(4, 1));
      },
      /line 5, is not a signature: it belongs to document 5/,
    ],
    [
      "poisoned",
      (path) => {
        repack(path, (lines) => lines.with(7, '{"number":7,"id":7}'));
      },
      /line 8, is not a signature: it has no id/,
    ],
    [
      "not JSON",
      (path) => {
        repack(path, (lines) => lines.with(7, "\0\0"));
      },
      /line 8, is not a signature: .*JSON/,
    ],
    [
      "changed",
      (path) => {
        repack(path, (lines) => lines.with(7, lines[7]!.replace("page", "pace")));
      },
      /differs from its receipt/,
    ],
  ])("report signatures that are %s, and are not recorded", async (_, damage, message) => {
    damage(signatures(1));
    await expect(dedup()).rejects.toThrow(BadShard);
    await expect(dedup()).rejects.toThrow(message);
    await expect(dedup()).rejects.toThrow(`signatures/${names[1] ?? ""}.jsonl.gz`);
    expect(await readDuplicatesNote(await openJob(folder))).toBeUndefined();
  });
});

function halve(path: string): void {
  truncateSync(path, Math.floor(readFileSync(path).length / 2));
}
