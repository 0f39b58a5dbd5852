/** Tests the texts that the trainer of the `text` labeller makes from others: scenes planted into them, damage, excerpts. */
import { describe, expect, it } from "vitest";
import { evaluate, hasPython, needs } from "./python.js";

interface Line {
  readonly text: string;
  readonly label: number;
}

interface MadeText {
  readonly id: string;
  readonly lines: readonly Line[];
}

describe("scenes planted into a text", () => {
  const line = (text: string, label: 0 | 1): object => ({
    text,
    label,
    markup: null,
    teacher: null,
    span: null,
  });
  const paragraph = (name: string): object =>
    line(
      `Otter ${name} came back to the river at dawn, and a baker of the town saw it swim under the old stone bridge.`,
      1,
    );
  const lines = [
    ...["Home", "News", "Sport"].map((text) => line(text, 0)),
    line("An otter in the town", 1),
    ...["one", "two", "three", "four"].map(paragraph),
    ...["Terms", "Privacy"].map((text) => line(text, 0)),
  ];
  const make = (scene: string): Line[][] =>
    evaluate(
      `import random
from text.made.plant_fill import words_of
from text.made.plant_scenes import generated, headings, opening, own_tables, side_box
words = words_of({"lines": given})
print(json.dumps([${scene}(list(given), words, random.Random(at)) for at in range(60)]))`,
      lines,
    ) as Line[][]; // what the code prints
  const isParagraph = ({ text, label }: Line): boolean =>
    label === 1 && text.startsWith("Otter") && text.length > 90;
  const isNew = ({ text }: Line): boolean => !lines.some((old) => "text" in old && old.text === text);

  it("may be the head of an article with site and menu, whose headline and author are content", (context) => {
    needs(context, hasPython, "Python 3.9");
    for (const made of make("opening")) {
      const title = made.findIndex(({ text, label }) => text === "An otter in the town" && label === 1);
      const added = made.filter((one) => isNew(one));
      expect(title).toBeGreaterThanOrEqual(0);
      expect(added.some(({ label }) => label === 1)).toBe(true);
      expect(made.filter(isParagraph)).toHaveLength(4);
      const above = made.slice(0, title).filter((one) => isNew(one));
      // If the author is above the headline, it takes at most three lines.
      expect(above.filter(({ label }) => label === 1).length).toBeLessThan(4);
    }
  });

  it("may be headings before paragraphs, and boxes with their own headings", (context) => {
    needs(context, hasPython, "Python 3.9");
    const all = make("headings");
    for (const made of all)
      for (const [at, one] of made.entries())
        if (isNew(one) && one.label === 1) expect(isParagraph(made[at + 1] ?? one)).toBe(true);
    const added = all.flat().filter((one) => isNew(one));
    expect(new Set(added.map(({ label }) => label))).toEqual(new Set([0, 1]));
  });

  it("may be a boilerplate box after the first paragraph, and tables further down that are content", (context) => {
    needs(context, hasPython, "Python 3.9");
    const all = make("side_box");
    for (const made of all) {
      const second = made.map((one) => isParagraph(one)).indexOf(true, made.findIndex(isParagraph) + 1);
      const rows = [...made.entries()].filter(([, one]) => isNew(one));
      expect(rows.some(([, { label }]) => label === 0)).toBe(true);
      for (const [at, { label }] of rows) expect(label).toBe(at < second ? 0 : 1);
    }
    expect(all.some((made) => made.some((one) => isNew(one) && one.label === 1))).toBe(true);
    for (const made of make("own_tables")) for (const one of made) if (isNew(one)) expect(one.label).toBe(1);
  });

  it("may be messages of programs, which are content only after a paragraph", (context) => {
    needs(context, hasPython, "Python 3.9");
    const all = make("generated");
    for (const made of all) {
      const first = made.findIndex((one) => isNew(one) && one.label === 1);
      if (first >= 0) expect(isParagraph(made[first - 1] ?? { text: "", label: 0 })).toBe(true);
    }
    expect(all.some((made) => made.some((one) => isNew(one) && one.label === 1))).toBe(true);
    expect(all.every((made) => made.some((one) => isNew(one) && one.label === 0))).toBe(true);
    // Some pages have nothing else left.
    expect(all.some((made) => made.every(({ label }) => label === 0))).toBe(true);
  });
});

describe("headlines of other texts", () => {
  const document = (name: string, lang: string): object => ({
    id: `c/${lang}/${name}`,
    lang,
    lines: [
      { text: `What the ${name} said`, label: 1 },
      {
        text: `Everybody who lives near the ${name} has heard of it since the autumn of that year, and many more will.`,
        label: 1,
      },
      { text: "Home", label: 0 },
    ],
  });

  it("are boilerplate around a text, in its language and never its own headline", (context) => {
    needs(context, hasPython, "Python 3.9");
    const code = `import random
from text.made.plant_teasers import Headlines, teasers
headlines, found = Headlines(given), []
for at in range(40):
    rng = random.Random(at)
    lines = [{"text": "Start", "label": 0}, *given[0]["lines"][:2]]
    drawn = headlines.draw({**given[0], "id": given[0]["id"] + "+raw"}, rng, 6)
    found.append([drawn, [[one["text"], one["label"]] for one in teasers(lines, ["otter"], rng, drawn)]])
print(json.dumps(found))`;
    const given = ["bridge", "tower", "mill"].map((name) => document(name, "en"));
    const found = evaluate(code, [...given, document("pont", "fr")]) as [string[], [string, number][]][]; // what the code prints
    for (const [drawn, lines] of found) {
      expect(drawn.length).toBeGreaterThan(0);
      for (const text of drawn) expect(text).toMatch(/tower|mill/);
      for (const text of drawn)
        expect(lines.some(([line, label]) => label === 0 && line.includes(text.trim()))).toBe(true);
      expect(lines.filter(([, label]) => label === 1).map(([line]) => line)).toEqual([
        "What the bridge said",
        expect.stringContaining("near the bridge"),
      ]);
    }
  });
});

describe("a document in a script without spaces", () => {
  const text =
    "The baker of the old town said on Tuesday, 12 May, that nobody had seen the otter there before.";

  it("keeps its lines, labels and numbers, is the same each time, and keeps no word of the original", (context) => {
    needs(context, hasPython, "Python 3.9");
    const code = `from text.made.unspaced import LETTERS, unspaced_lines
found = []
for script in [*LETTERS, "japanese", "han"]:
    for at in range(12):
        document = {"id": f"{script}{at}", "lines": [{"text": given, "label": 1}, {"text": given.lower(), "label": 0}, {"text": "Home", "label": 0}]}
        lines = unspaced_lines(document, script)
        found.append([script, [one["text"] for one in lines], [one["label"] for one in lines], unspaced_lines(document, script) == lines])
print(json.dumps(found))`;
    const found = evaluate(code, text) as [string, string[], number[], boolean][]; // what the code prints
    const spaces = new Map<string, number>();
    for (const [script, [first = "", , home = ""], labels, isSame] of found) {
      expect(labels).toEqual([1, 0, 0]);
      expect(isSame).toBe(true);
      expect(first).toMatch(/12|\p{Nd}{2}/u);
      expect(first).not.toMatch(/otter|nobody|before/);
      expect(home.length).toBeGreaterThan(0);
      spaces.set(script, (spaces.get(script) ?? 0) + first.split(" ").length - 1);
      // There are fewer spaces than words.
      expect(first.split(" ").length).toBeLessThan(text.split(" ").length);
    }
    expect(spaces.get("thai")).toBeGreaterThan(spaces.get("japanese") ?? 0);
  });
});

describe("an excerpt", () => {
  it("consists of a few adjacent lines, and does not exist without content", (context) => {
    needs(context, hasPython, "Python 3.9");
    const code = `import random
from text.made.excerpts import excerpt
found = [excerpt({"lines": given}, random.Random(at)) for at in range(80)]
print(json.dumps([[given.index(one) for one in lines] for lines in found] + [excerpt({"lines": given[:2]}, random.Random(1))]))`;
    const label = (at: number): number => (at > 3 && at < 12 ? 1 : 0);
    const lines = Array.from({ length: 16 }, (_, at) => ({
      text: `A line of some length ${at}`,
      label: label(at),
    }));
    const found = evaluate(code, lines) as (number[] | null)[]; // what the code prints
    expect(found.pop()).toBeNull();
    for (const at of found) {
      expect(at?.length).toBeGreaterThan(0);
      expect(at?.length).toBeLessThan(10);
      expect(at).toEqual(at?.map((_, place) => (at[0] ?? 0) + place));
    }
    const isMixed = (at: number[] | null): boolean => new Set(at?.map(label)).size === 2;
    expect(found.some(isMixed)).toBe(true);
    expect(found.filter(isMixed).length).toBeLessThan(found.length / 2);
  });
});

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
      `from text.made.conditions import *\nfrom text.made.plants import plant\ntexts = CleanTexts(given["texts"])\n` +
        `print(json.dumps([${code} for d in given["documents"]]))`,
      given,
    ) as MadeText[]; // one a document, or null
  const content = (made: Pick<MadeText, "lines">): string[] =>
    made.lines.filter(({ label }) => label === 1).map(({ text }) => text);
  const letters = (lines: readonly string[]): string => lines.join("").replace(/\s/g, "");

  it("keep all content and some boilerplate if half extracted, the same each time", (context) => {
    needs(context, hasPython, "Python 3.9");
    const halves = make("half_extracted(d)");
    expect(make("half_extracted(d)")).toEqual(halves);
    for (const made of halves) expect(content(made)).toEqual(content(document));
    const sizes = halves.map(({ lines }) => lines.length);
    expect(Math.min(...sizes)).toBeLessThan(document.lines.length - 3);
    expect(new Set(sizes).size).toBeGreaterThan(2);
  });

  it("lose no letter of content if damaged, unless the letters themselves are damaged", (context) => {
    needs(context, hasPython, "Python 3.9");
    const damaged = make("damaged(d)").filter(
      ({ lines }) => !/[ÂÃâ]|&amp;|otter/.test(letters(lines.map(({ text }) => text))),
    );
    expect(damaged.length).toBeGreaterThan(10);
    for (const made of damaged) expect(letters(content(made))).toBe(letters(content(document)));
    expect(damaged.some(({ lines }) => lines.length < document.lines.length)).toBe(true);
    expect(damaged.some(({ lines }) => lines.length > document.lines.length)).toBe(true);
  });

  it("have the content of another text and their own boilerplate if it is planted into them", (context) => {
    needs(context, hasPython, "Python 3.9");
    for (const made of make("planted(d, texts)")) {
      expect(content(made).join(" ")).toContain("kvarn");
      expect(content(made).join(" ")).not.toContain("Otter");
      expect(made.lines.filter(({ label }) => label === 0).length).toBe(9);
    }
  });

  it("gain lines of both labels if rare lines are planted into them", (context) => {
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
