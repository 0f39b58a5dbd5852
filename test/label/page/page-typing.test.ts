import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { PAGE_TYPES, type Document, type PageVerdict } from "../../../src/document.js";
import { PAGE_COLUMNS } from "../../../src/label/features/page/place-columns.js";
import { DEFAULT_PAGE_MODEL } from "../../../src/label/models/shipped-models.js";
import { createPageLabeller, loadPageModel } from "../../../src/label/page/page-folder.js";
import { typePage } from "../../../src/label/page/page-typing.js";
import { writePageModel } from "./page-model.js";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

const INPUTS = [...PAGE_TYPES.map((type) => `type ${type}`), "content", ...PAGE_COLUMNS, "log-lines"];
const row = (at = -1, by = 0): number[] => PAGE_TYPES.map((_, type) => (type === at ? by : 0));
const FORUM = PAGE_TYPES.indexOf("forum");
const PRODUCT = PAGE_TYPES.indexOf("product");

/** Recognises forums by the length of the lines, and products by a clue. */
const TYPING = {
  inputs: INPUTS,
  means: INPUTS.map(() => 0),
  deviations: INPUTS.map(() => 1),
  weights: INPUTS.map((name) => (name === "log-length" ? row(FORUM, 1) : row())),
  offsets: row(),
  clues: { "og:product": row(PRODUCT, 9) },
};

function modelWith(typing: unknown): string {
  const folder = writePageModel();
  folders.push(folder);
  const text = typeof typing === "string" ? typing : JSON.stringify(typing);
  writeFileSync(join(folder, "types.json"), text);
  const about = JSON.parse(readFileSync(join(folder, "model.json"), "utf8")) as object;
  const part = { file: "types.json", sha256: createHash("sha256").update(text).digest("hex") };
  writeFileSync(join(folder, "model.json"), JSON.stringify({ ...about, typing: part }));
  return folder;
}

async function judge(
  modelDir: string,
  texts: readonly string[],
  clues?: readonly string[],
): Promise<PageVerdict> {
  const labeller = await createPageLabeller({ focus: "balanced", modelDir });
  const lines = texts.map(
    (text) => ({ text, block: "p", path: "body>p", linkChars: 0, breakBefore: "block" }) as const,
  );
  const page: Document = {
    id: "p",
    url: "",
    source: "html",
    meta: {},
    notes: [],
    lines,
    ...(clues && { clues }),
  };
  const [labelled] = await labeller.label([page]);
  await labeller.close();
  if (labelled?.verdict === undefined) throw new Error("no verdict came back");
  return labelled.verdict;
}

describe("the type of a page", () => {
  it("is determined by the mean of its lines and by the page's clues", async () => {
    const model = modelWith(TYPING);
    const lines = ["Aaaa bbbb", "Cccc dddd eeee"];
    expect(await judge(model, lines)).toMatchObject({ type: "forum" });
    expect(await judge(model, lines, ["og:product", "og:unheard-of"])).toMatchObject({ type: "product" });
  });

  it("uses the mean over all lines, also if the page has several windows", async () => {
    const model = modelWith(TYPING);
    const some = await judge(model, ["Aaaa bbbb", "Aaaa bbbb cccc"]);
    const many = await judge(
      model,
      Array.from({ length: 5_000 }, (_, at) => (at % 2 ? "Aaaa bbbb cccc" : "Aaaa bbbb")),
    );
    expect(many.typeScore).toBe(some.typeScore);
  });

  it("is determined for a page without lines", async () => {
    expect(await judge(modelWith(TYPING), [], ["og:product"])).toMatchObject({
      type: "product",
      hasContent: false,
    });
  });

  it.each([
    ["inputs", { ...TYPING, inputs: INPUTS.slice(1) }],
    ["weights", { ...TYPING, weights: TYPING.weights.slice(1) }],
    ["deviations", { ...TYPING, deviations: INPUTS.map(() => 0) }],
    ["offsets", { ...TYPING, offsets: [1, 2] }],
    ["clues.x", { ...TYPING, clues: { x: ["1"] } }],
    ["not a JSON object", "[1"],
    ["not a JSON object", "[]"],
  ])("is rejected in a model with invalid data: %s", (what, typing) => {
    expect(() => loadPageModel(modelWith(typing))).toThrow(what);
  });

  it("depends on the page's clues in the shipped model", () => {
    const { typing } = loadPageModel(DEFAULT_PAGE_MODEL);
    if (typing === undefined) throw new Error("it does not weigh what a page says");
    const page = new Float32Array(PAGE_TYPES.length + 1);
    const asked = {
      page,
      lines: 40,
      sums: Float64Array.from(PAGE_COLUMNS, (_, at) => 40 * (typing.means[at + 8] ?? 0)),
    };
    const told = (clues: readonly string[]): Float32Array => typePage({ ...asked, clues }, typing);
    const [silent, product] = [told([]), told(["og:product", "ld:Product", "ld:Offer", "path:product"])];
    expect((product[PRODUCT] ?? 0) - (silent[PRODUCT] ?? 0)).toBeGreaterThan(1);
    const forum = told(["generator:discourse", "ld:DiscussionForumPosting", "host:forum"]);
    expect(forum.indexOf(Math.max(...forum))).toBe(FORUM);
  });
});
