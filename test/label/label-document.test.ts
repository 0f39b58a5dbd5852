import { describe, expect, it } from "vitest";
import type { Document, LabelledLine, PageVerdict } from "../../src/document.js";
import { keepDocument, labelDocument } from "../../src/label/label-document.js";
import type { Labeller } from "../../src/label/labeller.js";
import { createNoneLabeller } from "../../src/label/none-labeller.js";
import type { ExtractedDocument, PathTree } from "../../src/document/path-tree.js";

const line = (label: LabelledLine["label"], more: Partial<LabelledLine> = {}): LabelledLine => ({
  text: "Home",
  block: "p",
  path: "body>p",
  linkChars: 0,
  breakBefore: "block",
  score: label === "content" ? 0.9 : 0.1,
  label,
  ...more,
});

const page = (lines: LabelledLine[], verdict?: PageVerdict): Document<LabelledLine> => ({
  id: "a",
  url: "u",
  source: "html",
  meta: {},
  notes: [],
  lines,
  ...(verdict === undefined ? {} : { verdict }),
});

const verdict = (score: number): PageVerdict => ({
  type: "listing",
  typeScore: 0.5,
  score,
  hasContent: score >= 0.2,
  cut: 0.4,
});
const options = { keepBoilerplate: false, comments: "auto" } as const;

function detail(document: Document<LabelledLine>, comments: "auto" | "only" = "auto"): string | undefined {
  const outcome = keepDocument(document, { ...options, comments });
  expect(outcome).toMatchObject({ ok: false, id: "a", url: "u", stage: "label", reason: "no-content" });
  return outcome.ok ? "kept" : outcome.detail;
}

describe("keepDocument", () => {
  it("keeps documents with content, and all documents if all lines are wanted", () => {
    const empty = page([line("boilerplate")], verdict(0.03));
    expect(keepDocument(page([line("boilerplate"), line("content")]), options).ok).toBe(true);
    expect(keepDocument(empty, { ...options, keepBoilerplate: true })).toEqual({ ok: true, value: empty });
  });

  it("distinguishes an empty page from a cut that leaves nothing", () => {
    const two = [line("boilerplate"), line("boilerplate", { kind: "comment" })];
    expect(detail(page(two))).toBe("2 lines, all boilerplate");
    expect(detail(page(two, verdict(0.03)))).toBe("no main content: P(main content) 0.03");
    expect(detail(page(two, verdict(0.8)))).toBe("2 lines, all boilerplate; P(main content) 0.80");
  });

  it("gives the reason if only comments are wanted and there are none", () => {
    expect(detail(page([line("boilerplate")], verdict(0.9)), "only")).toBe(
      "1 line, none of them in comments",
    );
    expect(detail(page([line("boilerplate", { kind: "comment" })]), "only")).toBe("1 line, all boilerplate");
  });
});

describe("labelDocument", () => {
  const paths: PathTree = { parents: [0], steps: [""], nodes: Int32Array.of(0, 0) };

  /** Labels with a labeller that notes the number of lines and the tree of each call. */
  async function label(document: ExtractedDocument): Promise<[number, PathTree | undefined][]> {
    const asked: [number, PathTree | undefined][] = [];
    const none = createNoneLabeller();
    const noting: Labeller = {
      ...none,
      label(batch, { paths: trees } = {}) {
        for (const [at, { lines }] of batch.entries()) asked.push([lines.length, trees?.[at]]);
        return none.label(batch);
      },
    };
    const of = (): Promise<Labeller> => Promise.resolve(noting);
    const nothing = (): Promise<undefined> => Promise.resolve(undefined);
    const choice = { names: [], of, ofText: of, engine: nothing, close: nothing };
    expect(await labelDocument(document, { choice, comments: "keep" })).not.toHaveProperty("paths");
    return asked;
  }

  it("passes the tree of paths to the labeller with all lines, and drops it afterwards", async () => {
    expect(await label({ ...page([line("content"), line("content")]), paths })).toEqual([[2, paths]]);
  });

  it("passes no tree with a part of the lines", async () => {
    const lines = [line("content", { leftOutBy: "readability" }), line("content", { kind: "comment" })];
    expect(await label({ ...page(lines), paths })).toEqual([
      [1, undefined],
      [2, paths],
      [1, undefined],
    ]);
  });
});
