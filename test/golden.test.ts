import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { BLOCK_TAGS, type Document, type LabelledLine, type Page } from "../src/document.js";
import { createBodyExtractor } from "../src/extract/body.js";
import { extractText } from "../src/extract/text.js";
import { decodePage } from "../src/parse/charset.js";
import { accept, type Outcome } from "../src/outcome.js";
import { parseHtml } from "../src/parse/standard-tree.js";
import { createPipeline, type Pipeline, type TaggedPage } from "../src/pipeline.js";
import { formatMarkdown } from "../src/write/markdown.js";
import { formatText } from "../src/write/text.js";
import { readGold, type GoldLine } from "./gold-lines.js";

interface About {
  readonly proves: string;
  readonly lang: string;
  readonly type: string;
  readonly charset?: string;
  readonly meta: Readonly<Record<string, string | readonly string[]>>;
}

const TYPES =
  "article blog forum qa product listing recipe documentation lyrics encyclopedia service collection".split(
    " ",
  );

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

/** Compares the text with the golden file, or rewrites the file if UPDATE_GOLDEN=1; a missing file fails. */
function checkGolden(path: string, actual: string): void {
  if (process.env["UPDATE_GOLDEN"] === "1") {
    if (process.env["CI"] !== undefined) throw new Error("golden files are not rewritten in CI");
    writeFileSync(path, actual);
  }
  expect(existsSync(path), `${path} is missing`).toBe(true);
  expect(actual).toBe(readFileSync(path, "utf8"));
}

let pipeline: Pipeline;
beforeAll(async () => {
  pipeline = await createPipeline({ workers: 1, structure: "keep" });
});
afterAll(() => pipeline.close());

/** Cleans a file with the default pipeline: its extractor, labellers and cut. */
async function clean(file: string, contentType: string): Promise<Outcome<Document<LabelledLine>>> {
  const page: Page = {
    id: file,
    url: "",
    content: { kind: "bytes", bytes: readFileSync(file), contentType },
  };
  async function* pages(): AsyncGenerator<TaggedPage<undefined>> {
    yield await Promise.resolve({ page: accept(page), tag: undefined });
  }
  for await (const { outcome } of pipeline.run(pages(), new AbortController().signal)) return outcome;
  throw new Error(`nothing came back for ${file}`);
}

/** What `thresher` and `thresher --to markdown` print for an outcome, or why it has no text. */
function print(outcome: Outcome<Document<LabelledLine>>): {
  readonly text: string;
  readonly markdown: string;
} {
  if (!outcome.ok) return { text: `(${outcome.reason})\n`, markdown: `(${outcome.reason})\n` };
  return { text: formatText(outcome.value), markdown: formatMarkdown(outcome.value) };
}

const pages = readdirSync("fixtures/pages").map((slug) => `fixtures/pages/${slug}`);
const texts = readdirSync("fixtures/text").map((slug) => `fixtures/text/${slug}`);

describe("the fixtures", () => {
  it("include at least 30 pages and 10 texts, and the languages that we promise", () => {
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

  it("gives the lines that were labelled by hand", () => {
    expect(document.lines.map(({ text, block }) => ({ text, block }))).toEqual(
      gold.map(({ text, block }) => ({ text, block })),
    );
  });

  it("formats the lines labelled as content as in text.txt", () => {
    checkGolden(join(folder, "text.txt"), formatText(labelByHand(document, gold)));
  });

  it("gives the text and the Markdown of default.txt and default.md with the default pipeline", async () => {
    const { text, markdown } = print(await clean(join(folder, "source.html"), "text/html"));
    checkGolden(join(folder, "default.txt"), text);
    checkGolden(join(folder, "default.md"), markdown);
  });

  it("gives the metadata of about.json", () => {
    expect(document.meta).toEqual(readAbout(folder).meta);
  });
});

describe.each(texts)("%s", (folder) => {
  it("splits the text into the lines that were labelled by hand", () => {
    const { text } = decodePage(readFileSync(join(folder, "source.txt")), undefined);
    const outcome = extractText({ id: folder, url: "", text });
    if (!outcome.ok) throw new Error(outcome.reason);
    expect(outcome.value.lines.map((line) => line.text)).toEqual(readGold(folder).map((line) => line.text));
  });

  it("gives the text of default.txt with the default pipeline", async () => {
    const { text } = print(await clean(join(folder, "source.txt"), "text/plain"));
    checkGolden(join(folder, "default.txt"), text);
  });
});

describe("a golden file", () => {
  const folder = mkdtempSync(join(tmpdir(), "thresher-golden-"));
  const path = join(folder, "text.txt");
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it("fails the test if it is missing or differs", () => {
    vi.stubEnv("UPDATE_GOLDEN", undefined);
    expect(() => {
      checkGolden(path, "a\n");
    }).toThrow("is missing");
    writeFileSync(path, "a\n");
    checkGolden(path, "a\n");
    expect(() => {
      checkGolden(path, "b\n");
    }).toThrow();
  });

  it("is rewritten with UPDATE_GOLDEN=1, but not in CI", () => {
    vi.stubEnv("UPDATE_GOLDEN", "1");
    vi.stubEnv("CI", undefined);
    checkGolden(path, "c\n");
    expect(readFileSync(path, "utf8")).toBe("c\n");
    vi.stubEnv("CI", "true");
    expect(() => {
      checkGolden(path, "d\n");
    }).toThrow("not rewritten in CI");
    expect(readFileSync(path, "utf8")).toBe("c\n");
  });

  it("differs if the default pipeline drops one more line", async () => {
    const slug = pages[0] ?? "";
    const outcome = await clean(join(slug, "source.html"), "text/html");
    if (!outcome.ok) throw new Error(outcome.reason);
    const { lines } = outcome.value;
    const last = lines.findLastIndex(({ label }) => label === "content");
    const fewer = lines.filter((_, at) => at !== last);
    const golden = readFileSync(join(slug, "default.md"), "utf8");
    expect(print(outcome).markdown).toBe(golden);
    expect(print({ ok: true, value: { ...outcome.value, lines: fewer } }).markdown).not.toBe(golden);
  });
});
