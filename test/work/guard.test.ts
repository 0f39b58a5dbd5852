import { readdirSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import type { Page } from "../../src/document.js";
import { reject } from "../../src/outcome.js";
import { createGuard, type Guard, type GuardOptions } from "../../src/work/guard.js";

const guards: Guard[] = [];
const open = (options: Partial<GuardOptions> = {}): Guard => {
  const guard = createGuard({
    extractor: "readability",
    leftOut: "drop",
    timeoutMs: 60_000, // nothing here takes so long, on a busy machine neither
    ...options,
  });
  guards.push(guard);
  return guard;
};
const never = new AbortController().signal;
const FIXTURES = new URL("../../fixtures/pages/", import.meta.url);
const html = (id: string, source: string): Page => ({ id, url: "", content: { kind: "html", html: source } });
const GOOD = html("good", "<p>One line.<p>Another line.");

/** A page that keeps any extractor busy for longer than a millisecond. */
const LONG = html("long", `<p>${"word <b>bold</b> ".repeat(60_000)}`);
/** What a bug in an extractor would look like: the thread throws. */
const BUG: Page = { id: "bug", url: "", content: { kind: "html", html: 7 as unknown as string } };

afterAll(async () => {
  await Promise.all(guards.map((guard) => guard.close()));
});

describe("the guard", () => {
  it("turns a page into lines in another thread", async () => {
    const outcome = await open().run(GOOD, never);
    expect(outcome.ok && outcome.value.lines.map(({ text }) => text)).toEqual(["One line.", "Another line."]);
  });

  it("stops a page that takes too long, and goes on", async () => {
    const guard = open();
    await guard.run(GOOD, never);
    const hurried = open({ timeoutMs: 1 });
    expect(await hurried.run(LONG, never)).toMatchObject({
      ok: false,
      id: "long",
      reason: "timeout",
      detail: "1 ms",
    });
    expect((await guard.run(GOOD, never)).ok).toBe(true);
  });

  it("answers a crash with a reject for that page alone", async () => {
    const guard = open({ extractor: "body" });
    const [bug, good] = await Promise.all([guard.run(BUG, never), guard.run(GOOD, never)]);
    expect(bug).toMatchObject({ ok: false, id: "bug", stage: "extract", reason: "crashed" });
    expect(good.ok).toBe(true);
  });

  it("survives a page that exhausts the memory of its thread, and says that another extractor took over", async () => {
    const guard = open({ maxHeapMb: 48 });
    const big = html("big", `<div>${"<i>x</i> ".repeat(150_000)}</div>`);
    const outcome = await guard.run(big, never);
    if (outcome.ok) expect(outcome.value.notes).toContain("readability-out-of-memory");
    else expect(outcome.reason).toBe("out-of-memory");
    expect((await guard.run(GOOD, never)).ok).toBe(true);
  });

  it("reads pages in the calling thread where the extractor is bounded", async () => {
    const guard = open({ extractor: "page" });
    const [good, bug, next] = await Promise.all([
      guard.run(GOOD, never),
      guard.run(BUG, never),
      guard.run(html("next", "<p>Still here."), never),
    ]);
    expect(good.ok && good.value.lines.map(({ text }) => text)).toEqual(["One line.", "Another line."]);
    expect(bug).toMatchObject({ ok: false, id: "bug", stage: "extract", reason: "crashed" });
    expect(next.ok).toBe(true);
    // The same reject, word for word, from another thread.
    expect(await open({ extractor: "body" }).run(BUG, never)).toEqual(bug);
    await expect(guard.run(GOOD, AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
  });

  it("stops a page that takes too long in the calling thread as well, and goes on", async () => {
    const hurried = open({ extractor: "page", timeoutMs: 1, isWatched: true });
    let took = 0;
    const outcome = await hurried.run(LONG, never, (ms) => (took = ms));
    expect(outcome).toEqual(reject(LONG, "extract", "timeout", "1 ms"));
    expect(took).toBeGreaterThan(0);
    expect((await open({ extractor: "page" }).run(GOOD, never)).ok).toBe(true);
  });

  it("loses only the page that takes too long, of many that wait in the calling thread", async () => {
    const guard = open({ extractor: "page", timeoutMs: 300, isWatched: true });
    const source = LONG.content.kind === "html" ? LONG.content.html.repeat(40) : "";
    const pages = Array.from({ length: 20 }, (_, number) => html(`good ${number}`, `<p>Page ${number}.`));
    pages.splice(7, 0, html("long 1", source), html("long 2", source), BUG);
    const giveUp = new AbortController();
    const gone = guard.run(html("given up", source), giveUp.signal);
    const times = new Map<string, number>();
    const outcomes = pages.map((page) => guard.run(page, never, (ms) => times.set(page.id, ms)));
    giveUp.abort(new Error("enough"));
    await expect(gone).rejects.toThrow("enough");
    for (const [at, outcome] of (await Promise.all(outcomes)).entries()) {
      const page = pages[at] ?? GOOD;
      if (page.id.startsWith("long")) {
        expect(outcome).toEqual(reject(page, "extract", "timeout", "300 ms"));
        expect(times.get(page.id)).toBeGreaterThan(290);
      } else if (page.id === "bug") expect(outcome).toMatchObject({ ok: false, reason: "crashed" });
      else
        expect(outcome.ok && outcome.value.lines.map(({ text }) => text)).toEqual([
          `Page ${page.id.slice(5)}.`,
        ]);
    }
    expect(times.size).toBe(pages.length);
  });

  it("watches no text, beside a page as well as alone", async () => {
    const guard = open({ extractor: "page", timeoutMs: 1, isWatched: true });
    const text = "A line of text.\n".repeat(200_000);
    const page: Page = { id: "text", url: "", content: { kind: "text", text } };
    const bytes = { kind: "bytes", bytes: Buffer.from(text), format: "text" } as const;
    for (const content of [page.content, bytes]) {
      const outcome = await guard.run({ ...page, content }, never);
      expect(outcome.ok && outcome.value.lines.length).toBe(200_000);
    }
    const [before, long, after] = await Promise.all([page, LONG, page].map((one) => guard.run(one, never)));
    expect(before?.ok).toBe(true);
    expect(long).toEqual(reject(LONG, "extract", "timeout", "1 ms"));
    expect(after?.ok).toBe(true);
  });

  it("watches no page where it is not asked to", async () => {
    const guard = open({ extractor: "page", timeoutMs: 1 });
    expect((await guard.run(LONG, never)).ok).toBe(true);
  });

  it("reads pages as ever after others were stopped in the calling thread, wherever that was", async () => {
    const names = readdirSync(FIXTURES);
    const sources = names.map((name) =>
      html(name, readFileSync(new URL(`${name}/source.html`, FIXTURES), "latin1")),
    );
    const readAll = async (): Promise<unknown[]> => {
      const patient = open({ extractor: "page" });
      return Promise.all(sources.map((page) => patient.run(page, never)));
    };
    const before = await readAll();
    let stopped = 0;
    for (const [at, { id, content }] of sources.entries()) {
      const source = content.kind === "html" ? content.html : "";
      const often = Math.ceil(2_000_000 / source.length);
      const hurried = open({ extractor: "page", timeoutMs: 1 + (at % 8), isWatched: true });
      for (let again = 0; again < 3; again += 1) {
        const outcome = await hurried.run(html(id, source.repeat(often)), never);
        if (!outcome.ok && outcome.reason === "timeout") stopped += 1;
      }
    }
    expect(stopped).toBeGreaterThan(names.length);
    expect(await readAll()).toEqual(before);
  }, 60_000);

  it("lets timers in between two pages of the calling thread", async () => {
    const guard = open({ extractor: "page" });
    await guard.run(GOOD, never);
    const order: string[] = [];
    const pages = [1, 2, 3].map(async (n) => {
      await guard.run(LONG, never);
      order.push(`page ${n}`);
    });
    setTimeout(() => order.push("timer"), 1);
    await Promise.all(pages);
    expect(order.indexOf("timer")).toBeLessThan(2);
  });

  it("loses one page to each that kills or hangs its thread, whatever runs beside it", async () => {
    const guard = open({ extractor: "body", maxHeapMb: 64 });
    const bomb = html("bomb", `<div>${"<i>x</i> ".repeat(300_000)}</div>`);
    const pages = Array.from({ length: 30 }, (_, number) => html(`good ${number}`, `<p>Page ${number}.`));
    pages.splice(5, 0, bomb, BUG);
    pages.splice(20, 0, { ...bomb, id: "bomb 2" });
    const times = new Map<string, number>();
    const outcomes = await Promise.all(
      pages.map((page) => guard.run(page, never, (ms) => times.set(page.id, ms + (times.get(page.id) ?? 0)))),
    );
    for (const [at, outcome] of outcomes.entries()) {
      const id = pages[at]?.id ?? "";
      if (outcome.ok) expect(outcome.value.id).toBe(id);
      else expect(outcome.id).toBe(id);
      if (id.startsWith("good")) expect(outcome.ok, id).toBe(true);
      // A thread that dies takes its clock along: then it is the time until that was known.
      expect(times.get(id), id).toBeGreaterThan(0);
    }
    expect(outcomes[6]).toMatchObject({ ok: false, reason: "crashed" });
    for (const bombed of [outcomes[5], outcomes[20]])
      expect(bombed?.ok === true ? bombed.value.notes.join() : bombed?.reason).toMatch(/out-of-memory/);
  }, 120_000);

  it("lets go at once when the caller gives up", async () => {
    const guard = open();
    const giveUp = new AbortController();
    const running = guard.run(LONG, giveUp.signal);
    giveUp.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
  });
});
