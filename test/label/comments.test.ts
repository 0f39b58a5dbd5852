import { describe, expect, it } from "vitest";
import type { Document, LabelledLine, Line, PageVerdict } from "../../src/document.js";
import { isDiscussion, settleComments, type CommentsOption } from "../../src/label/comments.js";
import { setLabel } from "../../src/label/label-line.js";

type Score = readonly [text: string, score: number, kind?: "comment"];

const plain = ([text, , kind]: Score): Line => ({
  text,
  block: "p",
  path: kind === undefined ? "body>p" : "body>div.comments>p",
  linkChars: 0,
  breakBefore: "block",
  ...(kind === undefined ? {} : { kind }),
});

const label = (line: Line, score: number): LabelledLine =>
  setLabel(line, { score, label: score >= 0.5 ? "content" : "boilerplate", why: undefined });

const STORY: Score = [
  "The whole story of the mill, told in one long line so that it outweighs what follows.",
  0.9,
];
const MENU: Score = ["Home", 0.1];
const GOOD: Score = ["I lived there as a child.", 0.2, "comment"];
const SEEN: Score = ["So did I.", 0.8, "comment"];
const BUTTON: Score = ["Reply", 0.05, "comment"];

/** The text labeller keeps every sentence. */
const bySentence = (part: Document): Promise<Document<LabelledLine>> =>
  Promise.resolve({
    ...part,
    lines: part.lines.map((line) => label(line, line.text.endsWith(".") ? 0.7 : 0.3)),
  });

async function settle(
  comments: CommentsOption,
  scores: readonly Score[],
  verdict?: PageVerdict,
): Promise<readonly LabelledLine[]> {
  const document: Document = {
    id: "1",
    url: "",
    source: "html",
    meta: {},
    notes: [],
    lines: scores.map(plain),
  };
  const labelled = {
    ...document,
    lines: scores.map((score) => label(plain(score), score[1])),
    ...(verdict === undefined ? {} : { verdict }),
  };
  const settled = await settleComments({ document, labelled, comments, judge: bySentence });
  expect(settled.verdict).toEqual(verdict);
  expect(settled.lines.map(({ text }) => text)).toEqual(scores.map(([text]) => text));
  return settled.lines;
}

const short = (lines: readonly LabelledLine[]): unknown[] =>
  lines.map(({ label: is, score, why }) => [is === "content", score, why]);

describe("settleComments", () => {
  it("leaves everything to the labeller under auto", async () => {
    expect(short(await settle("auto", [MENU, STORY, GOOD, SEEN]))).toEqual([
      [false, 0.1, undefined],
      [true, 0.9, undefined],
      [false, 0.2, undefined],
      [true, 0.8, undefined],
    ]);
  });

  it("drops comments, and says so if this changed a label", async () => {
    expect(short(await settle("drop", [MENU, STORY, GOOD, SEEN]))).toEqual([
      [false, 0.1, undefined],
      [true, 0.9, undefined],
      [false, 0.2, undefined],
      [false, 0.8, "comment"],
    ]);
  });

  it("keeps comments that read well, with the higher of the two scores, but not the buttons between", async () => {
    expect(short(await settle("keep", [MENU, STORY, GOOD, SEEN, BUTTON]))).toEqual([
      [false, 0.1, undefined],
      [true, 0.9, undefined],
      [true, 0.7, "comment"],
      [true, 0.8, undefined],
      [false, 0.3, undefined],
    ]);
  });

  it("keeps only comments", async () => {
    expect(short(await settle("only", [MENU, STORY, GOOD, SEEN, BUTTON]))).toEqual([
      [false, 0.1, undefined],
      [false, 0.9, "not-comment"],
      [true, 0.7, "comment"],
      [true, 0.8, undefined],
      [false, 0.3, undefined],
    ]);
  });

  it("calls no labeller if there is no comment", async () => {
    const never = (): Promise<never> => Promise.reject(new Error("asked"));
    const lines = [label(plain(STORY), 0.9)];
    const document = { id: "1", url: "", source: "html", meta: {}, notes: [], lines } as const;
    for (const comments of ["auto", "keep", "drop"] as const)
      expect((await settleComments({ document, labelled: document, comments, judge: never })).lines).toEqual(
        lines,
      );
  });

  it("does not bring back what the extractor left out", async () => {
    const line = { ...plain(GOOD), leftOutBy: "readability" };
    const document: Document = { id: "1", url: "", source: "html", meta: {}, notes: [], lines: [line] };
    const labelled = { ...document, lines: [label(line, 0.4)] };
    const settled = await settleComments({ document, labelled, comments: "keep", judge: bySentence });
    expect(settled.lines).toEqual(labelled.lines);
  });

  it("drops nothing of a discussion: a page of comments, or one with the type forum", async () => {
    const long: Score = [STORY[0].repeat(2), 0.9, "comment"];
    expect(short(await settle("drop", [STORY, long]))).toEqual([
      [true, 0.9, undefined],
      [true, 0.9, undefined],
    ]);
    const forum: PageVerdict = { type: "forum", typeScore: 0.9, score: 1, hasContent: true, cut: 0.5 };
    expect(short(await settle("drop", [STORY, SEEN], forum))[1]).toEqual([true, 0.8, undefined]);
    const article: PageVerdict = { ...forum, type: "article" };
    expect(short(await settle("drop", [STORY, SEEN], article))[1]).toEqual([false, 0.8, "comment"]);
  });
});

describe("isDiscussion", () => {
  const of = (...scores: Score[]): boolean =>
    isDiscussion({
      id: "1",
      url: "",
      source: "html",
      meta: {},
      notes: [],
      lines: scores.map((score) => label(plain(score), score[1])),
    });

  it("counts only the characters of content lines", () => {
    expect(of(STORY, SEEN)).toBe(false);
    expect(of(["Short.", 0.9], SEEN)).toBe(true);
    expect(of(["Short.", 0.9], ["x".repeat(1000), 0.1, "comment"])).toBe(false);
    expect(of()).toBe(false);
  });
});
