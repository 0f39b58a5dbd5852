/** The trainer's scripts that need no PyTorch, against the code whose rules they must share. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, type TestContext } from "vitest";
import { isHeldOut } from "../bench/corpora/reader.js";
import { digestLines } from "../bench/gate/training.js";
import { readGold, type GoldRecord } from "../src/acquire/gold.js";
import { PAGE_TYPES, TEXT_CONDITIONS, type BlockTag } from "../src/document.js";
import { calibrate } from "../src/label/page/page-model.js";
import { choosePageCut } from "../src/label/page/page-verdict.js";
import { judgePage } from "../src/label/page/page-verdict.js";

const SCRIPTS = fileURLToPath(new URL("../models/train/", import.meta.url));
const PYTHON = process.env["PYTHON"] ?? "python3";

function python(args: readonly string[], input: string): { readonly status: number | null; text: string } {
  const options = { cwd: SCRIPTS, input, encoding: "utf8", maxBuffer: 1e8 } as const;
  const { status, stdout, stderr } = spawnSync(PYTHON, ["-B", ...args], options);
  return { status, text: status === 0 ? stdout : stderr };
}

const can = (code: string): boolean => python(["-c", code], "").status === 0;
const hasPython = can("import sys; assert sys.version_info >= (3, 9)");
const hasNumpy = hasPython && can("import numpy");

function needs(context: TestContext, isThere: boolean, what: string): void {
  if (!isThere) context.skip(`needs ${what}, which "${PYTHON}" does not have (PYTHON names another)`);
}

/** What a script makes of JSON lines; its own records, whose fields the tests look at. */
function pipe(script: string, records: readonly unknown[]): unknown[] {
  const { status, text } = python([script], records.map((one) => `${JSON.stringify(one)}\n`).join(""));
  expect(status, text).toBe(0);
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line): unknown => JSON.parse(line));
}

const align = (records: readonly unknown[]): Aligned[] => pipe("align.py", records) as Aligned[];
const makeVariants = (records: readonly unknown[]): Made[] => pipe("variants.py", records) as Made[];

/** What Python code says of `given`. */
function evaluate(code: string, given: unknown): unknown {
  const whole = `import json, sys\ngiven = json.load(sys.stdin)\n${code}`;
  const { status, text } = python(["-c", whole], JSON.stringify(given));
  expect(status, text).toBe(0);
  return JSON.parse(text);
}

interface Aligned {
  readonly labelled: boolean;
  readonly unmatched: number;
  readonly carried: number;
  readonly lines: readonly { readonly text: string; readonly label?: number }[];
}

describe("align.py", () => {
  const gold = (text: string, label: 0 | 1): { text: string; label: number } => ({ text, label });
  const ours = (...texts: string[]): { text: string }[] => texts.map((text) => ({ text }));

  it("labels lines that are equal, split, joined, spaced otherwise, or nowhere in the gold", (context) => {
    needs(context, hasPython, "Python 3.9");
    const page = {
      id: "a",
      goldText: "…",
      goldLines: [
        gold("Home", 0),
        gold("Otters are back. A baker saw them at dawn.", 1),
        gold("Share", 0),
        gold("The council", 1),
        gold("closes the path", 1),
        gold("Share", 0),
        gold("水獭回来了。面包师看见了", 1),
      ],
      lines: ours(
        "Home",
        "Otters are back.",
        "A baker saw them at dawn.",
        "Share",
        "The council closes the  path",
        "Share",
        "水獭回来了。",
        "面包师看见了",
        "Zzz",
      ),
    };
    const [aligned] = align([page]);
    expect(aligned?.lines.map(({ label }) => label)).toEqual([0, 1, 1, 0, 1, 0, 1, 1, 0]);
    expect(aligned?.unmatched).toBe(1);
    expect(aligned?.carried).toBeGreaterThan(0.9);
  });

  it("takes an empty gold for a page without content, and no gold for a page that nobody labelled", (context) => {
    needs(context, hasPython, "Python 3.9");
    const lines = ours("Log in", "Terms");
    const pages = [
      { id: "empty", goldText: " ", lines },
      { id: "unlabelled", goldText: "Some text", lines },
      { id: "snippets", lines },
      { id: "silent", goldText: "Some text that a script would show", goldLines: [], lines: [] },
    ];
    const aligned = align(pages);
    expect(aligned.map(({ labelled }) => labelled)).toEqual([true, false, false, true]);
    expect(aligned[0]?.lines.map(({ label }) => label)).toEqual([0, 0]);
  });
});

interface Made extends GoldRecord {
  readonly variant: string;
  readonly base: string;
}

describe("variants.py", () => {
  const line = (text: string, label: 0 | 1, path: string, block: BlockTag, linkChars = 0) => {
    return { text, label, path, block, linkChars, breakBefore: "block", span: [100, 140 + text.length] };
  };
  const ARTICLE = "body.home>div#page.site>main[role=main]>article.post";
  const page = {
    id: "p",
    lang: "en",
    source: "wcxb",
    title: "Otters are back",
    pageType: "article",
    lines: [
      line("Home and all the other places of the town", 0, "body.home>nav#menu>ul>li>a", "li", 41),
      line("News", 0, "body.home>nav#menu>ul>li>a", "li", 4),
      line("Otters are back", 1, `${ARTICLE}>h1`, "h1"),
      line("A baker saw them at dawn, near the old bridge of the town.", 1, `${ARTICLE}>p`, "p", 10),
      line("“They looked at me,” she said.", 1, `${ARTICLE}>p`, "p"),
      line("Share", 0, `${ARTICLE}>footer>span.share`, "footer"),
      line("Contact", 0, "body.home>footer>p", "p", 7),
      line("Terms", 0, "body.home>footer>p", "p", 5),
    ],
  };
  const pages = Array.from({ length: 12 }, (_, at) => ({ ...page, id: `p${at}` }));
  const long = { ...page, id: "long", lines: Array.from({ length: 1501 }, () => page.lines[3]) };
  const text = { ...page, id: "t", lines: page.lines.map(({ text, label }) => ({ text, label })) };

  it("makes pages that the exporter reads, the same ones each time", async (context) => {
    needs(context, hasPython, "Python 3.9");
    const made = makeVariants([...pages, long]);
    expect(makeVariants([...pages, long])).toEqual(made);
    expect(new Set(made.map(({ id }) => id)).size).toBe(made.length);
    expect(made.map(({ variant }) => variant)).toEqual(
      pages.flatMap(() => ["disguised", "aged", "plain", "empty"]),
    );
    const file = join(mkdtempSync(join(tmpdir(), "thresher-train-")), "made.jsonl");
    writeFileSync(file, made.map((one) => `${JSON.stringify(one)}\n`).join(""));
    const read: GoldRecord[] = [];
    // Refuses a block that does not exist, a link longer than its text, and a span that runs backwards.
    for await (const record of readGold(file)) read.push(record);
    expect(read.length).toBe(made.length);
  });

  it("keeps every line and label, but for the content of the emptied", (context) => {
    needs(context, hasPython, "Python 3.9");
    const labels = page.lines.map(({ label }) => label);
    for (const { variant, lines, source, base } of makeVariants(pages)) {
      const wanted = variant === "empty" ? labels.filter((label) => label === 0) : labels;
      expect(lines.map(({ label }) => label)).toEqual(wanted);
      expect([source, base.slice(0, 1)]).toEqual(["wcxb", "p"]);
    }
  });

  it("changes what each is made for", (context) => {
    needs(context, hasPython, "Python 3.9");
    const made = makeVariants(pages);
    const of = (variant: string): Made[] => made.filter((one) => one.variant === variant);
    const paths = (variant: string): string => of(variant).flatMap(({ lines }) => lines.map(({ path }) => path)).join("\n"); // prettier-ignore
    expect(paths("aged")).not.toMatch(/[#.[]|\bmain\b|article|nav|footer/);
    expect(paths("aged")).toMatch(/table>tbody>tr>td/);
    expect(paths("plain")).not.toMatch(/[#[]|post|site|share/);
    for (const { lines, title, lang } of of("disguised")) {
      if (lang === "lower") continue;
      expect(lines[3]?.text).not.toMatch(/baker|bridge/);
      expect(title).not.toMatch(/Otters are/);
      // All of a menu's entry was a link, and still is.
      expect(lines[0]?.linkChars).toBe(lines[0]?.text.length);
    }
  });

  it("leaves little content on a page that has much, and all that is around it", (context) => {
    needs(context, hasPython, "Python 3.9");
    const prose = Array.from({ length: 40 }, (_, at) =>
      line(`${at}. A baker saw them at dawn, near the old bridge of the town.`, 1, `${ARTICLE}>p`, "p"),
    );
    const much = { ...page, lines: [...page.lines.slice(0, 3), ...prose, ...page.lines.slice(5)] };
    const short = makeVariants(pages.map(({ id }) => ({ ...much, id }))).filter(
      ({ variant }) => variant === "short",
    );
    expect(short).toHaveLength(12);
    const lengths = short.map(({ lines }) => {
      expect(lines.filter(({ label }) => label === 0)).toHaveLength(5);
      expect(much.lines.map(({ text }) => text)).toEqual(
        expect.arrayContaining(lines.map(({ text }) => text)),
      );
      return lines.reduce((sum, { text, label }) => sum + (label === 1 ? text.length : 0), 0);
    });
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(80);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(1200);
    expect(new Set(lengths).size).toBeGreaterThan(3);
  });

  it("only disguises lines without a place, and never empties an empty page", (context) => {
    needs(context, hasPython, "Python 3.9");
    expect(makeVariants([text]).map(({ variant }) => variant)).toEqual(["disguised"]);
    const empty = { ...page, lines: page.lines.map((one) => ({ ...one, label: 0 })) };
    expect(makeVariants([empty]).map(({ variant }) => variant)).not.toContain("empty");
  });
});

interface MadeText {
  readonly id: string;
  readonly lines: readonly { readonly text: string; readonly label: number }[];
}

describe("made texts", () => {
  const line = (text: string, label: 0 | 1) => ({ text, label, markup: null, teacher: null, span: null });
  const document = {
    id: "page",
    lang: "en",
    source: "wcxb",
    lines: [
      ...["Home", "News", "Sport", "Weather", "Contact"].map((text) => line(text, 0)),
      ...["one", "two", "three", "four"].map((name) =>
        line(
          `Otter ${name} came back to the river at dawn, and a baker of the town saw it under the bridge.`,
          1,
        ),
      ),
      line("Share this page with somebody", 0),
      line("“They looked at me,” she said & went home.", 1),
      ...["Terms", "Privacy", "© 2020 The Town Post"].map((text) => line(text, 0)),
    ],
  };
  const texts = [
    { id: "t", lang: "sv", text: "Det var en gång en kvarn. Den stod på en kulle. Ingen malde där." },
  ];
  const given = {
    documents: Array.from({ length: 40 }, (_, at) => ({ ...document, id: `page-${at}` })),
    texts,
  };
  const make = (code: string): MadeText[] =>
    evaluate(
      `from conditions import *\nfrom plants import plant\ntexts = CleanTexts(given["texts"])\n` +
        `print(json.dumps([${code} for d in given["documents"]]))`,
      given,
    ) as MadeText[]; // one a document, or null
  const content = (made: Pick<MadeText, "lines">): string[] =>
    made.lines.filter(({ label }) => label === 1).map(({ text }) => text);
  const letters = (lines: readonly string[]): string => lines.join("").replace(/\s/g, "");

  it("as an extractor hands them over keep all content and some boilerplate, the same each time", (context) => {
    needs(context, hasPython, "Python 3.9");
    const halves = make("half_extracted(d)");
    expect(make("half_extracted(d)")).toEqual(halves);
    for (const made of halves) expect(content(made)).toEqual(content(document));
    const sizes = halves.map(({ lines }) => lines.length);
    expect(Math.min(...sizes)).toBeLessThan(document.lines.length - 3);
    expect(new Set(sizes).size).toBeGreaterThan(2);
  });

  it("that are damaged lose no letter of either label where letters are not what is damaged", (context) => {
    needs(context, hasPython, "Python 3.9");
    const damaged = make("damaged(d)").filter(
      ({ lines }) => !/[ÂÃâ]|&amp;|otter/.test(letters(lines.map(({ text }) => text))),
    );
    expect(damaged.length).toBeGreaterThan(10);
    for (const made of damaged) expect(letters(content(made))).toBe(letters(content(document)));
    expect(damaged.some(({ lines }) => lines.length < document.lines.length)).toBe(true);
    expect(damaged.some(({ lines }) => lines.length > document.lines.length)).toBe(true);
  });

  it("around another text have its paragraphs for content, and their own boilerplate", (context) => {
    needs(context, hasPython, "Python 3.9");
    for (const made of make("planted(d, texts)")) {
      expect(content(made).join(" ")).toContain("kvarn");
      expect(content(made).join(" ")).not.toContain("Otter");
      expect(made.lines.filter(({ label }) => label === 0).length).toBe(9);
    }
  });

  it("with rare lines hold all that was there, and more of both labels", (context) => {
    needs(context, hasPython, "Python 3.9");
    const lines = make(`{"id": "", "lines": plant(d, texts)}`);
    const added = lines.map((made) => made.lines.length - document.lines.length);
    expect(Math.max(...added)).toBeGreaterThan(5);
    const all = lines.flatMap((made) => made.lines);
    const isNew = ({ text }: { text: string }): boolean => !document.lines.some((old) => old.text === text);
    expect(all.some((one) => one.label === 0 && isNew(one))).toBe(true);
    expect(all.some((one) => one.label === 1 && isNew(one))).toBe(true);
    for (const one of all) expect(one.text.trim()).not.toBe("");
  });
});

describe("the trainer and the program", () => {
  it("know the same conditions of a text", (context) => {
    needs(context, hasNumpy, "NumPy");
    expect(evaluate("from text_data import CONDITIONS\nprint(json.dumps(CONDITIONS))", null)).toEqual([
      ...TEXT_CONDITIONS,
    ]);
  });

  it("name a document by the same digest", (context) => {
    needs(context, hasPython, "Python 3.9");
    const lines = ["Otters", "“They looked”", "水獭\t1", ""].map((text) => ({ text, label: 1 as const }));
    const digest = evaluate("from gold import digest_of\nprint(json.dumps(digest_of(given)))", lines);
    expect(digest).toBe(digestLines({ lines }));
  });

  it("hold out the same sites", (context) => {
    needs(context, hasPython, "Python 3.9");
    const urls = Array.from({ length: 200 }, (_, at) => `https://www.site-${at}.example.co/pages/${at}`);
    const code = `from prepare_pages import fold_of, urlparse
print(json.dumps([fold_of(urlparse(url).netloc or "id") for url in given]))`;
    // Two labels make a site, so vary the last but one.
    const hosts = urls.map((url, at) => url.replace("example.co", `example${at}.org`));
    const folds = evaluate(code, hosts) as number[]; // the code prints one a host
    expect(folds.map((fold) => fold === 0)).toEqual(hosts.map((url) => isHeldOut({ url, id: "id" })));
    expect(new Set(folds).size).toBe(5);
  });

  it("know the same page types, and cut a page at the same score", (context) => {
    needs(context, hasNumpy, "NumPy");
    expect(evaluate("from page_data import PAGE_TYPES\nprint(json.dumps(PAGE_TYPES))", null)).toEqual(
      PAGE_TYPES,
    );
    let seed = 1;
    const random = (): number => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
    const cases = Array.from({ length: 300 }, (_, at) => {
      const size = 1 + Math.floor(random() * 60);
      // Rounded, so that scores are equal often; sometimes nothing is likely.
      const scores = Array.from({ length: size }, () => Math.round(random() ** (at % 7) * 20) / 20);
      return { scores, letters: scores.map(() => Math.floor(random() * 200)) };
    });
    cases.push({ scores: [0, 0], letters: [3, 4] }, { scores: [0.4], letters: [0] });
    const code = `import numpy as np
from page_label import page_cut
print(json.dumps([page_cut(np.array(one["scores"]), np.array(one["letters"])) for one in given]))`;
    expect(evaluate(code, cases)).toEqual(
      cases.map(({ scores, letters }) => choosePageCut(scores, letters, "balanced")),
    );
  });

  it("say the same of a page without main content", (context) => {
    needs(context, hasNumpy, "NumPy");
    let seed = 7;
    const random = (): number => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
    const numbers = (size: number, scale: number): number[] =>
      Array.from({ length: size }, () => Math.fround((random() - 0.5) * scale));
    const bends = [
      { at: -3, by: -0.5 },
      { at: 1.5, by: 0.3 },
    ];
    const calibration = { slope: 0.75, offset: -0.1, bends };
    const verdict = { slope: 0.25, letters: 0.7, highest: 0.3, offset: -4, threshold: 0.1 };
    const cases = Array.from({ length: 100 }, () => {
      const lines = numbers(1 + Math.floor(random() * 40), 8);
      return {
        lines,
        page: numbers(PAGE_TYPES.length + 1, 12),
        letters: lines.map(() => Math.floor(random() * 300)),
      };
    });
    const code = `from page_label import content_score
print(json.dumps([content_score(one, given["fit"]) for one in given["cases"]]))`;
    const ours = cases.map(({ lines, page, letters }) => {
      const logits = { lines: Float32Array.from(lines), page: Float32Array.from(page) };
      const scores = logits.lines.map((logit) => calibrate(logit, calibration));
      return judgePage(logits, { scores, lengths: letters }, { types: PAGE_TYPES, verdict }).score;
    });
    expect(new Set(ours).size).toBeGreaterThan(50);
    expect(evaluate(code, { cases, fit: { calibration, verdict } })).toEqual(ours);
  });
});

describe("calibrate.py", () => {
  it("finds the slopes that made the answers, with or without a column that says nothing", (context) => {
    needs(context, hasNumpy, "NumPy");
    const code = `import numpy as np
from calibrate import logistic, platt
rng = np.random.default_rng(1)
columns = rng.normal(size=(20000, 3)) * [1, 10, 0.1] + [0, 5, 0]
odds = columns @ [2.0, -0.2, 0.0] + 0.5
answers = (rng.random(20000) < 1 / (1 + np.exp(-odds))).astype(float)
slopes, offset = logistic(answers, columns, np.ones(20000))
one, at = logistic(answers, columns[:, :1], np.ones(20000), prior=0.0)
print(json.dumps([*slopes, offset, one[0] - platt(answers, columns[:, 0], np.ones(20000))[0]]))`;
    const [first, second, third, offset, gap] = evaluate(code, null) as number[]; // five numbers, by the code
    expect(first).toBeCloseTo(2, 0);
    expect(second).toBeCloseTo(-0.2, 1);
    expect(Math.abs(third ?? Number.NaN)).toBeLessThan(0.6);
    expect(offset).toBeCloseTo(0.5, 0);
    expect(gap).toBeCloseTo(0, 6);
  });

  it("finds where a line of calibration bends, and lets none turn down", (context) => {
    needs(context, hasNumpy, "NumPy");
    const code = `import numpy as np
from calibrate import bent
rng = np.random.default_rng(1)
logits = rng.uniform(-5, 5, 60000)
answered = lambda odds: (rng.random(60000) < 1 / (1 + np.exp(-odds))).astype(float)
found = lambda odds: bent(answered(odds), logits, np.ones(60000) / 60000, (-2, 2))
print(json.dumps([found(2 * logits + 3 - 1.7 * np.maximum(0, logits + 2)), found(logits - 1.1 * np.maximum(0, logits + 2))]))`;
    type Fit = [number, number, { at: number; by: number }[]];
    const [[slope, offset, bends], [rising, , few]] = evaluate(code, null) as [Fit, Fit]; // two fits, by the code
    expect([slope, offset]).toEqual([expect.closeTo(2, 0), expect.closeTo(3, 0)]);
    expect(bends).toEqual([
      { at: -2, by: expect.closeTo(-1.7, 0) as number },
      { at: 2, by: expect.closeTo(0, 0) as number },
    ]);
    let steepness = rising;
    for (const { by } of few) steepness += by;
    expect(few.length).toBeLessThan(2);
    expect(Math.min(rising, steepness)).toBeGreaterThan(0);
  });
});
