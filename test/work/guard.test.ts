/** Tests reading pages with a guard: the outcomes of each page and of its neighbours, in this thread and in another one. */
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import type { Page } from "../../src/document.js";
import { reject } from "../../src/outcome.js";
import { createGuard } from "../../src/work/cleaner.js";
import type { ReadPage } from "../../src/core/clean-page.js";
import type { Guard, GuardOptions } from "../../src/work/guard.js";
import { BUG, html, longPage } from "./pages.js";

const guards: Guard[] = [];
const open = (options: Partial<GuardOptions> = {}): Guard => {
  const guard = createGuard({
    extractor: "readability",
    leftOut: "drop",
    timeoutMs: 60_000, // nothing here takes so long, even on a busy machine
    ...options,
  });
  guards.push(guard);
  return guard;
};
const never = new AbortController().signal;
/** Reads all pages as a worker does: the waiting ones, until none is left. Some outcomes come together. */
async function readAll(
  guard: Guard,
  pages: readonly Page[],
  onGo?: (count: number) => void,
): Promise<ReadPage[]> {
  const waiting = pages.map((page) => ({ page, signal: never }));
  const all: ReadPage[] = [];
  for (let [first, ...others] = waiting; first !== undefined; [first, ...others] = waiting) {
    const some = await guard.read([first, ...others]);
    waiting.splice(0, some.length);
    onGo?.(some.length);
    all.push(...some);
  }
  return all;
}
const read = async (guard: Guard, page: Page, signal = never): Promise<ReadPage["outcome"]> =>
  (await guard.read([{ page, signal }]))[0].outcome;
const FIXTURES = new URL("../../fixtures/pages/", import.meta.url);
const GOOD = html("good", "<p>One line.<p>Another line.");

/** A page that keeps any extractor busy for longer than a millisecond. */
const LONG = longPage(60_000);

afterAll(async () => {
  await Promise.all(guards.map((guard) => guard.close()));
});

describe("the guard", () => {
  it("turns a page into lines in another thread", async () => {
    const outcome = await read(open(), GOOD);
    expect(outcome.ok && outcome.value.lines.map(({ text }) => text)).toEqual(["One line.", "Another line."]);
  });

  it("stops a page that takes too long, and continues", async () => {
    const guard = open();
    await read(guard, GOOD);
    const hurried = open({ timeoutMs: 1 });
    expect(await read(hurried, LONG)).toMatchObject({
      ok: false,
      id: "long",
      reason: "timeout",
      detail: "1 ms",
    });
    expect((await read(guard, GOOD)).ok).toBe(true);
  });

  it("does not count the start of the thread as time that a page took", async () => {
    const guard = open({ timeoutMs: 60 });
    // On a busy machine some of these may take too long by themselves, and the thread then starts again.
    for (let tries = 0; tries < 20; tries += 1) {
      const outcome = await read(guard, GOOD);
      if (outcome.ok && outcome.value.notes.length === 0) return;
    }
    expect.unreachable("each of 20 short pages took too long");
  });

  it("answers a crash with a reject for that page alone", async () => {
    const guard = open({ extractor: "body" });
    const [bug, good] = await readAll(guard, [BUG, GOOD]);
    expect(bug?.outcome).toMatchObject({ ok: false, id: "bug", stage: "extract", reason: "crashed" });
    expect(good?.outcome.ok).toBe(true);
  });

  it("survives a page that exhausts the memory of its thread, and says that another extractor took over", async () => {
    const guard = open({ maxHeapMb: 48 });
    const big = html("big", `<div>${"<i>x</i> ".repeat(150_000)}</div>`);
    const outcome = await read(guard, big);
    if (outcome.ok) expect(outcome.value.notes).toContain("readability-out-of-memory");
    else expect(outcome.reason).toBe("out-of-memory");
    expect((await read(guard, GOOD)).ok).toBe(true);
  });

  it("reads pages in the calling thread if the extractor is bounded", async () => {
    const guard = open({ extractor: "page" });
    const all = await readAll(guard, [GOOD, BUG, html("next", "<p>Still here.")]);
    const [good, bug, next] = all.map(({ outcome }) => outcome);
    expect(good?.ok && good.value.lines.map(({ text }) => text)).toEqual(["One line.", "Another line."]);
    expect(bug).toMatchObject({ ok: false, id: "bug", stage: "extract", reason: "crashed" });
    expect(next?.ok).toBe(true);
    // Another thread gives exactly the same reject.
    expect(await read(open({ extractor: "body" }), BUG)).toEqual(bug);
  });

  it("stops a page that takes too long in the calling thread as well, and continues", async () => {
    const hurried = open({ extractor: "page", timeoutMs: 1, isWatched: true });
    const [{ outcome, ms }] = await hurried.read([{ page: LONG, signal: never }]);
    expect(outcome).toEqual(reject(LONG, "extract", "timeout", "1 ms"));
    expect(ms).toBeGreaterThan(0);
    expect((await read(open({ extractor: "page" }), GOOD)).ok).toBe(true);
  });

  it("loses only the page that takes too long, out of many that wait in the calling thread", async () => {
    const guard = open({ extractor: "page", timeoutMs: 300, isWatched: true });
    const source = LONG.content.kind === "html" ? LONG.content.html.repeat(40) : "";
    const pages = Array.from({ length: 20 }, (_, number) => html(`good ${number}`, `<p>Page ${number}.`));
    pages.splice(7, 0, html("long 1", source), html("long 2", source), BUG);
    const goes: number[] = [];
    const all = await readAll(guard, pages, (count) => goes.push(count));
    for (const [at, { outcome, ms }] of all.entries()) {
      const page = pages[at] ?? GOOD;
      if (page.id.startsWith("long")) {
        expect(outcome).toEqual(reject(page, "extract", "timeout", "300 ms"));
        expect(ms).toBeGreaterThan(290);
      } else if (page.id === "bug") expect(outcome).toMatchObject({ ok: false, reason: "crashed" });
      else
        expect(outcome.ok && outcome.value.lines.map(({ text }) => text)).toEqual([
          `Page ${page.id.slice(5)}.`,
        ]);
    }
    expect(all).toHaveLength(pages.length);
    // Small pages are read together, and a stopped page ends its group.
    expect(goes.length).toBeLessThan(pages.length);
    expect(goes.length).toBeGreaterThan(2);
  });

  it("does not watch texts, next to a page or alone", async () => {
    const guard = open({ extractor: "page", timeoutMs: 1, isWatched: true });
    const text = "A line of text.\n".repeat(200_000);
    const page: Page = { id: "text", url: "", content: { kind: "text", text } };
    const bytes = { kind: "bytes", bytes: Buffer.from(text), format: "text" } as const;
    for (const content of [page.content, bytes]) {
      const outcome = await read(guard, { ...page, content });
      expect(outcome.ok && outcome.value.lines.length).toBe(200_000);
    }
    const [before, long, after] = await readAll(guard, [page, LONG, page]);
    expect(before?.outcome.ok).toBe(true);
    expect(long?.outcome).toEqual(reject(LONG, "extract", "timeout", "1 ms"));
    expect(after?.outcome.ok).toBe(true);
  });

  it("does not watch pages unless requested", async () => {
    const guard = open({ extractor: "page", timeoutMs: 1 });
    expect((await read(guard, LONG)).ok).toBe(true);
  });

  it("reads pages normally after others were stopped anywhere in the calling thread", async () => {
    const names = readdirSync(FIXTURES);
    const sources = names.map((name) =>
      html(name, readFileSync(new URL(`${name}/source.html`, FIXTURES), "latin1")),
    );
    const readSources = async (): Promise<unknown[]> => {
      const all = await readAll(open({ extractor: "page" }), sources);
      return all.map(({ outcome }) => outcome);
    };
    const before = await readSources();
    let stopped = 0;
    for (const [at, { id, content }] of sources.entries()) {
      const source = content.kind === "html" ? content.html : "";
      const often = Math.ceil(2_000_000 / source.length);
      const hurried = open({ extractor: "page", timeoutMs: 1 + (at % 8), isWatched: true });
      for (let again = 0; again < 3; again += 1) {
        const outcome = await read(hurried, html(id, source.repeat(often)));
        if (!outcome.ok && outcome.reason === "timeout") stopped += 1;
      }
    }
    expect(stopped).toBeGreaterThan(names.length);
    expect(await readSources()).toEqual(before);
  }, 60_000);

  it("loses one page to each that kills or blocks its thread, whatever runs beside it", async () => {
    const guard = open({ extractor: "body", maxHeapMb: 64 });
    const bomb = html("bomb", `<div>${"<i>x</i> ".repeat(300_000)}</div>`);
    const pages = Array.from({ length: 30 }, (_, number) => html(`good ${number}`, `<p>Page ${number}.`));
    pages.splice(5, 0, bomb, BUG);
    pages.splice(20, 0, { ...bomb, id: "bomb 2" });
    const all = await readAll(guard, pages);
    const outcomes = all.map(({ outcome }) => outcome);
    for (const [at, { outcome, ms }] of all.entries()) {
      const id = pages[at]?.id ?? "";
      if (outcome.ok) expect(outcome.value.id).toBe(id);
      else expect(outcome.id).toBe(id);
      if (id.startsWith("good")) expect(outcome.ok, id).toBe(true);
      // The clock of a thread that dies is lost: then this is the time until its death was noticed.
      expect(ms, id).toBeGreaterThan(0);
    }
    expect(outcomes[6]).toMatchObject({ ok: false, reason: "crashed" });
    for (const bombed of [outcomes[5], outcomes[20]])
      expect(bombed?.ok === true ? bombed.value.notes.join() : bombed?.reason).toMatch(/out-of-memory/);
  }, 120_000);

  it("stops at once when the caller gives up", async () => {
    const guard = open();
    const giveUp = new AbortController();
    const running = read(guard, LONG, giveUp.signal);
    giveUp.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
  });
});
