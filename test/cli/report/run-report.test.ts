import { PassThrough, Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { formatCorpusTable } from "../../../src/cli/report/run-stats.js";
import { createReport, formatTime, type ReportOptions } from "../../../src/cli/report/run-report.js";
import { accept, reject } from "../../../src/outcome.js";
import { countOutcome, createFigures, type CorpusRow } from "../../../src/cli/report/run-figures.js";
import { makeDocument } from "../../filter/documents.js";

const row = (texts: number): CorpusRow => ({
  texts,
  keptTexts: texts - 1,
  contentLines: texts * 10,
  boilerplateLines: texts * 100,
  words: texts * 1000,
});

describe("the corpus table", () => {
  it("has a row for each language, most frequent first, and one for all", () => {
    expect(formatCorpusTable({ languages: { sv: row(2), fi: row(1200), et: row(2) } })).toBe(
      [
        "  language  texts   kept  content lines  boilerplate lines      words",
        "  fi        1,200  1,199         12,000            120,000  1,200,000",
        "  et            2      1             20                200      2,000",
        "  sv            2      1             20                200      2,000",
        "  all       1,204  1,201         12,040            120,400  1,204,000",
        "",
      ].join("\n"),
    );
  });

  it("fits on a screen, and is omitted without texts", () => {
    const codes = Array.from(
      { length: 60 },
      (_, number) => `a${String.fromCharCode(97 + (number % 26))}${number}`,
    );
    const table = formatCorpusTable({
      languages: Object.fromEntries(codes.map((code, at) => [code, row(at + 2)])),
    });
    expect(table.split("\n")).toHaveLength(23);
    expect(table).toContain("41 others");
    expect(formatCorpusTable({ languages: {} })).toBe("");
    expect(formatCorpusTable({ languages: { fi: row(2) } }).split("\n")).toHaveLength(3);
  });

  it("formats times for people", () => {
    expect([0.2, 89, 91, 5300, 5400, 90_061].map(formatTime)).toEqual([
      "1 s",
      "89 s",
      "2 min",
      "89 min",
      "1 h 30 min",
      "25 h 2 min",
    ]);
  });
});

function report(
  options: Partial<ReportOptions>,
  outcomes: number,
  bytes: { read: number; all?: number },
  others: { otherFiles?: number; hiddenFiles?: number } = {},
): string {
  let written = "";
  const stderr = new Writable({
    write(chunk: Buffer, _, done) {
      written += chunk.toString();
      done();
    },
  });
  const io = {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr,
    signal: new AbortController().signal,
  };
  const told = createReport({ progress: "auto", quiet: false, ...options }, io);
  const figures = createFigures();
  let read = 0;
  told.begin(figures, { bytesRead: () => read, bytesInAll: () => bytes.all });
  read = bytes.read;
  for (let number = 0; number < outcomes; number += 1) {
    const document = makeDocument(["Some text."], { id: `doc ${number}`, lang: "fi" });
    const labelled = { lang: "fi", contentLines: 1, boilerplateLines: 0, words: 2 };
    const outcome = number % 2 === 0 ? accept(document) : reject(document, "label", "no-content");
    countOutcome(figures, outcome, { ms: number + 1, labelled });
    if (outcome.ok) told.accept(outcome.value);
    else told.reject(outcome);
  }
  told.end({ hasRejectsFile: false, passedOver: {}, ...others, seconds: 2, bytesRead: 4_000_000 });
  return written;
}

describe("the report", () => {
  it("is brief for a few documents, and summarises many", () => {
    expect(report({}, 1, { read: 0 })).toBe("");
    expect(report({}, 4, { read: 0 }).split("\n")).toHaveLength(3);
    const many = report({}, 20, { read: 0 });
    expect(many.match(/: no-content: /g)).toHaveLength(5);
    expect(many).toContain("thresher: 10 documents, 10 rejects (no-content 10; --rejects FILE lists each)\n");
    expect(many).toMatch(/ {2}fi +20 +10 +20 +0 +20\n/);
    expect(many).toMatch(
      / {2}10\.0 documents\/s, 2\.00 MB\/s; ms a document: p50 9\.\d+, p90 17\.\d+, p99 19\.\d+, slowest 20 \(doc 19\)\n$/,
    );
    expect(report({ quiet: true }, 20, { read: 0 })).toBe("");
  });

  it("says how to read files that were skipped", () => {
    expect(report({}, 4, { read: 0 }, { otherFiles: 2 })).toContain(
      "; files with other names, not read: 2 (a glob reads them: 'FOLDER/**/*')\n",
    );
    expect(report({}, 4, { read: 0 }, { hiddenFiles: 1 })).toContain(
      "; hidden files, not read: 1 (a glob reads them: 'FOLDER/**/.*')\n",
    );
    expect(report({}, 20, { read: 0 })).not.toContain("glob");
  });

  it("shows what is done and what is left, if known", () => {
    const live = { progress: "always" } as const;
    expect(report(live, 2, { read: 1_000_000, all: 4_000_000 })).toMatch(
      /\r.\[K1 document, 0 rejects, [\d.]+\/s, 25 %, \d+ s left/,
    );
    expect(report(live, 2, { read: 1_000_000 })).not.toContain("left");
    expect(report(live, 2, { read: 100, all: 4_000_000 })).not.toContain("left");
  });
});
