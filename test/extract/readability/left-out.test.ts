import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Line } from "../../../src/document.js";
import { createBodyExtractor } from "../../../src/extract/body.js";
import { createReadabilityExtractor, mergeLeftOut } from "../../../src/extract/readability/readability.js";
import { decodePage } from "../../../src/parse/charset.js";
import { parseHtml } from "../../../src/parse/standard-tree.js";
import { splitWords } from "../../../src/language/words.js";

const words = (lines: readonly Line[]): string[] => lines.flatMap((line) => splitWords(line.text)).sort();

describe("lines that Readability leaves out", () => {
  it.each(readdirSync("fixtures/pages"))("are in the document when they are to be marked: %s", (slug) => {
    const { text } = decodePage(readFileSync(`fixtures/pages/${slug}/source.html`), undefined);
    const page = parseHtml({ id: slug, url: "", html: text });
    const [body, taken, all] = [
      createBodyExtractor(),
      createReadabilityExtractor({ leftOut: "drop" }),
      createReadabilityExtractor({ leftOut: "mark" }),
    ].map((extractor) => {
      const outcome = extractor.extract(page);
      if (!outcome.ok) throw new Error(outcome.reason);
      return outcome.value.lines;
    });
    expect(all!.filter((line) => line.leftOutBy === undefined)).toEqual(taken);
    expect(words(all!)).toEqual(words(body!));
    expect(new Set(all!.map((line) => line.leftOutBy))).toContain(
      all!.length === taken!.length ? undefined : "readability",
    );
  });

  it("are merged in the order of the source", () => {
    const line = (text: string, start?: number): Line => ({
      text,
      block: "p",
      path: "",
      linkChars: 0,
      breakBefore: "block",
      ...(start === undefined ? {} : { span: [start, start + 1] as const }),
    });
    const merged = mergeLeftOut(
      [line("b", 5), line("d", 9)],
      [line("a", 1), line("made up"), line("c", 7), line("e", 11)],
      "x",
    );
    expect(merged.map(({ text }) => text)).toEqual(["a", "made up", "b", "c", "d", "e"]);
    expect(merged.map(({ leftOutBy }) => leftOutBy)).toEqual(["x", "x", undefined, "x", undefined, "x"]);
  });
});
