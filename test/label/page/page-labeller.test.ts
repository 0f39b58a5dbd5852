import { rmSync } from "node:fs";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { PAGE_TYPES, type Document, type LabelledLine, type Line } from "../../../src/document.js";
import { countLetters } from "../../../src/label/features/chars.js";
import { createWorkspace } from "../../../src/label/features/windows.js";
import { FOCUSES, type Labeller, type LabellerOptions } from "../../../src/label/labeller.js";
import { loadPageModel } from "../../../src/label/page/page-folder.js";
import { createPageLabeller } from "../../../src/label/page/page-folder.js";
import { scorePage } from "../../../src/label/page/page-labeller.js";
import type { PageLogits } from "../../../src/label/page/page-model.js";
import { chooseEngine } from "../../../src/label/network/engines.js";
import { openModel } from "../../../src/label/network/session.js";
import { writePageModel, type PageModelOptions } from "./page-model.js";
import { textDocument } from "../text/text-document.js";
import { labelOne, pageDocument } from "../page-document.js";

const folders: string[] = [];
const opened: Labeller[] = [];
afterAll(async () => {
  for (const labeller of opened) await labeller.close();
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function modelFolder(options: PageModelOptions = {}): string {
  const folder = writePageModel(options);
  folders.push(folder);
  return folder;
}

const shared = modelFolder();

async function open(options: Partial<LabellerOptions> = {}): Promise<Labeller> {
  const labeller = await createPageLabeller({ focus: "balanced", modelDir: shared, ...options });
  opened.push(labeller);
  return labeller;
}

const pageOf = (lines: readonly Partial<Line>[]): Document =>
  pageDocument(lines, { title: "The ferry that would not sink" });

const ARTICLE = pageOf([
  { text: "Home", path: "body>nav>ul>li", block: "li", linkChars: 4 },
  { text: "Log in", path: "body>nav>ul>li", block: "li", linkChars: 6 },
  { text: "The ferry that would not sink", path: "body>main>article.post>h1", block: "h1" },
  {
    text: "For forty years the old ferry has crossed the bay twice a day, and people have said it would sink.",
    path: "body>main>article.post>p",
    span: [400, 520],
  },
  { text: "“It looks younger than me now,” she said on the pier.", path: "body>main>article.post>p" },
  { text: "© 2021 All rights reserved", path: "body>footer#foot[role=contentinfo]>p" },
]);

/** A page with lines of many shapes, long enough for several small windows. */
const LONG = pageOf(
  Array.from({ length: 230 }, (_, at) => ({
    text: `${at % 7 === 0 ? "Menu" : "The boat came in late again, and nobody was on the pier"} ${at * at}`,
    path: at % 5 === 0 ? `body>nav>ul>li.item-${at % 3}` : `body>main>article#a${Math.floor(at / 50)}>p`,
    linkChars: at % 7 === 0 ? 4 : 0,
  })),
);

async function scoresIn(
  document: Document,
  options: PageModelOptions,
): Promise<PageLogits & { most: number }> {
  const folder = modelFolder(options);
  const model = loadPageModel(folder);
  const session = await openModel(model.network, folder, await chooseEngine());
  let most = 0;
  const counting: typeof session = {
    takesGroups: session.takesGroups,
    run: (input) => {
      most = Math.max(most, input.rows);
      return session.run(input);
    },
    close: () => session.close(),
  };
  const logits = await scorePage(document, { model, session: counting, workspace: createWorkspace() });
  await session.close();
  return { ...logits, most };
}

describe("the scores of a page", () => {
  it("are the same with any batch, in a second run, and during another call", async () => {
    const labeller = await open();
    const batch = [ARTICLE, pageOf([]), LONG, textDocument(["One line."])];
    const together = await labeller.label(batch);
    const apart = [];
    for (const document of batch) apart.push(await labelOne(labeller, document));
    expect(together).toEqual(apart);
    const atOnce = await Promise.all(batch.map((document) => labelOne(labeller, document)));
    expect(atOnce).toEqual(apart);
  });

  it("differ with the place of a line, and with the title of its page", async () => {
    const labeller = await open();
    const before = (await labelOne(labeller, ARTICLE)).lines.map(({ score }) => score);
    const moved = pageOf(ARTICLE.lines.map((line) => ({ ...line, path: "body>aside>div" })));
    expect((await labelOne(labeller, moved)).lines.map(({ score }) => score)).not.toEqual(before);
    const untitled = { ...ARTICLE, meta: {} };
    expect((await labelOne(labeller, untitled)).lines.map(({ score }) => score)).not.toEqual(before);
  });

  it("are those of the whole page in windows, none larger than the limit", async () => {
    // Each written folder has its own weights, so all windows are tried on one.
    const folder = modelFolder();
    const model = loadPageModel(folder);
    const session = await openModel(model.network, folder, await chooseEngine());
    const score = (window: { lines: number; context: number }): Promise<PageLogits> =>
      scorePage(LONG, { model: { ...model, window }, session, workspace: createWorkspace() });
    const whole = await score({ lines: 4096, context: 64 });
    for (const window of [
      { lines: 40, context: 8 },
      { lines: 100, context: 64 },
      { lines: 1, context: 1 },
    ]) {
      const parts = await score(window);
      for (const [line, logit] of parts.lines.entries())
        expect(logit).toBeCloseTo(whole.lines[line] ?? 99, 4);
    }
    await session.close();
    const { most } = await scoresIn(LONG, { window: { lines: 40, context: 8 } });
    expect(most).toBe(56);
  });

  it("weight each window's judgement of the page by its lines", async () => {
    const page = [0, 1, 2, 3, 4, 5, 6, 7];
    const { page: judged } = await scoresIn(LONG, {
      window: { lines: 40, context: 8 },
      page,
      isConstant: true,
    });
    for (const [at, logit] of judged.entries()) expect(logit).toBeCloseTo(page[at] ?? 99, 4);
  });

  it("are numbers for any text on any path", async () => {
    const labeller = await open();
    const junk = fc.oneof(
      fc.string({ unit: "binary", maxLength: 40 }),
      fc.constantFrom("\ud800", ">", "a>".repeat(5000), "div.[[[]", "p[role=", "\udfff>\0[=]"),
    );
    const line = fc.record({ text: junk, path: junk, linkChars: fc.nat(50) });
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), async (lines) => {
        const { lines: labelled, verdict } = await labelOne(labeller, pageOf(lines));
        expect(labelled).toHaveLength(lines.length);
        for (const { score } of labelled) expect(score >= 0 && score <= 1).toBe(true);
        expect(verdict?.score).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 40 },
    );
  });

  it("are computed in bounded windows for 100,000 lines with as many paths", async () => {
    const rows = Array.from({ length: 100_000 }, (_, at) => ({
      text: `Row ${at}`,
      path: `body>table>tbody>tr#r${at}`,
    }));
    const { lines, most } = await scoresIn(pageOf(rows), {});
    expect(lines).toHaveLength(100_000);
    expect(most).toBe(4096 + 2 * 64);
  });
});

describe("the labels of a page", () => {
  it("hide blank lines from the model, and keep one label per line", async () => {
    const labeller = await open();
    const { lines } = ARTICLE;
    const blank = { ...lines[0], text: " \u200b" };
    const mixed = await labelOne(labeller, pageOf([blank, ...lines, blank]));
    const plain = await labelOne(labeller, ARTICLE);
    expect(mixed.lines.slice(1, -1)).toEqual(plain.lines);
    expect(mixed.verdict).toEqual(plain.verdict);
    expect(mixed.lines[0]).toMatchObject({ score: 0, label: "boilerplate", why: "blank-line" });
    expect(mixed.lines.at(-1)).toMatchObject({ score: 0, label: "boilerplate", why: "blank-line" });
  });

  it("keep every field of the lines and of the document", async () => {
    const labelled = await labelOne(await open(), ARTICLE);
    for (const [at, line] of ARTICLE.lines.entries()) expect(labelled.lines[at]).toMatchObject(line);
    expect({ ...labelled, lines: ARTICLE.lines, verdict: undefined }).toEqual({
      ...ARTICLE,
      verdict: undefined,
    });
  });

  it("follow the page's cut, which the verdict states", async () => {
    for (const focus of FOCUSES) {
      const { lines, verdict } = await labelOne(await open({ focus }), LONG);
      const cut = verdict?.cut ?? Number.NaN;
      expect(cut).toBe(Math.round(cut * 1000) / 1000);
      expect(new Set(lines.map(({ label }) => label)).size).toBe(2);
      for (const { score, label } of lines) expect(label).toBe(score >= cut ? "content" : "boilerplate");
    }
  });

  it("keep no fewer lines under recall than under balanced, and no more under precision", async () => {
    const [precision, balanced, recall] = await Promise.all(
      FOCUSES.map(async (focus) => labelOne(await open({ focus }), LONG)),
    );
    const isContent = (of: Document<LabelledLine> | undefined, at: number): boolean =>
      of?.lines[at]?.label === "content";
    for (const at of LONG.lines.keys()) {
      expect(Number(isContent(precision, at))).toBeLessThanOrEqual(Number(isContent(balanced, at)));
      expect(Number(isContent(balanced, at))).toBeLessThanOrEqual(Number(isContent(recall, at)));
    }
  });

  it.each([0.0004, 0.5, 0.9996, 1])(
    "are cut at a threshold of %d and not where the page would be",
    async (threshold) => {
      const { lines, verdict } = await labelOne(await open({ cut: threshold }), LONG);
      expect(verdict?.cut).toBe(threshold);
      for (const { score, label } of lines)
        expect(label).toBe(score >= threshold ? "content" : "boilerplate");
    },
  );
});

describe("the verdict on a page", () => {
  it("states the likeliest type with its probability, and P(main content)", async () => {
    const page = [0, 0, 3, 0, 0, 0, 0, 1];
    const modelDir = modelFolder({
      page,
      isConstant: true,
      verdict: { slope: 2, offset: -1, threshold: 0.1 },
    });
    const { verdict } = await labelOne(await open({ modelDir }), ARTICLE);
    expect(verdict).toMatchObject({ type: "forum", typeScore: 0.77, score: 0.731 });
  });

  it("combines the network's judgement, the expected letters, and the highest logit of a line", async () => {
    const modelDir = modelFolder({
      page: [0, 0, 0, 0, 0, 0, 0, 2],
      isConstant: true,
      verdict: { slope: 0.5, letters: 0.3, highest: 0.2, offset: -1.5, threshold: 0 },
    });
    const { lines, verdict } = await labelOne(await open({ modelDir }), ARTICLE);
    const letters = lines.reduce((sum, { text, score }) => sum + score * countLetters(text, 10_000), 0);
    const highest = Math.max(...lines.map(({ score }) => score));
    const signs = 0.5 * 2 + 0.3 * Math.log1p(letters) + 0.2 * Math.log(highest / (1 - highest));
    expect(letters).toBeGreaterThan(5);
    expect(verdict?.score).toBeCloseTo(1 / (1 + Math.exp(1.5 - signs)), 2);
  });

  it("survives logits of any size", async () => {
    const page = [-1e30, -1e30, -1e30, 1e30, -1e30, -1e30, -1e30, -1e30];
    const modelDir = modelFolder({ page, isConstant: true });
    const { verdict } = await labelOne(await open({ modelDir }), ARTICLE);
    expect(verdict).toMatchObject({ type: "service", typeScore: 1, score: 0 });
  });

  it("keeps nothing of a page without main content, and gives the reason for each changed label", async () => {
    const judged = { slope: 0, offset: -3 };
    const full = modelFolder({ verdict: { ...judged, threshold: 0.047 } });
    const empty = modelFolder({ verdict: { ...judged, threshold: 0.048 } });
    const kept = await labelOne(await open({ modelDir: full, cut: 0.3 }), LONG);
    expect(kept.verdict?.score).toBe(0.047);
    expect(kept.lines.some(({ label }) => label === "content")).toBe(true);
    const emptied = await labelOne(await open({ modelDir: empty, cut: 0.3 }), LONG);
    for (const { score, label, why } of emptied.lines) {
      expect(label).toBe("boilerplate");
      expect(why).toBe(score >= 0.3 ? "nothing-here" : undefined);
    }
  });

  it.each([
    ["no line", pageOf([])],
    ["blank lines only", pageOf([{ text: " " }, { text: "\u200b" }])],
  ])("finds nothing on a page with %s", async (_, document) => {
    const { lines, verdict } = await labelOne(await open(), document);
    expect(lines.map(({ label }) => label)).toEqual(document.lines.map(() => "boilerplate"));
    expect(verdict?.score).toBe(0);
    expect(PAGE_TYPES).toContain(verdict?.type);
  });

  it("exists for plain text too", async () => {
    const { lines, verdict } = await labelOne(
      await open(),
      textDocument(ARTICLE.lines.map(({ text }) => text)),
    );
    expect(lines).toHaveLength(ARTICLE.lines.length);
    expect(verdict?.typeScore).toBeGreaterThanOrEqual(1 / PAGE_TYPES.length);
  });

  it("is required: a network without one throws", async () => {
    const labeller = await open({ modelDir: modelFolder({ judges: false }) });
    await expect(labeller.label([ARTICLE])).rejects.toThrow("page-random did not judge the page");
  });
});
