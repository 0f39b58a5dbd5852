import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BLOCK_TAGS, type Document, type Label, type LabelledLine } from "../src/document.js";
import { createBodyExtractor } from "../src/extract/body.js";
import { extractText } from "../src/extract/text.js";
import { decodePage } from "../src/parse/charset.js";
import { parseHtml } from "../src/parse/standard-tree.js";
import { formatText } from "../src/write/text.js";

interface GoldLine {
  readonly text: string;
  readonly block: string;
  readonly label: Label;
}

interface About {
  readonly proves: string;
  readonly lang: string;
  readonly type: string;
  readonly charset?: string;
  readonly meta: Readonly<Record<string, string>>;
}

const TYPES =
  "article blog forum qa product listing recipe documentation lyrics encyclopedia service collection".split(
    " ",
  );

function readGold(folder: string): GoldLine[] {
  return readFileSync(join(folder, "lines.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as GoldLine);
}

const readAbout = (folder: string): About =>
  JSON.parse(readFileSync(join(folder, "about.json"), "utf8")) as About;

function extractPage(folder: string): Document {
  const { text } = decodePage(readFileSync(join(folder, "source.html")), undefined);
  const outcome = createBodyExtractor().extract(parseHtml({ id: folder, url: "", html: text }));
  if (!outcome.ok) throw new Error(`${folder}: ${outcome.reason}`);
  return outcome.value;
}

function labelByHand(document: Document, gold: readonly GoldLine[]): Document<LabelledLine> {
  const lines = document.lines.map((line, index) => {
    const label = gold[index]?.label ?? "boilerplate";
    return { ...line, label, score: label === "content" ? 1 : 0 };
  });
  return { ...document, lines };
}

function checkGolden(path: string, actual: string): void {
  if (process.env["UPDATE_GOLDEN"] === "1") {
    if (process.env["CI"] !== undefined) throw new Error("golden files are not rewritten in CI");
    writeFileSync(path, actual);
  }
  expect(existsSync(path), `${path} is missing`).toBe(true);
  expect(actual).toBe(readFileSync(path, "utf8"));
}

const pages = readdirSync("fixtures/pages").map((slug) => `fixtures/pages/${slug}`);
const texts = readdirSync("fixtures/text").map((slug) => `fixtures/text/${slug}`);

describe("the fixtures", () => {
  it("are as many, in as many languages, as we say", () => {
    expect(pages.length).toBeGreaterThanOrEqual(30);
    expect(texts.length).toBeGreaterThanOrEqual(10);
    const languages = new Set(pages.map((page) => readAbout(page).lang.split("-")[0]));
    expect(languages.size).toBeGreaterThanOrEqual(12);
    for (const lang of ["ru", "el", "ar", "he", "hi", "th", "zh", "ja", "ko"])
      expect([...languages]).toContain(lang);
  });

  it.each([...pages, ...texts])("%s is complete and well-formed", (folder) => {
    const about = readAbout(folder);
    expect(about.proves.length).toBeGreaterThan(20);
    expect(TYPES).toContain(about.type);
    for (const { text, block, label } of readGold(folder)) {
      expect(text.length).toBeGreaterThan(0);
      expect(["content", "boilerplate"]).toContain(label);
      expect([...BLOCK_TAGS]).toContain(block);
    }
  });
});

describe.each(pages)("%s", (folder) => {
  const gold = readGold(folder);
  const document = extractPage(folder);

  it("gives the lines that a reader sees", () => {
    expect(document.lines.map(({ text, block }) => ({ text, block }))).toEqual(
      gold.map(({ text, block }) => ({ text, block })),
    );
  });

  it("gives the text of its content lines", () => {
    checkGolden(join(folder, "text.txt"), formatText(labelByHand(document, gold)));
  });

  it("states its metadata", () => {
    expect(document.meta).toEqual(readAbout(folder).meta);
  });
});

describe.each(texts)("%s", (folder) => {
  it("splits into its lines", () => {
    const { text } = decodePage(readFileSync(join(folder, "source.txt")), undefined);
    const outcome = extractText({ id: folder, url: "", text });
    if (!outcome.ok) throw new Error(outcome.reason);
    expect(outcome.value.lines.map((line) => line.text)).toEqual(readGold(folder).map((line) => line.text));
  });
});
