/** Tests cleaning in this process: in order, a few pages at a time, each of which can be given up. */
import { afterEach, describe, expect, it } from "vitest";
import type { Page } from "../../src/document.js";
import type { Labeller } from "../../src/label/labeller.js";
import type { LabellerChoice } from "../../src/label/labeller-choice.js";
import { UsageError } from "../../src/outcome.js";
import {
  createCleaner,
  openLabellers,
  OwnWorker,
  PAGES_AT_ONCE,
  type Cleaner,
  type OwnOptions,
} from "../../src/work/cleaner.js";
import { createQueue } from "../../src/work/queue.js";
import { OPTIONS } from "./cleaner-options.js";
import { html, longPage } from "./pages.js";

const never = new AbortController().signal;
const good = (number: number): Page => html(`good ${number}`, `<p>Page ${number}.`);
/** Keeps any extractor busy for tens of milliseconds. */
const LONG = longPage(60_000);

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function open(options: Partial<OwnOptions> = {}): Promise<Cleaner> {
  const choice = await openLabellers(OPTIONS);
  const cleaner = createCleaner({ ...OPTIONS, timeoutMs: 60_000, ...options }, choice);
  opened.push(cleaner, choice);
  return cleaner;
}

describe("a cleaner in this process", () => {
  it.each([
    { extractor: "page", isWatched: true },
    { extractor: "page", isWatched: false },
    { extractor: "body" },
  ] as const)("answers in the order of the requests: $extractor, $isWatched", async (options) => {
    const cleaner = await open(options);
    const pages = Array.from({ length: 5 * PAGES_AT_ONCE }, (_, number) => good(number));
    pages.splice(11, 0, LONG, { id: "text", url: "", content: { kind: "text", text: "One.\n\nTwo." } });
    const order: string[] = [];
    const cleaned = await Promise.all(
      pages.map(async (page) => {
        const { outcome } = await cleaner.clean(page, never);
        order.push(page.id);
        return outcome.ok && outcome.value.id;
      }),
    );
    expect(cleaned).toEqual(pages.map(({ id }) => id));
    expect(order).toEqual(cleaned);
    // It continues after it was idle.
    expect((await cleaner.clean(good(0), never)).outcome.ok).toBe(true);
  });

  it("stops labelling as well when time runs out, and continues", async () => {
    const options = { ...OPTIONS, labeller: "text", timeoutMs: 2500 } as const;
    const choice = await openLabellers(options);
    const labeller = await choice.of("text");
    const endless: Labeller = {
      ...labeller,
      label(batch, by) {
        while (batch[0]?.id === "endless") labeller.label(batch, by).catch(() => undefined);
        return labeller.label(batch, by);
      },
    };
    const cleaner = createCleaner(options, { ...choice, of: () => Promise.resolve(endless) });
    opened.push(cleaner, choice);
    const text = (id: string, lines: number): Page => {
      const content = { kind: "lines", lines: Array<string>(lines).fill("The bridge was closed.") } as const;
      return { id, url: "", content };
    };
    const many = await cleaner.clean(text("endless", 20_000), never);
    expect(many.outcome).toMatchObject({ ok: false, stage: "label", reason: "timeout", detail: "2500 ms" });
    expect((await cleaner.clean(text("short", 2), never)).outcome.ok).toBe(true);
  });

  it.each(["page", "body"] as const)("loses only pages that are given up: %s", async (extractor) => {
    const cleaner = await open({ extractor, isWatched: true });
    const giveUp = new AbortController();
    const all = Array.from({ length: 20 }, (_, number) => ({
      isGone: number % 3 === 0,
      cleaned: cleaner.clean(number === 3 ? LONG : good(number), number % 3 === 0 ? giveUp.signal : never),
    }));
    giveUp.abort(new Error("enough"));
    const settled = await Promise.allSettled(all.map(({ cleaned }) => cleaned));
    for (const [at, one] of settled.entries()) {
      if (all[at]?.isGone === true) expect(one).toMatchObject({ reason: new Error("enough") });
      else expect(one.status === "fulfilled" && one.value.outcome.ok).toBe(true);
    }
    await expect(cleaner.clean(good(0), giveUp.signal)).rejects.toThrow("enough");
  });

  it("lets timers run between two pages", async () => {
    const cleaner = await open();
    await cleaner.clean(good(0), never);
    const order: string[] = [];
    const pages = [1, 2, 3].map(async (number) => {
      await cleaner.clean({ ...LONG, id: String(number) }, never);
      order.push(`page ${number}`);
    });
    setTimeout(() => order.push("timer"), 1);
    await Promise.all(pages);
    expect(order.indexOf("timer")).toBeLessThan(2);
  });

  it.each(["page", "body"] as const)("tells waiting callers that it is closed: %s", async (extractor) => {
    const cleaner = await open({ extractor });
    const settled = Promise.allSettled([LONG, good(1), good(2)].map((page) => cleaner.clean(page, never)));
    await cleaner.close();
    for (const one of await settled)
      expect(one).toMatchObject({
        status: "rejected",
        reason: new UsageError("closed while it was working"),
      });
    await expect(cleaner.clean(good(3), never)).rejects.toThrow("closed while it was working");
  });
});

describe("a worker", () => {
  it("holds few pages, and reads on while it labels", async () => {
    const queue = createQueue();
    const choice = await openLabellers(OPTIONS);
    let [taken, answered, most, labelled] = [0, 0, 0, 0];
    const slow: LabellerChoice = {
      ...choice,
      async of(source) {
        const labeller = await choice.of(source);
        await new Promise((resolve) => setTimeout(resolve, 2));
        labelled += 1;
        return labeller;
      },
    };
    const takenWhenLabelled: number[] = [];
    const worker = new OwnWorker({ ...OPTIONS, extractor: "body" }, slow, (count) => {
      const some = queue.take(count);
      taken += some.length;
      most = Math.max(most, taken - answered);
      takenWhenLabelled.push(taken - labelled);
      return some;
    });
    const all = Array.from({ length: 50 }, async (_, number) => {
      await queue.ask(good(number), never);
      answered += 1;
    });
    worker.wake();
    await Promise.all(all);
    expect(most).toBe(PAGES_AT_ONCE);
    // No batch has to end before the next page is taken.
    expect(takenWhenLabelled.filter((count) => count === PAGES_AT_ONCE).length).toBeGreaterThan(25);
    await worker.close(new Error("closed"));
    await choice.close();
  });
});
