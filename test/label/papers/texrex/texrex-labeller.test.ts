import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { Document } from "../../../../src/document.js";
import { accept, UsageError } from "../../../../src/outcome.js";
import { DEFAULTS } from "../../../../src/options/options.js";
import { createPipeline, type TaggedPage } from "../../../../src/pipeline.js";
import { DEFAULT_TEXREX_MODEL } from "../../../../src/label/models/shipped-models.js";
import { createTexrexLabeller } from "../../../../src/label/papers/texrex/texrex-labeller.js";
import {
  HIDDEN,
  WEIGHTS,
  loadTexrexModel,
  runNetwork,
} from "../../../../src/label/papers/texrex/texrex-model.js";
import { FEATURE_COUNT } from "../../../../src/label/papers/texrex/texrex-table.js";
import { openReader } from "../../../../src/core/read-page.js";

const STORY = [
  "The harbour master said on Monday that the old crane would be taken down before the winter storms.",
  "It had stood by the water for more than a hundred years, and nobody could say how long it would hold.",
  "The town will keep its hook and its bell, and show both in the museum from next spring on.",
];
const MENU = ["Home", "News", "Sport", "Contact", "About us", "Jobs", "Imprint"];
const HTML = `<!DOCTYPE html><html><body><ul>${MENU.map((word) => `<li class=item><a class=link href="/${word}">${word}</a></li>`).join("")}</ul>
<div><h1>The crane</h1>${STORY.map((text) => `<p>${text}</p>`).join("")}<p> \u00ad</p></div>
<ul>${MENU.map((word) => `<li class=item><a class=link href="/${word}">${word}</a></li>`).join("")}</ul>© 2015</body></html>`;

/** The fields of model.json that the tests change. */
interface About {
  columns: string[];
  kind: string;
  thresholds: { page: { recall: number } };
  calibrations: { text?: object };
}

async function read(markup?: "count"): Promise<Document> {
  const reader = await openReader("page", { leftOut: "drop", ...(markup && { markup }) });
  const outcome = reader({ id: "crane", url: "", content: { kind: "html", html: HTML } });
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.value;
}

describe("runNetwork", () => {
  it("is 2·exp(−x²) − 1 in the hidden layer and a sum after it", () => {
    const weights = new Float32Array(WEIGHTS);
    // One unit reads the second feature, with a bias; the others read nothing, and give 1.
    weights[1] = 2;
    weights[FEATURE_COUNT] = -0.5;
    const last = HIDDEN * (FEATURE_COUNT + 1);
    weights[last] = 3;
    weights[last + 1] = 0.25;
    weights[last + HIDDEN] = 0.125;
    const rows = new Float32Array(2 * FEATURE_COUNT);
    rows[FEATURE_COUNT + 1] = 0.5;
    const [first, second] = runNetwork(weights, rows);
    expect(first).toBeCloseTo(0.375 + 3 * (2 * Math.exp(-0.25) - 1), 6);
    expect(second).toBeCloseTo(0.375 + 3 * (2 * Math.exp(-0.25) - 1), 6);
    rows[1] = 0.25;
    expect(runNetwork(weights, rows)[0]).toBeCloseTo(3.375, 6);
  });
});

describe("the texrex labeller", () => {
  it("separates a story from menus, keeps every line, and leaves no markup on it", async () => {
    const labeller = createTexrexLabeller({ focus: "balanced" });
    const document = await read("count");
    const [labelled] = await labeller.label([document]);
    expect(labelled?.lines.map(({ text }) => text)).toEqual(document.lines.map(({ text }) => text));
    const content = labelled?.lines.filter(({ label }) => label === "content").map(({ text }) => text);
    expect(content).toEqual(expect.arrayContaining(STORY));
    for (const word of MENU) expect(content).not.toContain(word);
    expect(JSON.stringify(labelled)).not.toContain("markup");
  });

  it("scores text with the network without markup features", async () => {
    const labeller = createTexrexLabeller({ focus: "balanced" });
    const page = await read("count");
    const bare = await read();
    const [byPage] = await labeller.label([page]);
    const [byText] = await labeller.label([bare]);
    const plain = page.lines.map(
      ({ text, breakBefore }) => ({ text, breakBefore, block: "text", path: "", linkChars: 0 }) as const,
    );
    const [asText] = await labeller.label([
      { id: "t", url: "", source: "text", meta: {}, notes: [], lines: plain },
    ]);
    const scores = (document: typeof byPage): number[] => document?.lines.map(({ score }) => score) ?? [];
    expect(scores(byText)).toEqual(scores(asText));
    expect(scores(byText)).not.toEqual(scores(byPage));
  });

  it("gives a document the same scores in any batch, and none to blank lines", async () => {
    const labeller = createTexrexLabeller({ focus: "recall" });
    const page = await read("count");
    const blank = { ...page, lines: [{ ...page.lines[0]!, text: " \u200b" }] };
    const empty = { ...page, lines: [] };
    const [first, alone] = await labeller.label([blank, page]);
    const [again, none] = await labeller.label([page, empty]);
    expect(alone).toEqual(again);
    expect(first?.lines).toMatchObject([{ score: 0, label: "boilerplate", why: "blank-line" }]);
    expect(none?.lines).toEqual([]);
  });

  it("keeps more lines the lower the cut is", async () => {
    const count = async (options: Parameters<typeof createTexrexLabeller>[0]): Promise<number> => {
      const [labelled] = await createTexrexLabeller(options).label([await read("count")]);
      return labelled?.lines.filter(({ label }) => label === "content").length ?? 0;
    };
    const [precision, balanced, recall] = [
      await count({ focus: "precision" }),
      await count({ focus: "balanced" }),
      await count({ focus: "recall" }),
    ];
    expect(precision).toBeLessThanOrEqual(balanced);
    expect(balanced).toBeLessThanOrEqual(recall);
    expect(await count({ focus: "balanced", cut: 0 })).toBe((await read()).lines.length);
  });
});

describe("a folder of texrex", () => {
  let folder = "";
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "texrex-"));
    await cp(DEFAULT_TEXREX_MODEL, folder, { recursive: true });
  });
  const change = (edit: (about: About) => unknown): void => {
    const path = join(folder, "model.json");
    // model.json is an object; the checks under test look at its members.
    const about = JSON.parse(readFileSync(path, "utf8")) as About;
    edit(about);
    writeFileSync(path, JSON.stringify(about));
  };

  it("loads unchanged", () => {
    expect(loadTexrexModel(folder)).toEqual(loadTexrexModel(DEFAULT_TEXREX_MODEL));
  });

  it.each<[string, (about: About) => unknown, RegExp]>([
    ["features in another order", (about) => about.columns.reverse(), /columns are not in the order/],
    ["another kind", (about) => (about.kind = "page"), /needs kind "texrex"/],
    ["a threshold of 1", (about) => (about.thresholds.page.recall = 1), /thresholds.page.recall/],
    ["no calibration", (about) => delete about.calibrations.text, /calibrations.text.slope/],
  ])("is rejected with %s", (_, edit, message) => {
    change(edit);
    expect(() => loadTexrexModel(folder)).toThrow(UsageError);
    expect(() => loadTexrexModel(folder)).toThrow(message);
  });

  it("is rejected with changed weights", () => {
    writeFileSync(join(folder, "weights.bin"), Buffer.alloc(8));
    expect(() => createTexrexLabeller({ focus: "balanced", modelDir: folder })).toThrow(
      /weights.bin is not the file/,
    );
  });
});

describe("the pipeline with it", () => {
  async function* pages(count: number): AsyncGenerator<TaggedPage<number>> {
    for (let at = 0; at < count; at += 1) {
      await Promise.resolve();
      yield { page: accept({ id: String(at), url: "", content: { kind: "html", html: HTML } }), tag: at };
    }
  }

  // With two workers the first page is read in this thread, and the others are read in other threads.
  it.each([1, 2])("sees the markup of every page, with %i workers", async (workers) => {
    const pipeline = await createPipeline({
      ...DEFAULTS,
      labeller: "texrex",
      workers,
      keepBoilerplate: true,
    });
    const [wanted] = await createTexrexLabeller({ focus: "balanced" }).label([await read("count")]);
    let count = 0;
    for await (const { outcome } of pipeline.run(pages(4), new AbortController().signal)) {
      expect(outcome.ok && outcome.value.lines).toEqual(wanted?.lines);
      count += 1;
    }
    expect(count).toBe(4);
    await pipeline.close();
  });
});
