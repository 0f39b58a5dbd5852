import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readRecord } from "../../src/acquire/records/record.js";
import type { Page } from "../../src/document.js";
import { toFields, type Fields } from "../../src/json.js";
import { NOTE_CUT_KEPT } from "../../src/label/cut-again.js";
import type { CleanOptions } from "../../src/options/options.js";
import type { Outcome } from "../../src/outcome.js";
import { createThresher, type CleanSource } from "../../src/thresher.js";
import type { DocumentRecord } from "../../src/write/document-record.js";

const FIXTURES = fileURLToPath(new URL("../../fixtures/", import.meta.url));

function readFixtures(): CleanSource[] {
  const pages = readdirSync(join(FIXTURES, "pages"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({
      id: name,
      html: readFileSync(join(FIXTURES, "pages", name, "source.html"), "utf8"),
    }));
  const texts = readdirSync(join(FIXTURES, "text")).map((name) => ({
    id: `text ${name}`,
    text: readFileSync(join(FIXTURES, "text", name, "source.txt"), "utf8"),
  }));
  return [...pages.filter((_page, at) => at % 3 === 0), ...HARD_PAGES, ...texts, ...HARD_TEXTS];
}

const OTTERS = [
  "The wardens of the river saw three otters on Tuesday, the first in more than twenty years.",
  "They believe that the animals came up from the estuary in the spring, when the weirs were open for some weeks.",
];

/** Pages on which a rule decides, not the score. */
const HARD_PAGES = [
  { id: "ad", html: `<article><h1>Otters</h1><p>${OTTERS.join("<p>Advertisement<p>")}</article>` },
];

const LONG_LINE = "The same line comes again and again, because nobody has looked at it for years. ".repeat(
  3,
);

/** Texts for which a rule decides, not the score. */
const HARD_TEXTS = [
  { id: "copies", text: `${LONG_LINE}\n`.repeat(3) },
  { id: "index", text: "A\nB\nC\nD\nE\nAbbot, the head of an abbey of monks\nHome" },
  {
    id: "rescued",
    text: "Home\nSign in to see all of your orders and your wish list, and subscribe to our newsletter now\nMore\nAGB",
  },
  // A line that lost its line breaks is judged by its sentences.
  { id: "long", lines: ["Home", LONG_LINE.repeat(60), "Imprint"] },
];

async function clean(
  options: CleanOptions,
  inputs: Iterable<CleanSource>,
): Promise<Outcome<DocumentRecord>[]> {
  // No page takes long by itself; a busy machine must not cause a reject.
  const thresher = await createThresher({ workers: 1, keepBoilerplate: true, timeoutMs: 60_000, ...options });
  const outcomes: Outcome<DocumentRecord>[] = [];
  for await (const outcome of thresher.cleanAll(inputs)) outcomes.push(outcome);
  await thresher.close();
  return outcomes;
}

/** Reads the record as another run does. */
function readBack(record: object): Outcome<Page> {
  return readRecord(JSON.parse(JSON.stringify(record)) as Fields, { id: "x", at: "line 1", maxBytes: 1e7 });
}

/** Returns the record of a document without its fingerprint, or the reject. */
function withoutFingerprint(outcome: Outcome<DocumentRecord> | undefined): unknown {
  if (outcome?.ok !== true) return outcome;
  const { fingerprint, ...record } = outcome.value;
  expect(fingerprint).toMatch(/^[0-9a-f]{16}(\+[0-9a-f]{16})?$/);
  return JSON.parse(JSON.stringify(record));
}

const OPTIONS: readonly CleanOptions[] = [
  {},
  { focus: "precision" },
  { cut: 0.1 },
  { cut: 0.7, comments: "drop" },
  { focus: "recall", comments: "keep" },
];

describe("records that bring scores", () => {
  it.each<[string, CleanOptions]>([
    ["the page path", {}],
    ["Readability and the labeller of texts", { extractor: "readability", labeller: "text" }],
  ])("are cut like in a run over the pages: %s", { timeout: 300_000 }, async (_name, base) => {
    const inputs = readFixtures();
    const runs = [];
    for (const options of OPTIONS) runs.push(await clean({ ...base, ...options }, inputs));
    const texts = new Set(runs.map((run) => JSON.stringify(run.map((one) => one.ok && one.value.text))));
    expect(texts.size).toBe(OPTIONS.length);
    // A named labeller would label them again.
    const others = base.extractor === undefined ? {} : { extractor: base.extractor };
    for (const [from, run] of runs.entries()) {
      const records = run.map((one) => (one.ok ? readBack(one.value) : one));
      // Each set of options is cut from the previous one, and the first from the last.
      const to = (from + 1) % OPTIONS.length;
      const cut = await clean({ ...others, ...OPTIONS[to] }, records);
      for (const [at, outcome] of cut.entries())
        // They are compared as text, since the order of fields must be the same, too.
        expect(JSON.stringify(withoutFingerprint(outcome)), `${from} to ${to}`).toBe(
          JSON.stringify(withoutFingerprint(runs[to]?.[at])),
        );
    }
  });

  it("say which rule decided, if no threshold is set", async () => {
    const [runs, alone] = [await clean({}, HARD_PAGES), await clean({ cut: 0.5 }, HARD_PAGES)];
    const whys = (run: typeof runs): unknown =>
      run.map((one) => one.ok && one.value.lines?.map(({ why }) => why ?? ""));
    expect(whys(runs)).toEqual([["", "", "label-of-ad", ""]]);
    expect(whys(alone)).toEqual([["", "", "", ""]]);
  });

  it("lose structure that is not requested", async () => {
    const based =
      '<base href="https://mills.example/"><ul><li>A mill by a river ground flour for six villages.</ul>';
    const pages = [...readFixtures().filter((input) => "html" in input), { id: "based", html: based }];
    const structured = await clean({ structure: "keep" }, pages);
    const records = structured.map((one) => (one.ok ? readBack(one.value) : one));
    const [cut, plain] = [await clean({}, records), await clean({}, pages)];
    const all = (run: typeof cut): string => JSON.stringify(run.map(withoutFingerprint));
    expect(all(cut)).toBe(all(plain));
    expect(all(await clean({ rescore: true }, records))).toBe(all(plain));
    expect(all(await clean({ structure: "keep" }, records))).toBe(all(structured));
    expect(all(structured)).not.toBe(all(plain));
  });

  it("keep the fingerprint of the run that scored them, however often they are cut", async () => {
    const page = { id: "a", html: "<h1>Mills</h1><p>A mill by a river ground flour for six villages.</p>" };
    const [first] = await clean({}, [page]);
    if (first?.ok !== true) throw new Error("no document");
    const scorer = first.value.fingerprint;
    const [second] = await clean({ cut: 0.2 }, [readBack(first.value)]);
    if (second?.ok !== true) throw new Error("no document");
    expect(second.value.fingerprint).toMatch(new RegExp(`^(?!${scorer})[0-9a-f]{16}\\+${scorer}$`));
    const [third] = await clean({}, [readBack(second.value)]);
    expect(third?.ok === true && third.value.fingerprint).toBe(`${scorer}+${scorer}`);
  });

  it("are labelled again on request, or if a labeller is named", async () => {
    const lines = [
      { text: "A mill by the river ground the flour of six villages for three hundred years.", score: 0.1 },
      { text: "Log in", score: 0.9 },
    ];
    const record = readBack({ id: "a", lines, fingerprint: "0123456789abcdef" });
    const texts = async (options: CleanOptions): Promise<unknown> =>
      (await clean(options, [record])).map((one) => one.ok && one.value.text);
    expect(await texts({ cut: 0.5 })).toEqual(["Log in"]);
    for (const options of [{ rescore: true }, { labeller: "rules" }, { condition: "raw" }] as const)
      expect(await texts({ cut: 0.5, ...options })).toEqual([lines[0]?.text]);
  });

  it("are labelled again like their pages, since they hold the title and other metadata", async () => {
    const pages = readFixtures().filter((input) => "html" in input);
    const first = await clean({}, pages);
    const records = first.map((one) => (one.ok ? readBack(one.value) : one));
    const again = await clean({ rescore: true }, records);
    expect(again.map(withoutFingerprint)).toEqual(first.map(withoutFingerprint));
    const told = first.flatMap((one) => (one.ok ? [one.value] : []));
    expect(told.some(({ statedTitle }) => statedTitle !== undefined)).toBe(true);
    expect(told.some(({ clues = [] }) => clues.length > 0)).toBe(true);
  });

  it("keep their labels if the cut of their labeller is unknown", async () => {
    const lines = [
      { text: "Kept although its score is low.", score: 0.1, label: "content" },
      { text: "Dropped", score: 0.9, label: "boilerplate", why: "mostly-links" },
    ];
    const record = readBack({ id: "a", lines });
    const [asIs] = await clean({ focus: "recall" }, [record]);
    expect(asIs).toMatchObject({
      value: { text: "Kept although its score is low.", notes: [NOTE_CUT_KEPT] },
    });
    const [cut] = await clean({ cut: 0.5 }, [record]);
    expect(cut).toMatchObject({ value: { text: "Dropped", notes: [] } });
  });

  it("are read as text if a score is missing, and rejected if one is invalid", () => {
    const lines = [{ text: "One", score: 0.4 }, { text: "Two" }];
    expect(readBack({ lines, text: "One\nTwo" })).toMatchObject({ value: { content: { kind: "text" } } });
    for (const score of [-0.1, 1.5, "0.5", null]) {
      const wrong = readBack({ lines: [{ text: "One", score }] });
      expect(wrong).toMatchObject({ ok: false, reason: "bad-record" });
    }
  });

  it("ignore fields with invalid values", () => {
    const record = {
      id: "a",
      lines: [
        {
          ...{ text: "One", score: 0.5, block: "blink", path: 7, span: [3, 1], holder: 4, number: 2 ** 31 },
          spans: [
            { kind: "em", start: 0, end: 99 },
            { kind: "glow", start: 0, end: 1 },
            { kind: "link", start: 0, end: 3, href: "/one" },
          ],
        },
      ],
      holders: [{ tag: "ul", parent: 0 }],
      page: { type: "article", probability: 2, contentProbability: 0.5, cut: 0.5 },
      meta: { author: ["A"], tags: ["x", 1] },
      notes: ["a", 1],
    };
    const page = readBack(record);
    const content = page.ok ? page.value.content : undefined;
    const line = { text: "One", block: "text", path: "", linkChars: 0, breakBefore: "line", score: 0.5 };
    expect(toFields(content)["scored"]).toEqual({
      source: "text",
      meta: { tags: ["x"] },
      notes: ["a"],
      lines: [{ ...line, label: "content", links: [{ start: 0, end: 3, href: "/one" }] }],
      scoredBy: "unknown",
    });
  });

  it("keep the numbers of a list that counts from below zero", async () => {
    const page = { id: "a", html: "<ol start=-1><li>One<li>Two</ol>" };
    const [first] = await clean({ structure: "keep" }, [page]);
    if (first?.ok !== true) throw new Error("no document");
    expect(first.value.lines?.map(({ number }) => number)).toEqual([-1, 0]);
    const [cut] = await clean({ structure: "keep", cut: 0.2 }, [readBack(first.value)]);
    expect(cut?.ok === true && cut.value.lines?.map(({ number }) => number)).toEqual([-1, 0]);
    expect(cut?.ok === true && cut.value.holders).toEqual(first.value.holders);
  });
});
