import { spawnSync } from "node:child_process";
import { appendFileSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createAnnotations } from "../../../src/inspect/annotate/annotations.js";
import { openJournal, type JournalEntry } from "../../../src/inspect/annotate/journal.js";

const work = mkdtempSync(join(tmpdir(), "thresher-journal-"));
const OF = { annotator: "ann", key: "a", digest: "0" } as const;
const entry = (line: number): JournalEntry => ({ at: "2026-01-01", ...OF, changes: [[line, "content"]] });

async function writeJournal(path: string, count: number): Promise<void> {
  const { journal } = await openJournal(path);
  for (let line = 0; line < count; line += 1) await journal.append(entry(line));
  await journal.close();
}

async function readEntries(path: string): Promise<readonly JournalEntry[]> {
  const { journal, entries } = await openJournal(path);
  await journal.close();
  return entries;
}

describe("the journal", () => {
  it("gives back what was written, wherever the file was truncated", async () => {
    const path = join(work, "cut.jsonl");
    await writeJournal(path, 3);
    const whole = readFileSync(path);
    for (let length = whole.length; length >= 0; length -= 7) {
      writeFileSync(path, whole.subarray(0, length));
      const opened = await openJournal(path);
      await opened.journal.close();
      const lines = whole.subarray(0, length).toString().split("\n").length - 1;
      expect(opened.entries.length, String(length)).toBe(Math.max(0, lines - 1));
      // The partial entry is removed, so that the next one begins a line.
      expect(readFileSync(path, "utf8").endsWith("\n")).toBe(true);
      expect(opened.lostBytes > 0).toBe(length > 0 && whole[length - 1] !== 0x0a);
    }
  });

  it("keeps an entry that another inspector is still writing", async () => {
    const path = join(work, "writing.jsonl");
    await writeJournal(path, 1);
    const line = `${JSON.stringify(entry(1))}\n`;
    appendFileSync(path, line.slice(0, 20));
    const opening = openJournal(path);
    await sleep(20);
    appendFileSync(path, line.slice(20));
    const { journal, entries, lostBytes } = await opening;
    await journal.close();
    expect({ entries, lostBytes }).toEqual({ entries: [entry(0), entry(1)], lostBytes: 0 });
  });

  it("may be begun by two inspectors at once", async () => {
    const path = join(work, "begun.jsonl");
    const [one, other] = await Promise.all([openJournal(path), openJournal(path)]);
    await one.journal.append(entry(0));
    await other.journal.append(entry(1));
    const both = [entry(0), entry(1)];
    for (const { journal } of [one, other]) {
      expect(await journal.readNew()).toEqual(both);
      await journal.close();
    }
    expect(await readEntries(path)).toEqual(both);
  });

  it("rejects a file that is not a journal, and leaves it unchanged", async () => {
    const path = join(work, "other.jsonl");
    for (const text of ['{"id":"a"}\n', "a letter to grandmother", "\u0000\u0001\n"]) {
      writeFileSync(path, text);
      await expect(openJournal(path)).rejects.toThrow("is not a journal of annotations");
      expect(readFileSync(path, "utf8")).toBe(text);
    }
  });

  it("names the line of a damaged entry", async () => {
    const path = join(work, "damaged.jsonl");
    await writeJournal(path, 2);
    for (const line of ["nonsense", '{"at":1}', JSON.stringify({ ...entry(1), changes: [[1, "love"]] })]) {
      const size = statSync(path).size;
      appendFileSync(path, `${line}\n`);
      await expect(openJournal(path)).rejects.toThrow(`${path}:4: this line is not an annotation`);
      truncateSync(path, size);
    }
  });

  it("says if it cannot be written", async () => {
    await expect(openJournal(join(work, "no", "such", "folder"))).rejects.toThrow(
      "the annotations cannot be written to",
    );
  });

  it("removes an entry that a full disk truncated, so that others can follow", async () => {
    const path = join(work, "full.jsonl");
    const { journal } = await openJournal(path);
    const code = `import { openJournal } from ${JSON.stringify(new URL("../../../dist/inspect/annotate/journal.js", import.meta.url).href)};
      const { journal } = await openJournal(process.argv[1]);
      for (;;) await journal.append(${JSON.stringify(entry(1))});`;
    // A limit on the size of a file simulates a full disk.
    const words = ["-c", 'ulimit -f 1; exec "$0" "$@"', process.execPath, "--input-type=module", "-e", code];
    expect(spawnSync("sh", [...words, path], { encoding: "utf8" }).stderr).toContain("cannot be written");
    await journal.append(entry(99));
    await journal.close();
    const again = await openJournal(path);
    await again.journal.close();
    expect(again.entries.length).toBeGreaterThan(1);
    expect(again.entries.at(-1)).toEqual(entry(99));
  });
});

describe("annotations", () => {
  it("report a conflict if two programs mark one line differently, and lose no mark", async () => {
    const path = join(work, "two.jsonl");
    const [one, two] = [await openJournal(path), await openJournal(path)];
    const [first, second] = [one, two].map(({ journal, entries }) => createAnnotations(journal, entries));
    expect(await first?.change({ ...OF, changes: [{ line: 1, was: null, mark: "content" }] })).toEqual([]);
    expect(await second?.change({ ...OF, changes: [{ line: 1, was: null, mark: "boilerplate" }] })).toEqual([
      { line: 1, theirs: "content", yours: "boilerplate" },
    ]);
    // An equal mark is no conflict: an answer may have been lost.
    expect(await second?.change({ ...OF, changes: [{ line: 1, was: null, mark: "content" }] })).toEqual([]);
    expect(await second?.change({ ...OF, changes: [{ line: 2, was: null, mark: "title" }] })).toEqual([]);
    await first?.refresh();
    expect([...(first?.marksOf("ann", "a", "0") ?? [])]).toEqual([
      [1, "content"],
      [2, "title"],
    ]);
    await one.journal.close();
    await two.journal.close();
    expect(await readEntries(path)).toHaveLength(2);
  });

  it("are all kept if two programs write at the same time", async () => {
    const path = join(work, "both.jsonl");
    const [one, two] = [await openJournal(path), await openJournal(path)];
    const [first, second] = [one, two].map(({ journal, entries }) => createAnnotations(journal, entries));
    const mark = (line: number) => ({ ...OF, changes: [{ line, was: null, mark: "content" as const }] });
    for (let line = 0; line < 20; line += 2)
      await Promise.all([first?.change(mark(line)), second?.change(mark(line + 1))]);
    for (const annotations of [first, second]) {
      await annotations?.refresh();
      expect(annotations?.marksOf("ann", "a", "0").size).toBe(20);
    }
    await one.journal.close();
    await two.journal.close();
    expect(await readEntries(path)).toHaveLength(20);
  });

  it("made on other lines are counted as stale, and not returned", async () => {
    const { journal } = await openJournal(join(work, "stale.jsonl"));
    const annotations = createAnnotations(journal, [entry(1), { ...entry(2), digest: "1" }]);
    expect(annotations.marksOf("ann", "a", "0").size).toBe(1);
    expect(annotations.countStale("ann", "a", "0")).toBe(1);
    expect(annotations.marksOf("bob", "a", "0").size).toBe(0);
    await journal.close();
  });
});

describe("undo", () => {
  type Step = readonly (readonly [line: number, mark: "content" | "title" | null])[];
  const replay = (...steps: readonly Step[]) => {
    const none = {
      append: () => Promise.resolve(),
      readNew: () => Promise.resolve([]),
      close: () => Promise.resolve(),
    };
    const entries = steps.map((changes): JournalEntry => ({ at: "2026-01-01", ...OF, changes }));
    const { done, undone } = createAnnotations(none, entries).historyOf(OF.annotator, OF.key, OF.digest);
    const toLines = (of: typeof done) =>
      of.map((step) => step.map(({ line, was, mark }) => [line, was, mark]));
    return { done: toLines(done), undone: toLines(undone) };
  };

  it("is read from the journal, where it is an entry like others", () => {
    const [one, two]: Step[] = [
      [[0, "content"]],
      [
        [0, "title"],
        [1, "title"],
      ],
    ];
    if (one === undefined || two === undefined) throw new Error("there are two");
    const back: Step = [
      [0, "content"],
      [1, null],
    ];
    const asDone = [
      [[0, null, "content"]],
      [
        [0, "content", "title"],
        [1, null, "title"],
      ],
    ];
    expect(replay(one, two)).toEqual({ done: asDone, undone: [] });
    const undone = [
      [
        [0, "title", "content"],
        [1, "title", null],
      ],
    ];
    expect(replay(one, two, back)).toEqual({ done: asDone.slice(0, 1), undone });
    expect(replay(one, two, back, two)).toEqual({ done: asDone, undone: [] });
    // A new step after an undo discards the undone step.
    expect(replay(one, two, back, [[5, "content"]])).toEqual({
      done: [...asDone.slice(0, 1), [[5, null, "content"]]],
      undone: [],
    });
  });

  it("has a limit", () => {
    const steps = Array.from({ length: 500 }, (_, line): Step => [[line, "content"]]);
    expect(replay(...steps).done).toHaveLength(200);
    const long = Array.from({ length: 15_000 }, (_, line) => [line, "content"] as const);
    expect(
      replay(
        long,
        [[1, "title"]],
        long.map(([line]) => [line, "title"] as const),
      ).done,
    ).toHaveLength(2);
  });
});
