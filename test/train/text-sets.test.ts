/** Tests what the trainer of the `text` labeller reads: unlabelled texts, further sets of pages, and labels of other labellers. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { evaluate, hasNumpy, hasPython, needs, SCRIPTS } from "./python.js";

describe("texts without labels", () => {
  it("are cut at sentences without losing a word, and are dropped if they repeat another text", (context) => {
    needs(context, hasNumpy, "NumPy");
    const code = `
import sys, random
from types import ModuleType
# What extracts pages is not asked for here.
sys.modules.update(trafilatura=ModuleType("trafilatura"), justext=ModuleType("justext"))
from text.prepare_unlabelled import cut_text, document_of, fresh, runs_of
document = lambda name, *lines: {"id": name, "lang": "en", "lines": [{"text": line, "label": None} for line in lines]}
long = "The otter came back to the river at dawn and the baker of the town saw it swim."
kept = fresh([document("new", "One.", "Two.", "Three."), document("again", "One.", "Two.", "Three."), document("short", "One.", "Two."), document("held", "One.", long, "Three.")], runs_of(long))
cuts = [cut_text(given, random.Random(seed)) for seed in range(20)]
shown = [line["text"] for line in document_of("blank", "en", [" One. ", chr(0xFEFF), "", chr(0x200B) + chr(0xAD), "Two."], random.Random(1))["lines"]]
print(json.dumps([[[one["id"], one["fold"], one["variant"]] for one in kept], [" ".join(one) for one in cuts], sorted({len(one) for one in cuts}), shown]))`;
    const text =
      "Der Bäcker sah den Otter am Morgen und lief zur Brücke hinunter 2019 Mehr Nachrichten aus der Stadt am Fluss. " +
      "Er schwamm im Fluss! Wer hat ihn gesehen? Niemand. Am Abend war er fort.";
    const [kept, joined, sizes, shown] = evaluate(code, text) as [unknown, string[], number[], string[]]; // what the code prints
    expect(kept).toEqual([["new", -1, "unlabelled"]]);
    expect(shown).toEqual(["One.", "Two."]);
    expect(new Set(joined)).toEqual(new Set([text]));
    expect(sizes.length).toBeGreaterThan(2);
  });
});

describe("further sets of pages", () => {
  const page = {
    id: "mercury/a.example",
    url: "https://www.a.example/1",
    lang: "ja",
    source: "mercury",
    gold_lines: [
      { text: "Home", label: 0 },
      { text: "By A. Baker", label: null },
      { text: "Otters are back.", label: 1 },
    ],
    lines: ["Home", "By A. Baker", "Otters are back.", "Zzz"].map((text, at) => ({
      text,
      block: "p",
      path: "body>p",
      linkChars: 0,
      span: [10 * at, 10 * at + 5],
    })),
    teacher: [-3, 1, 4, -5],
    spans: [
      [10, 15],
      [20, 25],
    ],
  };
  /** Returns what `code` computes for documents of these pages, of which Readability kept two lines. */
  const make = (code: string, pages: readonly object[]): unknown =>
    evaluate(
      `from text.prepare_sets import document_of, split, with_variants
documents = [document_of({**page, "spans": {tuple(span) for span in page["spans"]}}) for page in given]
print(json.dumps(${code}))`,
      pages,
    );
  const unlabelled = { ...page, id: "htmldate/b", source: "htmldate", gold_lines: undefined };

  it("keep unlabelled lines, with the teacher's logit and the markup", (context) => {
    needs(context, hasPython, "Python 3.9");
    const code = `[[[line["label"], line["teacher"], line["markup"]] for line in one["lines"]] for one in documents]`;
    expect(make(code, [page, unlabelled])).toEqual([
      [0, null, 1, null].map((label, at) => [label, page.teacher[at], 1]),
      page.teacher.map((logit) => [null, logit, 1]),
    ]);
  });

  it("train as raw and as extracted text, and are measured undamaged", (context) => {
    needs(context, hasPython, "Python 3.9");
    const code = `[[[two["condition"], two["variant"], [line["text"] for line in two["lines"]]] for two in with_variants(one, is_measured)] for one in documents for is_measured in (True, False)]`;
    const [measured = [], training = [], soft] = make(code, [page, unlabelled]) as [
      string,
      string,
      string[],
    ][][]; // what the code prints
    const kept = ["By A. Baker", "Otters are back."];
    expect(measured.slice(0, 2)).toEqual([
      ["raw", "raw", page.lines.map(({ text }) => text)],
      ["extracted", "readable", kept],
    ]);
    expect(measured.map(([, variant]) => variant)).toEqual(["raw", "readable", "half", "chosen"]);
    expect(measured.at(-1)?.[2]).toEqual(kept);
    expect(training.map(([, variant]) => variant).slice(4)).toEqual(["damaged", "disguised"]);
    expect(soft?.map(([condition, variant]) => [condition, variant])).toEqual([
      ["raw", "raw"],
      ["extracted", "readable"],
    ]);
  });

  it("never train on a held-out site of this or another set, or on a page similar to one of its pages", (context) => {
    needs(context, hasPython, "Python 3.9");
    const long = { text: "A line so long that no other document has it but for a reason", label: 1 };
    const numbered = (at: number, fields: object): object => ({
      ...page,
      id: `mercury/${at}`,
      url: `https://${at}.example/`,
      ...fields,
    });
    const plain = Array.from({ length: 40 }, (_, at) => numbered(at, {}));
    const folds = make(`[one["fold"] for one in documents]`, plain) as number[]; // what the code prints
    const [held, trained] = [folds.indexOf(0), folds.indexOf(1)];
    const like = { gold_lines: [long], lines: [{ ...page.lines[0], text: long.text }], teacher: [1] };
    const pages = [
      numbered(held, like),
      numbered(trained, { id: "trains" }),
      numbered(trained, { id: "like", ...like }),
      numbered(trained, { id: "trains too", host_in_shared: ["wcxb"] }),
      numbered(trained, { id: "neither", host_in_shared: ["dragnet", "wcxb"] }),
      numbered(held, { id: "neither nor", host_in_shared: ["cleaneval"] }),
      numbered(held, { id: "measures", host_in_shared: ["dragnet", "wcxb"] }),
      { ...unlabelled, id: "same site", url: `https://${held}.example/` },
    ];
    expect(make(`[[one["id"] for one in part] for part in split(documents, set())]`, pages)).toEqual([
      ["trains", "trains too"],
      [`mercury/${held}`, "measures"],
    ]);
  });

  it("have no fold without an address", (context) => {
    needs(context, hasPython, "Python 3.9");
    const code = `[[[one["id"], one["fold"]] for one in part] for part in split(documents, set())]`;
    const pages = Array.from({ length: 20 }, (_, at) => ({ ...page, id: `juriscraper/${at}`, url: null }));
    expect(make(code, pages)).toEqual([pages.map(({ id }) => [id, null]), []]);
  });
});

describe("label_lines.js", () => {
  it("writes the labels of each labeller for the documents of a source, line by line", () => {
    const folder = mkdtempSync(join(tmpdir(), "thresher-verdicts-"));
    const [input, output] = [join(folder, "gold.jsonl.gz"), join(folder, "verdicts.jsonl")];
    const paragraph =
      "It was not what we had in mind when they came to us, but there is more of it now than there was at the time, and so it is.";
    const texts = [
      "Home",
      `${paragraph} ${paragraph}`,
      `${paragraph} So we went, and it was good. All of this was for you, and it will be for them as well.`,
    ];
    const lines = texts.map((text) => ({ text, label: 1 }));
    const documents = ["a", "b"].map((source) => ({ id: `of ${source}`, lang: "en", source, lines }));
    writeFileSync(input, gzipSync(documents.map((one) => `${JSON.stringify(one)}\n`).join("")));
    const script = join(SCRIPTS, "text", "label_lines.js");
    execFileSync(process.execPath, [script, input, output, "none,rules,justext", "b"]);
    const written = readFileSync(output, "utf8").trim().split("\n");
    expect(written.map((line): unknown => JSON.parse(line))).toEqual([
      { id: "of b", none: [1, 1, 1], rules: [0, 1, 1], justext: [0, 1, 1] },
    ]);
  });
});
