/** Pages for this process and for others: who cleans which, and that it makes no difference to the documents. */
import { setMaxListeners } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import type { Page } from "../../src/document.js";
import type { LabellerChoice } from "../../src/label/labeller-choice.js";
import { openLabellers, type Cleaner } from "../../src/work/cleaner.js";
import { createCleaners, type CleanersOptions } from "../../src/work/cleaners.js";
import { OPTIONS } from "./cleaner-options.js";

const never = new AbortController().signal;
setMaxListeners(0, never);
/** Long enough to find the other process at work, and yet small. */
const small = (number: number): Page => ({
  id: `small-${number}`,
  url: "",
  content: { kind: "html", html: `<p>Page ${number}. ${"Some <b>words</b> of it. ".repeat(4_000)}` },
});
const large = (number: number): Page => ({
  id: `large-${number}`,
  url: "",
  content: { kind: "html", html: `<p>Page ${number}. ${"Many <i>more</i> words. ".repeat(20_000)}` },
});

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

interface Watched {
  readonly cleaner: Cleaner;
  /** Ids of the documents that this process labelled. */
  readonly ownIds: Set<string>;
}

async function open(more: Pick<CleanersOptions, "workers" | "takesPart">): Promise<Watched> {
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

/** The other process has started when a page is not cleaned here. */
async function warmUp(watched: Watched): Promise<void> {
  for (let number = -1; number > -10_000; number -= 1) {
    await watched.cleaner.clean(small(number), never);
    if (!watched.ownIds.has(`small-${number}`)) break;
  }
  watched.ownIds.clear();
}

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

  it("are only others where this process has more to do", async () => {
    const watched = await open({ workers: 1 + 1, takesPart: false });
    await warmUp(watched);
    await cleanAll(watched, SMALL);
    expect([...watched.ownIds]).toEqual([]);
  });

  it("leave pages that would keep this process busy to others", async () => {
    const watched = await open({ workers: 2, takesPart: true });
    await warmUp(watched);
    const pages = Array.from({ length: 24 }, (_, number) =>
      number % 2 === 0 ? large(number) : small(number),
    );
    expect(await cleanAll(watched, pages)).toHaveLength(pages.length);
    expect([...watched.ownIds].filter((id) => id.startsWith("large"))).toEqual([]);
    expect([...watched.ownIds].filter((id) => id.startsWith("small"))).not.toEqual([]);
  });

  it("stop what takes too long where this process is one of them", async () => {
    const endless: Page = {
      ...large(0),
      content: { kind: "html", html: "<p>word <b>bold</b> ".repeat(600_000) },
    };
    const choice = await openLabellers(OPTIONS);
    for (const takesPart of [true, false]) {
      const cleaner = createCleaners({ ...OPTIONS, workers: 1, takesPart, timeoutMs: 200 }, choice);
      opened.push(cleaner);
      const [long, next] = await Promise.all([endless, small(1)].map((page) => cleaner.clean(page, never)));
      expect(long?.outcome).toMatchObject(takesPart ? { ok: false, reason: "timeout" } : { ok: true });
      expect(next?.outcome.ok).toBe(true);
    }
    opened.push(choice);
  });

  it("lose the page alone that this process cannot read", async () => {
    const watched = await open({ workers: 2, takesPart: true });
    await warmUp(watched);
    // What a bug in an extractor would look like: it throws. Its size is that of a small page.
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
