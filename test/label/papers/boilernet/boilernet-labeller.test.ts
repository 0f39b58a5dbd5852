import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { Document } from "../../../../src/document.js";
import { UsageError } from "../../../../src/outcome.js";
import {
  createBoilernetLabeller,
  openLineEncoder,
  scoreLines,
} from "../../../../src/label/papers/boilernet/boilernet-labeller.js";
import { loadBoilernetModel } from "../../../../src/label/papers/boilernet/boilernet-model.js";
import { FOCUSES, type Labeller, type LabellerOptions } from "../../../../src/label/labeller.js";
import { chooseEngine } from "../../../../src/label/network/engines.js";
import { openNetwork } from "../../../../src/label/network/session.js";
import { textDocument } from "../../text/text-document.js";
import { labelOne, pageDocument } from "../../page-document.js";

const MODELS = fileURLToPath(new URL("../../../../models/", import.meta.url));
const FOLDERS = ["boilernet-1", "multiboilernet-1"].map((name) => join(MODELS, name));
const [WORDS = "", VECTORS = ""] = FOLDERS;

const made: string[] = [];
const opened: Labeller[] = [];
afterAll(async () => {
  for (const labeller of opened) await labeller.close();
  for (const folder of made) rmSync(folder, { recursive: true });
});

async function open(options: Partial<LabellerOptions> = {}): Promise<Labeller> {
  const labeller = await createBoilernetLabeller({ focus: "balanced", ...options });
  opened.push(labeller);
  return labeller;
}

const ARTICLE = pageDocument([
  { text: "Home", path: "body>div#menu>ul>li", block: "li", linkChars: 4 },
  { text: "Log in", path: "body>div#menu>ul>li", block: "li", linkChars: 6 },
  { text: "Contact", path: "body>div#menu>ul>li", block: "li", linkChars: 7 },
  { text: "The ferry that would not sink", path: "body>div#main>h1", block: "h1" },
  {
    text: "For forty years the old ferry has crossed the bay twice a day, and people have said it would sink on the next trip.",
    path: "body>div#main>p",
  },
  {
    text: "“It looks younger than me now,” she said on the pier, while the last cars rolled off and the crew tied the ropes.",
    path: "body>div#main>p",
  },
  {
    text: "The company wants to replace it in two years, but nobody in the village believes that the new one will come in time.",
    path: "body>div#main>p",
  },
  { text: "Privacy", path: "body>div#foot>ul>li", block: "li", linkChars: 7 },
  { text: "© 2021 All rights reserved", path: "body>div#foot>p" },
]);

/** Makes a page with lines of many kinds, which fill several windows. */
function longPage(lines: number): Document {
  return pageDocument(
    Array.from({ length: lines }, (_, at) => ({
      text: `${at % 7 === 0 ? "Menu" : "The boat came in late again, and nobody was on the pier"} ${at * at}`,
      path: at % 5 === 0 ? `body>ul>li.item-${at % 3}` : `body>div#a${Math.floor(at / 50)}>p`,
      linkChars: at % 7 === 0 ? 4 : 0,
    })),
  );
}

describe.each(FOLDERS)("the labels by %s", (modelDir) => {
  it("distinguish an article from the menus around it", async () => {
    const { lines } = await labelOne(await open({ modelDir }), ARTICLE);
    const score = (at: number): number => lines[at]?.score ?? Number.NaN;
    for (const paragraph of [4, 5, 6])
      for (const menu of [0, 1, 2, 7]) expect(score(paragraph)).toBeGreaterThan(score(menu));
  });

  it("are the same with any batch, in a second run, and during another call", async () => {
    const labeller = await open({ modelDir });
    const batch = [ARTICLE, pageDocument([]), longPage(90), pageDocument([{}])];
    const together = await labeller.label(batch);
    const apart = [];
    for (const document of batch) apart.push(await labelOne(labeller, document));
    expect(together).toEqual(apart);
    expect(await Promise.all(batch.map((document) => labelOne(labeller, document)))).toEqual(apart);
  });

  it("differ with the tags of a line, and with its text", async () => {
    const labeller = await open({ modelDir });
    const scoresOf = async (document: Document): Promise<number[]> =>
      (await labelOne(labeller, document)).lines.map(({ score }) => score);
    const before = await scoresOf(ARTICLE);
    const moved = pageDocument(ARTICLE.lines.map((line) => ({ ...line, path: "body>table>tbody>tr>td>a" })));
    expect(await scoresOf(moved)).not.toEqual(before);
    const other = pageDocument(ARTICLE.lines.map((line) => ({ ...line, text: "Next page" })));
    expect(await scoresOf(other)).not.toEqual(before);
  });

  it("hide blank lines from the network, and keep every field", async () => {
    const labeller = await open({ modelDir });
    const blank = { ...ARTICLE.lines[0], text: " \u200b" };
    const mixed = await labelOne(labeller, pageDocument([blank, ...ARTICLE.lines, blank]));
    expect(mixed.lines.slice(1, -1)).toEqual((await labelOne(labeller, ARTICLE)).lines);
    expect(mixed.lines[0]).toMatchObject({ score: 0, label: "boilerplate", why: "blank-line" });
    for (const [at, line] of ARTICLE.lines.entries()) expect(mixed.lines[at + 1]).toMatchObject(line);
  });

  it("follow the focus, and an explicit threshold", async () => {
    const counts = [];
    for (const focus of FOCUSES) {
      const { lines } = await labelOne(await open({ modelDir, focus }), longPage(300));
      counts.push(lines.filter(({ label }) => label === "content").length);
    }
    expect(counts.toSorted((a, b) => a - b)).toEqual(counts);
    const { lines } = await labelOne(await open({ modelDir, cut: 0.75 }), longPage(300));
    for (const { score, label } of lines) expect(label).toBe(score >= 0.75 ? "content" : "boilerplate");
  });

  it("are numbers for any text on any path", async () => {
    const labeller = await open({ modelDir });
    const junk = fc.oneof(
      fc.string({ unit: "binary", maxLength: 40 }),
      fc.constantFrom("\ud800", ">", "a>".repeat(5000), "div.[[[]", "p[role=", "\udfff>\0[=]", "…>…", "#.["),
    );
    const line = fc.record({ text: junk, path: junk, linkChars: fc.nat(50) });
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), async (lines) => {
        const labelled = await labelOne(labeller, pageDocument(lines));
        expect(labelled.lines).toHaveLength(lines.length);
        for (const { score } of labelled.lines) expect(score >= 0 && score <= 1).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it("are not given for plain text: the error says what to do instead", async () => {
    const labeller = await open({ modelDir });
    await expect(labeller.label([ARTICLE, textDocument(["One line."], "letter")])).rejects.toThrow(
      /letter is plain text; use --labeller text/,
    );
    await expect(labeller.label([textDocument([])])).rejects.toThrow(UsageError);
  });
});

describe("a long page", () => {
  it("is read in windows that limit what is held at once, and gives each line its own score", async () => {
    const model = await loadBoilernetModel(WORDS);
    const encoder = await openLineEncoder(model.encoder);
    const session = await openNetwork(model.network, WORDS, await chooseEngine());
    let most = 0;
    const network: typeof session = {
      ...session,
      run: (rows, inputs) => {
        most = Math.max(most, rows);
        return session.run(rows, inputs);
      },
    };
    const { lines } = longPage(2_000);
    const scores = await scoreLines(lines, { model, network, encoder });
    expect(scores).toHaveLength(2_000);
    expect(most).toBe(model.window.lines + 2 * model.window.context);
    // In the middle of a window, both see everything that an LSTM remembers.
    const { lines: size } = model.window;
    const apart = await scoreLines(lines.slice(size - 200, 2 * size), { model, network, encoder });
    expect(apart[350]).toBeCloseTo(scores[size + 150] ?? Number.NaN, 2);
    await session.close();
  });
});

describe("a damaged folder is rejected", () => {
  /** A copy of a folder with its model.json changed. */
  function changed(folder: string, change: (about: Record<string, unknown>) => void): string {
    const copy = mkdtempSync(join(tmpdir(), "boilernet-"));
    made.push(copy);
    cpSync(folder, copy, { recursive: true });
    const path = join(copy, "model.json");
    // What the trainer wrote; a wrong shape makes the test fail.
    const about = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
    change(about);
    writeFileSync(path, JSON.stringify(about));
    return copy;
  }

  it.each([
    ["of another kind", WORDS, { kind: "page" }, /its kind is "page"/],
    ["without tags", WORDS, { settings: { encoder: { kind: "words", words: [] } } }, /settings\.tags/],
    ["with a tag twice", WORDS, { settings: { tags: ["p", "p"] } }, /the same text twice/],
    [
      "with unknown vectors",
      WORDS,
      { settings: { tags: [], encoder: { kind: "bert" } } },
      /line encoder is "bert"/,
    ],
    [
      "with other columns",
      VECTORS,
      { settings: { tags: [], encoder: { kind: "bags", columns: [] } } },
      /columns/,
    ],
    ["without cuts", VECTORS, { thresholds: {} }, /thresholds\.precision/],
    [
      "with an impossible cut",
      VECTORS,
      { thresholds: { precision: 2, balanced: 0.5, recall: 0.5 } },
      /is 2, not/,
    ],
    ["with an empty window", WORDS, { window: { lines: 0, context: 4 } }, /window\.lines/],
  ])("%s", async (_, folder, fields, message) => {
    const modelDir = changed(folder, (about) => Object.assign(about, fields));
    await expect(open({ modelDir })).rejects.toThrow(message);
    await expect(open({ modelDir })).rejects.toThrow(UsageError);
  });

  it("with a truncated table", async () => {
    const modelDir = changed(VECTORS, () => undefined);
    const path = join(modelDir, "table.bin");
    writeFileSync(path, readFileSync(path).subarray(0, 1000));
    await expect(open({ modelDir })).rejects.toThrow(/changed or cut short/);
  });
});
