/**
 * Tests sharing pages between this process and others: the documents are the same whichever process cleans them, and each
 * process that dies costs one page.
 */
import { execFile } from "node:child_process";
import { setMaxListeners } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Page } from "../../src/document.js";
import type { LabellerChoice } from "../../src/label/labeller-choice.js";
import { UsageError } from "../../src/outcome.js";
import { createCleaner, openLabellers, type Cleaner } from "../../src/work/cleaner.js";
import { createCleaners, type CleanersOptions } from "../../src/work/cleaners.js";
import { OPTIONS } from "./cleaner-options.js";
import { BUG, html, longPage } from "./pages.js";

const never = new AbortController().signal;
setMaxListeners(0, never);
const GOOD = html("good", "<p>One line that is long enough to be content, as rules see it.");
/** Keeps any extractor busy for a second or so. */
const LONG = longPage(300_000);
/** Keeps any extractor busy for longer than a process takes to start. */
const VERY_LONG = longPage(1_000_000);
/** Fills 24 MB. */
const BOMB_HTML = `<div>${"<i>x</i> ".repeat(400_000)}</div>`;
const BOMB = html("bomb", BOMB_HTML);
/** Makes an unread line of JSON Lines, as processes get it. */
const record = (text: string, number: number): Page => {
  const content = { line: Buffer.from(text), number, input: "in.jsonl", maxBytes: 10_000_000 };
  return { id: `in.jsonl:${number}`, url: "", content: { kind: "record", ...content } };
};
/** Makes a page that is long enough to find the other process busy, but still small. */
const small = (number: number): Page =>
  html(`small-${number}`, `<p>Page ${number}. ${"Some <b>words</b> of it. ".repeat(4_000)}`);
const large = (number: number): Page =>
  html(`large-${number}`, `<p>Page ${number}. ${"Many <i>more</i> words. ".repeat(20_000)}`);

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const one of opened.splice(0)) await one.close();
});

interface Watched {
  readonly cleaner: Cleaner;
  /** Ids of the documents that this process labelled. */
  readonly ownIds: Set<string>;
}

type OpenOptions = Pick<CleanersOptions, "workers" | "takesPart"> & Partial<CleanersOptions>;

async function open(more: OpenOptions): Promise<Watched> {
  const choice = await openLabellers(OPTIONS);
  const ownIds = new Set<string>();
  const watching: LabellerChoice = {
    ...choice,
    async of(source) {
      const labeller = await choice.of(source);
      return {
        ...labeller,
        label(documents) {
          for (const { id } of documents) ownIds.add(id);
          return labeller.label(documents);
        },
      };
    },
  };
  const cleaner = createCleaners({ ...OPTIONS, ...more }, watching);
  opened.push(cleaner, choice);
  return { cleaner, ownIds };
}

async function cleanAll({ cleaner }: Watched, pages: readonly Page[]): Promise<unknown[]> {
  const cleaned = await Promise.all(pages.map((page) => cleaner.clean(page, never)));
  return cleaned.map(({ outcome, counts }) => ({ outcome, counts }));
}

/** Cleans pages until one is not cleaned here, which shows that the other process has started. */
async function warmUp(watched: Watched): Promise<void> {
  for (let number = -1; number > -10_000; number -= 1) {
    await watched.cleaner.clean(small(number), never);
    if (!watched.ownIds.has(`small-${number}`)) break;
  }
  watched.ownIds.clear();
}

/** Opens `workers` other processes, one of which has started; this process cleans no page. */
async function openOthers(more: Partial<CleanersOptions> = {}): Promise<Cleaner> {
  const watched = await open({ workers: 2, takesPart: false, ...more });
  await warmUp(watched);
  return watched.cleaner;
}

/** Returns the ids of processes that this one started to clean pages, and that have used this number of seconds of CPU time. */
async function findProcesses(seconds = 0): Promise<number[]> {
  const shown = ["-o", "pid=,times=,args=", "--ppid", String(process.pid)];
  const { stdout } = await promisify(execFile)("ps", shown);
  return stdout
    .split("\n")
    .filter((line) => line.includes("process-body"))
    .map((line) => line.trim().split(/ +/).map(Number))
    .flatMap(([pid = 0, used = 0]) => (used >= seconds ? [pid] : []));
}

const LOOK_MS = 100;

const SMALL = Array.from({ length: 60 }, (_, number) => small(number));

describe("workers", () => {
  it("are this process and others, which give the same documents", async () => {
    const alone = await open({ workers: 1, takesPart: true });
    const both = await open({ workers: 2, takesPart: true });
    await warmUp(both);
    expect(await cleanAll(both, SMALL)).toEqual(await cleanAll(alone, SMALL));
    expect(alone.ownIds.size).toBe(SMALL.length);
    expect(both.ownIds.size).toBeGreaterThan(SMALL.length / 10);
    expect(both.ownIds.size).toBeLessThan((SMALL.length * 9) / 10);
  });

  it("are only other processes if this process is busy", async () => {
    const watched = await open({ workers: 1 + 1, takesPart: false });
    await warmUp(watched);
    await cleanAll(watched, SMALL);
    expect([...watched.ownIds]).toEqual([]);
  });

  it("leave pages that would block this process to others", async () => {
    const watched = await open({ workers: 2, takesPart: true });
    await warmUp(watched);
    const pages = Array.from({ length: 24 }, (_, number) =>
      number % 2 === 0 ? large(number) : small(number),
    );
    expect(await cleanAll(watched, pages)).toHaveLength(pages.length);
    expect([...watched.ownIds].filter((id) => id.startsWith("large"))).toEqual([]);
    expect([...watched.ownIds].filter((id) => id.startsWith("small"))).not.toEqual([]);
  });

  it("give up pages that take too long, in this process or in another", async () => {
    const endless: Page = {
      ...large(0),
      content: { kind: "html", html: "<p>word <b>bold</b> ".repeat(1_000_000) },
    };
    const choice = await openLabellers(OPTIONS);
    for (const takesPart of [true, false]) {
      const cleaner = createCleaners({ ...OPTIONS, workers: 1, takesPart, timeoutMs: 1000 }, choice);
      opened.push(cleaner);
      const [long, next] = await Promise.all([endless, GOOD].map((page) => cleaner.clean(page, never)));
      const gaveUp = { ok: false, stage: "extract", reason: "timeout", detail: "1000 ms" };
      expect(long?.outcome).toMatchObject(gaveUp);
      expect(next?.outcome.ok).toBe(true);
    }
    opened.push(choice);
  });

  it("lose only the page that this process cannot read", async () => {
    const watched = await open({ workers: 2, takesPart: true });
    await warmUp(watched);
    // These make an extractor throw, as a bug would, and have the size of a small page.
    const bugs = Array.from({ length: 30 }, (_, number): Page => {
      const html = { length: 9 } as unknown as string;
      return { id: `bug-${number}`, url: "", content: { kind: "html", html } };
    });
    const cleaned = await Promise.all(
      SMALL.flatMap((page, number) => [page, ...bugs.slice(number, number + 1)]).map((page) =>
        watched.cleaner.clean(page, never),
      ),
    );
    const failed = cleaned.filter(({ outcome }) => !outcome.ok).map(({ outcome }) => outcome);
    expect(failed).toHaveLength(bugs.length);
    for (const outcome of failed) expect(outcome).toMatchObject({ ok: false, reason: "crashed" });
    expect(watched.ownIds.size).toBeGreaterThan(0);
  });
});

describe("processes that clean pages", () => {
  it("give the same results as this process, errors included", async () => {
    const pages = readdirSync("fixtures/pages").map((slug): Page => {
      const bytes = new Uint8Array(readFileSync(`fixtures/pages/${slug}/source.html`));
      return { id: slug, url: "", content: { kind: "bytes", bytes, format: "html" } };
    });
    pages.push(BUG, html("empty", "<script>x</script>"), {
      id: "text",
      url: "",
      content: { kind: "text", text: "a\n\nb" },
    });
    const choice = await openLabellers(OPTIONS);
    const cleanBy = async (cleaner: Cleaner): Promise<unknown[]> => {
      const cleaned = await Promise.all(pages.map((page) => cleaner.clean(page, never)));
      return cleaned.map(({ ms, ...rest }) => ({ ...rest, tookTime: ms > 0 }));
    };
    const own = createCleaner(OPTIONS, choice);
    opened.push(own, choice);
    const here = await cleanBy(own);
    expect(await cleanBy(await openOthers({ workers: 3 }))).toEqual(here);
    expect(JSON.stringify(here)).toContain('"reason":"crashed"');
    expect(await findProcesses()).toHaveLength(3);
  });

  it("read records themselves, and name the record at which they die", async () => {
    const texts = [
      JSON.stringify({ id: "good", html: `<p>${"One line that is long enough. ".repeat(200)}`, year: 1990 }),
      JSON.stringify({ id: "number", html: 7 }),
      `{"id":"broken","html":"<p>`,
      JSON.stringify({ id: "deep", html: `${"<div>".repeat(3000)}One line that is long enough.` }),
    ];
    const records = texts.map((text, at) => record(text, at + 1));
    const choice = await openLabellers(OPTIONS);
    const own = createCleaner(OPTIONS, choice);
    opened.push(own, choice);
    const cleanBy = async (cleaner: Cleaner): Promise<unknown[]> => {
      const cleaned = await Promise.all(records.map((page) => cleaner.clean(page, never)));
      return cleaned.map(({ outcome, counts }) => ({ outcome, counts }));
    };
    const here = await cleanBy(own);
    expect(await cleanBy(await openOthers({ maxHeapMb: 24 }))).toEqual(here);
    expect(here).toMatchObject([
      { outcome: { ok: true, value: { id: "good", carried: '{"year":1990}' } } },
      { outcome: { ok: false, id: "number", stage: "acquire", reason: "bad-record" } },
      { outcome: { ok: false, id: "in.jsonl:3", stage: "acquire", reason: "not-json" } },
      { outcome: { ok: true, value: { id: "deep" } } },
    ]);
    const bomb = JSON.stringify({ id: "bomb", url: "https://example.org/bomb", html: BOMB_HTML });
    const last = opened.at(-2) as Cleaner; // the one with little memory
    expect(await last.clean(record(bomb, 5), never)).toMatchObject({
      outcome: { ok: false, id: "bomb", url: "https://example.org/bomb", reason: "out-of-memory" },
    });
  });

  it("start only when there is work for them", async () => {
    const { cleaner, ownIds } = await open({ workers: 8, takesPart: false });
    await cleaner.clean(GOOD, never);
    expect(await findProcesses()).toEqual([]);
    await cleaner.clean(GOOD, never);
    expect(await findProcesses()).toHaveLength(1);
    await warmUp({ cleaner, ownIds });
    expect(await findProcesses()).toHaveLength(1);
  });

  it.each([1, 2])(
    "lose no page if they are killed once, and one page if they are killed twice: %i",
    async (times) => {
      // This process takes part, so that there is one other.
      const cleaner = await openOthers({ takesPart: true, timeoutMs: 60_000 });
      const [long, ...others] = [VERY_LONG, GOOD, GOOD, GOOD].map((page) => cleaner.clean(page, never));
      const killed: number[] = [];
      while (killed.length < times) {
        // Each check costs as much as a small page.
        await wait(LOOK_MS);
        const pid = (await findProcesses(2)).find((one) => !killed.includes(one));
        if (pid === undefined) continue;
        process.kill(pid, "SIGKILL");
        killed.push(pid);
      }
      expect(await long).toMatchObject(
        times === 1
          ? { outcome: { ok: true, value: { id: "long" } } }
          : {
              outcome: { ok: false, id: "long", reason: "crashed", detail: "its process ended with SIGKILL" },
            },
      );
      for (const other of await Promise.all(others)) expect(other.outcome.ok).toBe(true);
      for (const pid of killed) expect(await findProcesses()).not.toContain(pid);
    },
  );

  it("lose the page that fills their memory, and say so", async () => {
    const cleaner = await openOthers({ maxHeapMb: 24 });
    const cleaned = await Promise.all([GOOD, BOMB, GOOD].map((page) => cleaner.clean(page, never)));
    expect(cleaned.map(({ outcome }) => outcome.ok)).toEqual([true, false, true]);
    expect(cleaned[1]?.outcome).toMatchObject({ reason: "out-of-memory", detail: "24 MB" });
  });

  it("are killed if they take too long for one page", async () => {
    // This process takes part, so that there is one other; a stopped one never ends.
    const cleaner = await openOthers({ takesPart: true, maxPageMs: 3000 });
    const [pid] = await findProcesses();
    const [long, ...others] = [LONG, GOOD, GOOD].map((page) => cleaner.clean(page, never));
    process.kill(pid ?? 0, "SIGSTOP");
    expect(await long).toMatchObject({
      outcome: { ok: false, id: "long", reason: "timeout", detail: "3000 ms" },
    });
    for (const other of await Promise.all(others)) expect(other).toMatchObject({ outcome: { ok: true } });
  });

  it("stop at once when the caller gives up", async () => {
    const giveUp = new AbortController();
    const running = (await openOthers()).clean(LONG, giveUp.signal);
    giveUp.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
  });

  it("keep pages that kill them away from this process, however many there are", async () => {
    const watched = await open({ workers: 2, takesPart: false, maxHeapMb: 24 });
    await warmUp(watched);
    const pages = [1, 2, 3].map((number) => ({ ...BOMB, id: `bomb ${number}` }));
    const cleaned = await Promise.all(pages.map((page) => watched.cleaner.clean(page, never)));
    for (const { outcome } of cleaned) expect(outcome).toMatchObject({ ok: false, reason: "out-of-memory" });
    expect([...watched.ownIds]).toEqual([]);
  });

  it("leave all pages to this process if none can be started", async () => {
    vi.stubEnv("NODE_OPTIONS", "--no-such-option");
    const { cleaner, ownIds } = await open({ workers: 3, takesPart: false });
    for (let number = 0; number < 10; number += 1) {
      const [one, two] = await Promise.all([GOOD, small(number)].map((page) => cleaner.clean(page, never)));
      expect([one?.outcome.ok, two?.outcome.ok]).toEqual([true, true]);
    }
    expect(ownIds.size).toBe(1 + 10);
  });

  it("pass on errors of a model", async () => {
    const { cleaner, ownIds } = await open({
      ...{ workers: 2, takesPart: false },
      ...{ labeller: "text", modelDir: "fixtures" },
    });
    await expect(warmUp({ cleaner, ownIds })).rejects.toThrow("the model in fixtures cannot be used");
  });

  it("settle all pages when they are closed", async () => {
    const cleaner = await openOthers();
    const settled = Promise.allSettled([LONG, ...SMALL].map((page) => cleaner.clean(page, never)));
    await cleaner.close();
    expect((await settled)[0]).toMatchObject({
      status: "rejected",
      reason: new UsageError("closed while it was working"),
    });
    expect(await findProcesses()).toEqual([]);
  });

  it("do not outlive the process that started them, and do not keep it alive", async () => {
    const body = `
      import { execFileSync } from "node:child_process";
      import { setTimeout } from "node:timers/promises";
      import { openLabellers } from "./dist/work/cleaner.js";
      import { createCleaners } from "./dist/work/cleaners.js";
      const options = ${JSON.stringify(OPTIONS)};
      const cleaner = createCleaners({ ...options, workers: 2, takesPart: false }, await openLabellers(options));
      for (let page = 0; page < 30; page += 1) {
        await cleaner.clean(${JSON.stringify(GOOD)}, new AbortController().signal);
        await setTimeout(20);
      }
      console.log(execFileSync("ps", ["-o", "pid=,args=", "--ppid", String(process.pid)], { encoding: "utf8" }));`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", body]);
    const pid = Number.parseInt(stdout.split("\n").find((line) => line.includes("process-body")) ?? "", 10);
    expect(pid).toBeGreaterThan(0);
    await vi.waitFor(() => {
      expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    }, 20_000);
  });
});
