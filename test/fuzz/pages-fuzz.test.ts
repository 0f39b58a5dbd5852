import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toPage } from "../../src/acquire/page-bytes.js";
import type { Document, LabelledLine, Page, PageFormat } from "../../src/document.js";
import { extractors } from "../../src/extract/registry.js";
import { extractText } from "../../src/extract/text.js";
import { REASONS, type Outcome } from "../../src/outcome.js";
import { decodePage } from "../../src/parse/charset.js";
import { parseQuickly } from "../../src/parse/quick-tree.js";
import { READINGS } from "../../src/parse/readings.js";
import { parseHtml } from "../../src/parse/standard-tree.js";
import { DEFAULTS } from "../../src/options/options.js";
import { createPipeline } from "../../src/pipeline.js";
import { openReader } from "../../src/core/read-page.js";
import { checkFormats } from "./formats.js";
import { mutatePage, readSeeds, type Mutant } from "./mutate.js";
import { createRandom, type Random } from "../../src/random.js";
import { pick } from "./random.js";
import { checkLines, checkTextLines } from "./visible-text.js";
import { collectAll } from "../collect-all.js";

/** Tests mutated pages; `THRESHER_FUZZ=50000` makes a longer run, and `THRESHER_SEED` a different one. */
const RUNS = Number(process.env["THRESHER_FUZZ"] ?? 250);
const SEED = Number(process.env["THRESHER_SEED"] ?? 1);
/** One mutant in this number also goes through the slower extractors, and one through the model. */
const PER_SLOW = 8;
const PER_MODEL = 20;

const SEEDS = readSeeds();
const options = { leftOut: "drop" } as const;
const [readQuickly, readReadably] = await Promise.all([
  openReader("page", options),
  openReader("readability", options),
]);
const body = await extractors.body.create({ leftOut: "drop" });

function toOutcome({ bytes, contentType }: Mutant, format: PageFormat, id = "mutant"): Outcome<Page> {
  const type = contentType === undefined ? {} : { contentType };
  return toPage({ id, url: "https://example.org/", format, ...type }, bytes, 10_000_000);
}

/** Gives random labels: tests of the writers must not depend on a model's scores of broken pages. */
function label(doc: Document, random: Random): Document<LabelledLine> {
  return {
    ...doc,
    lines: doc.lines.map((line) => {
      const score = Math.round(random() * 1000) / 1000;
      return { ...line, score, label: score < 0.3 ? "boilerplate" : "content" };
    }),
  };
}

function readAs(mutant: Mutant, format: PageFormat): Document | undefined {
  const page = toOutcome(mutant, format);
  const outcome = page.ok ? readQuickly(page.value) : page;
  if (outcome.ok) return outcome.value;
  expect(Object.keys(REASONS)).toContain(outcome.reason);
  expect(outcome.reason).not.toBe("crashed");
  return undefined;
}

/** Lists what is wrong with the lines of a page, in the tree of the reading that its notes state. */
function checkHtml(mutant: Mutant, doc: Document): string[] {
  const { text } = decodePage(mutant.bytes, mutant.contentType);
  const [, mend] = READINGS.find(([note]) => doc.notes.includes(note)) ?? [];
  const html = mend?.(text) ?? text;
  return checkLines(parseQuickly({ id: "", url: "", html }), doc);
}

function checkSlowly(mutant: Mutant): string[] {
  const { text: html } = decodePage(mutant.bytes, mutant.contentType);
  const tree = parseHtml({ id: "", url: "", html });
  const whole = body.extract(tree);
  const page = toOutcome(mutant, "html");
  if (page.ok) readReadably(page.value);
  return whole.ok ? checkLines(tree, whole.value) : [];
}

const GOOD = readAs({ bytes: SEEDS[0]!, changes: [] }, "html")!;

async function attack(check: (mutant: Mutant, random: Random, run: number) => Promise<string[]>) {
  const random = createRandom(SEED);
  for (let run = 0; run < RUNS; run += 1) {
    const mutant = mutatePage(SEEDS, random);
    const where = `run ${run} of seed ${SEED}: ${mutant.changes.join(", ")}`;
    let errors: string[];
    try {
      errors = await check(mutant, createRandom(run), run);
    } catch (cause) {
      throw new Error(where, { cause });
    }
    expect(errors.slice(0, 5), where).toEqual([]);
  }
}

describe("mutated pages", { timeout: 30_000 + RUNS * 500 }, () => {
  it("become lines that are substrings of the page, or a reject, and every format can write them", async () => {
    const neighbour = label(GOOD, createRandom(7));
    let documents = 0;
    await attack(async (mutant, random, run) => {
      const doc = readAs(mutant, "html");
      const slow = run % PER_SLOW === 0 ? checkSlowly(mutant) : [];
      if (doc === undefined) return slow;
      documents += 1;
      const formats = await checkFormats(label(doc, random), [neighbour, { ...neighbour, id: "after" }]);
      return [...checkHtml(mutant, doc), ...formats, ...slow];
    });
    // Most mutants are still pages, so the checks above ran.
    expect(documents).toBeGreaterThan(RUNS / 2);
  });

  it("become lines that are substrings of the text if they are read as plain text", async () => {
    await attack((mutant) => {
      const doc = readAs(mutant, "text");
      if (doc === undefined) return Promise.resolve([]);
      return Promise.resolve(checkTextLines(decodePage(mutant.bytes, mutant.contentType).text, doc.lines));
    });
  });

  it("leave their neighbours in a stream unchanged and in order", async () => {
    const random = createRandom(SEED + 1);
    const mutants = Array.from({ length: Math.ceil(RUNS / PER_MODEL) }, () => mutatePage(SEEDS, random));
    const good = (id: string): Outcome<Page> =>
      toOutcome({ bytes: pick(random, SEEDS), changes: [] }, "html", id);
    const stream = mutants.flatMap((mutant, at) => [
      toOutcome(mutant, "html", `mutant ${at}`),
      good(`good ${at}`),
    ]);
    const pipeline = await createPipeline({ ...DEFAULTS, workers: 1, keepBoilerplate: true });
    const run = async (pages: readonly Outcome<Page>[]): Promise<Outcome<Document<LabelledLine>>[]> => {
      const tagged = pages.map((page, tag) => ({ page, tag }));
      const results = await collectAll(pipeline.run(iterate(tagged), new AbortController().signal));
      expect(results.map(({ tag }) => tag)).toEqual([...pages.keys()]);
      return results.map(({ outcome }) => outcome);
    };
    const alone = await run(stream.filter((_, at) => at % 2 === 1));
    const together = await run(stream);
    await pipeline.close();
    expect(together.map(nameOf)).toEqual(stream.map(nameOf));
    expect(together.filter((_, at) => at % 2 === 1)).toEqual(alone);
  });
});

async function* iterate<T>(items: readonly T[]): AsyncGenerator<T> {
  for (const item of items) yield await Promise.resolve(item);
}

function nameOf(outcome: Outcome<{ readonly id: string }>): string {
  return outcome.ok ? outcome.value.id : outcome.id;
}

describe("arbitrary text", () => {
  const anyHtml = fc.oneof(
    fc.string({ unit: "binary", maxLength: 200 }),
    fc
      .array(
        fc.oneof(
          fc.string({ unit: "grapheme", maxLength: 8 }),
          fc.constantFrom("<p>", "<td>", "</", "<pre>", "&", "<a href=x>", "<rt>"),
        ),
      )
      .map((parts) => parts.join("")),
  );

  it("becomes lines that are substrings of the page", () => {
    fc.assert(
      fc.property(anyHtml, (html) => {
        const outcome = readQuickly({ id: "", url: "", content: { kind: "html", html } });
        if (outcome.ok)
          expect(checkLines(parseQuickly({ id: "", url: "", html }), outcome.value)).toEqual([]);
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });

  it("becomes lines that are substrings of the text if it is read as plain text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const outcome = extractText({ id: "", url: "", text });
        if (outcome.ok) expect(checkTextLines(text, outcome.value.lines)).toEqual([]);
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });
});
