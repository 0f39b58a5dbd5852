/** Tests the figures and the pairing of pages in the trainer of BoilerNet, which need no PyTorch. */
import { describe, expect, it, type TestContext } from "vitest";
import { evaluate as evaluatePython, hasNumpy, needs } from "./python.js";

/** Returns what Python code prints for `given`. */
function evaluate(context: TestContext, code: string, given: unknown): unknown {
  needs(context, hasNumpy, "NumPy");
  return evaluatePython(code, given);
}

describe("the paper's figures", () => {
  it("are the F1 of both labels, over all lines and as a mean over pages", (context) => {
    const code =
      "from papers.boilernet.boilernet_scores import paper_scores\nprint(json.dumps(paper_scores(given)))";
    // tp, fp, fn, tn: content F1 of the pages is .8 and 0, boilerplate F1 .5 and .75.
    const scores = evaluate(context, code, [
      [4, 1, 1, 1],
      [0, 2, 0, 3],
    ]) as Record<string, { mean: number; content: number; boilerplate: number }>; // as the script prints it
    expect(scores["macro"]?.content).toBeCloseTo(0.4, 9);
    expect(scores["macro"]?.boilerplate).toBeCloseTo(0.625, 9);
    expect(scores["macro"]?.mean).toBeCloseTo(0.5125, 9);
    expect(scores["micro"]?.content).toBeCloseTo(8 / 12, 9);
    expect(scores["micro"]?.boilerplate).toBeCloseTo(8 / 12, 9);
  });

  it("are 1 for a label that neither the page nor the answer has, and 0 if only the answer has it", (context) => {
    const code =
      "from papers.boilernet.boilernet_scores import paper_scores\nprint(json.dumps([paper_scores([one])['macro'] for one in given]))";
    const pages = [
      [5, 0, 0, 0],
      [4, 0, 1, 0],
    ];
    expect(evaluate(context, code, pages)).toMatchObject([
      { content: 1, boilerplate: 1 },
      { content: 8 / 9, boilerplate: 0 },
    ]);
  });
});

describe("the pages of BoilerNet's authors", () => {
  it("are found by their number, or by shared lines", (context) => {
    const numbers =
      "from papers.boilernet.boilernet_prepare import number_of\nprint(json.dumps([number_of(one) for one in given]))";
    const names = ["cleaneval/dev/7", "mbn-cleaneval/en/ce_7-level-19", "cleaneval/test/623"];
    expect(evaluate(context, numbers, names)).toEqual(["7", "7", "623"]);

    const page = (id: string, ...texts: string[]): object => ({
      id,
      lines: texts.map((text) => ({ text, label: 0 })),
    });
    const pages = [
      page("a", "Menu", "The boat came in late", "Nobody was there", "It rained all day"),
      page("b", "Menu", "Another boat came in", "Nobody saw it come", "The sun was out"),
    ];
    const leaves = [
      page("1", "The  sun was\tout", "Another boat came in"),
      page("2", "Menu", "Quite another page"),
      page("3", "Nobody was there", "It rained all day", "Menu", "More of it"),
    ];
    const found = `from papers.boilernet.boilernet_prepare import find_by_lines
print(json.dumps([[one["id"], other["id"]] for one, other in find_by_lines(*given)]))`;
    expect(evaluate(context, found, [pages, leaves])).toEqual([
      ["b", "1"],
      ["a", "3"],
    ]);
  });

  it("give their labels to our lines, unless too few lines are the same", (context) => {
    const code = `from papers.boilernet.boilernet_prepare import labelled
print(json.dumps([labelled(*one) for one in given]))`;
    const line = (text: string, label?: number): object => ({ text, path: "body>p", label });
    const page = {
      id: "p",
      source: "cleaneval",
      lines: [line("One two three", 9), line("Four"), line("Five")],
    };
    const leaves = { lines: [line("One two", 1), line("three", 1), line("Four", 0)] };
    const other = { lines: [line("Nothing of this", 1)] };
    expect(
      evaluate(context, code, [
        [page, leaves],
        [page, other],
      ]),
    ).toMatchObject([{ id: "p", lines: [{ label: 1, path: "body>p" }, { label: 0 }, { label: 0 }] }, null]);
  });
});
