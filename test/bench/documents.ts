/** Small documents with gold, and corpora of them, for tests of whole runs. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { gzipSync } from "node:zlib";
import type { BenchIo } from "../../bench/run/bench-options.js";
import type { Corpus, GoldDocument } from "../../bench/corpora/gold.js";

const CONTENT = [
  "the old crane beside the water was closed on a rainy monday morning",
  "nobody in that town could say how long such repairs would take them",
  "one bell rang twice more before every window along our street went dark",
];

/** Three lines of content between two of boilerplate; no two documents share a word. */
export function makeDocument(index: number, rest: Partial<GoldDocument> = {}): GoldDocument {
  const own = (text: string): string => text.replaceAll(/\w+/g, (word) => `${word}x${index}`);
  const lines = [
    { text: own("home news sport contact"), label: 0 as const },
    ...CONTENT.map((text) => ({ text: own(text), label: 1 as const })),
    { text: own("subscribe to our free letter today"), label: 0 as const },
  ];
  return {
    id: `test/${index}`,
    corpus: "test",
    lang: index % 2 === 0 ? "en" : "fi",
    split: "test",
    url: "",
    html: lines.map(({ text }) => `<p>${text}</p>`).join("\n"),
    lines,
    ...rest,
  };
}

export function makeDocuments(count: number): GoldDocument[] {
  return Array.from({ length: count }, (_, index) => makeDocument(index));
}

export function makeCorpus(documents: readonly GoldDocument[]): Corpus {
  return {
    ...{ name: "test", origin: "here", licence: "none", languages: ["en"], splits: ["test"], unit: "pages" },
    mainContent: "the middle",
    training: "never",
    async *documents() {
      yield* documents;
      await Promise.resolve();
    },
    problems: () => [],
  };
}

/** Documents as the rows of a gold folder's file. */
export function toRow(document: GoldDocument): object {
  const { id, lang, html, lines } = document;
  return { id, lang, html, gold_lines: lines, gold_lines_how: "dom-marks" };
}

export function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), "thresher-bench-"));
}

/** A gold folder with one file. */
export function makeGold(path: string, rows: readonly object[]): string {
  const folder = makeFolder();
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), gzipSync(rows.map((row) => `${JSON.stringify(row)}\n`).join("")));
  return folder;
}

export function makeIo(): BenchIo & { readonly said: () => string } {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  let text = "";
  stderr.on("data", (chunk: Buffer) => (text += chunk.toString()));
  stdout.resume();
  return { stdout, stderr, signal: new AbortController().signal, said: () => text };
}
