import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  findInterpreter,
  formatReport,
  measureAgreement,
} from "../../../../bench/lab/gate/justext-agreement.js";
import { openCorpus } from "../../../../bench/corpora/registry.js";
import {
  comparePage,
  startAgreement,
  type Agreements,
  type TheirParagraph,
} from "../../../../bench/lab/gate/justext/compare.js";
import { loadInternals } from "../../../../bench/lab/gate/justext/justext-internals.js";
import { SystemUnavailable } from "../../../../bench/systems/errors.js";
import { ROOT } from "../../../../bench/systems/root.js";

const hasRivals = existsSync(join(ROOT, ".venv", "rivals.json"));
const WORDS =
  "the ferry was late and all of the people on the pier sang for an hour until it came to the shore at last";

function start(): Agreements {
  const [classes, paragraphs, ownLists, ownLines, labeller] = Array.from({ length: 5 }, startAgreement);
  if (!classes || !paragraphs || !ownLists || !ownLines || !labeller) throw new Error("five were made");
  return { classes, paragraphs, ownLists, ownLines, labeller };
}

function paragraph(text: string, part: Partial<TheirParagraph>): TheirParagraph {
  return {
    text,
    linkChars: 0,
    stopShare: 0,
    isHeading: false,
    path: "body.p",
    first: "short",
    last: "bad",
    ...part,
  };
}

describe("the comparison with jusText", () => {
  it("counts lines and words that agree, and lists the differences", async () => {
    const text = `${WORDS} ${WORDS} ${WORDS}`;
    const paragraphs = [
      paragraph(text, { first: "good", last: "good" }),
      // jusText would keep this one; ours does not.
      paragraph("Contact", { last: "good" }),
    ];
    const lines = paragraphs.map((one) => ({ text: one.text, block: "p", path: "body>p", linkChars: 0 }));
    const figures = start();
    comparePage(
      {
        reply: { id: "x", list: "English", paragraphs, text },
        list: new Map(
          ["the", "was", "and", "of", "on", "for", "an", "it", "to", "at"].map((word) => [word, 1]),
        ),
        lines,
        lang: "en",
      },
      await loadInternals(),
      figures,
    );
    expect(figures.classes).toMatchObject({ all: 2, same: 2 });
    expect(figures.paragraphs).toMatchObject({ all: 2, same: 1, words: 73, sameWords: 72 });
    expect([...figures.paragraphs.differences]).toEqual([["boilerplate here: justext-short-at-edge", 1]]);
    // Its text contains only the first line, and so does ours.
    expect(figures.ownLines).toMatchObject({ all: 2, same: 2 });
    expect(figures.labeller).toMatchObject({ all: 2, same: 2 });
  });

  it("reports a missing Python environment as unavailable", () => {
    expect(() => findInterpreter(join(ROOT, "nowhere"))).toThrow(SystemUnavailable);
  });

  it.runIf(hasRivals)("finds the same paragraphs in our fixtures", { timeout: 180_000 }, async () => {
    const fixtures = openCorpus("fixtures", { fixturesDir: join(ROOT, "fixtures") });
    const report = await measureAgreement(fixtures.documents(), findInterpreter());
    const share = (name: keyof Agreements): number => report.figures[name].same / report.figures[name].all;
    expect(report.failures).toBe(0);
    expect(share("classes")).toBe(1);
    expect(share("paragraphs")).toBeGreaterThan(0.99);
    // Many of them are in languages for which jusText has stop words and we have none.
    expect(share("ownLists")).toBeGreaterThan(0.9);
    expect(share("labeller")).toBeGreaterThan(0.88);
    expect(formatReport(report)).toContain("content or boilerplate");
  });
});
