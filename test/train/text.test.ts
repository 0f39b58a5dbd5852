/** Tests what the trainer of the `text` labeller makes of texts, how it calibrates, and, where PyTorch is there, what it ships. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { TEXT_CONDITIONS } from "../../src/document.js";
import { readVocabulary } from "../../src/label/features/pieces/vocabulary.js";
import { evaluate, hasNumpy, hasPython, hasTorch, needs, SCRIPTS } from "./python.js";

interface Line {
  readonly text: string;
  readonly label: number;
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

  it("are a head with site and menu above it, whose headline and writer are content", (context) => {
    needs(context, hasPython, "Python 3.9");
    for (const made of make("opening")) {
      const title = made.findIndex(({ text, label }) => text === "An otter in the town" && label === 1);
      const added = made.filter((one) => isNew(one));
      expect(title).toBeGreaterThanOrEqual(0);
      expect(added.some(({ label }) => label === 1)).toBe(true);
      expect(made.filter(isParagraph)).toHaveLength(4);
      const above = made.slice(0, title).filter((one) => isNew(one));
      // Where the writer is above the headline, it is at most three lines.
      expect(above.filter(({ label }) => label === 1).length).toBeLessThan(4);
    }
  });

  it("are headings before paragraphs, and boxes with headings of their own", (context) => {
    needs(context, hasPython, "Python 3.9");
    const all = make("headings");
    for (const made of all)
      for (const [at, one] of made.entries())
        if (isNew(one) && one.label === 1) expect(isParagraph(made[at + 1] ?? one)).toBe(true);
    const added = all.flat().filter((one) => isNew(one));
    expect(new Set(added.map(({ label }) => label))).toEqual(new Set([0, 1]));
  });

  it("are a box beside the first paragraph, and tables further down that are the text's own", (context) => {
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

  it("are messages of programs, content only behind a line that announces them", (context) => {
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

  it("are boilerplate around a text, in its language and never its own", (context) => {
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

  it("keeps its lines, labels and numbers, says the same word the same way, and has no word left", (context) => {
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
      // Far fewer spaces than words, on the whole.
      expect(first.split(" ").length).toBeLessThan(text.split(" ").length);
    }
    expect(spaces.get("thai")).toBeGreaterThan(spaces.get("japanese") ?? 0);
  });
});

describe("an excerpt", () => {
  it("is a few lines in a row, with content among them, and nothing where there is none", (context) => {
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

describe("calibration", () => {
  it("is right mixed by shares as well as alone", (context) => {
    needs(context, hasNumpy, "NumPy");
    const code = `import numpy as np
from collections import namedtuple
from text.text_fit import CONDITIONS, GROUPS, calibrated, crossed_errors
Scored = namedtuple("Scored", "document labels free known shares")
rng = np.random.default_rng(3)
slopes, offsets, scored = {"raw": .5, "extracted": 1.5, "crawl": 1.0}, {"raw": -1.0, "extracted": .5, "crawl": 0.0}, []
for name in CONDITIONS:
    for at in range(60):
        logits = rng.normal(0, 2, 40)
        labels = (rng.random(40) < 1 / (1 + np.exp(-(slopes[name] * logits + offsets[name])))).astype(int)
        shares = np.full(3, .05); shares[CONDITIONS.index(name)] = .9
        scored.append(Scored({"id": f"{name}{at}", "source": GROUPS[name][0], "condition": name}, labels, logits, logits, shares))
fits, errors = calibrated(scored), crossed_errors(scored)
print(json.dumps([[fits[n]["slope"] - slopes[n], fits[n]["offset"] - offsets[n], errors[n]["auto"]["error"], errors[n]["told"]["floor"][1]] for n in CONDITIONS]))`;
    const found = evaluate(code, null) as [number, number, number, number][]; // what the code prints
    for (const [slope, offset, error, floor] of found) {
      expect(Math.abs(slope)).toBeLessThan(0.25);
      expect(Math.abs(offset)).toBeLessThan(0.25);
      expect(error).toBeLessThan(0.06);
      expect(floor).toBeLessThan(0.06);
    }
  }, 120_000);

  it("has a floor that rises where the lines of a document are alike", (context) => {
    needs(context, hasNumpy, "NumPy");
    const code = `import numpy as np
from common.calibrate import error_floor
rng = np.random.default_rng(5)
def floor(deviation):
    logits = [rng.normal(0, 1, 60) for _ in range(40)]
    labels = [(rng.random(60) < 1 / (1 + np.exp(-(one + deviation * rng.normal())))).astype(int) for one in logits]
    return error_floor(labels, [1 / (1 + np.exp(-one)) for one in logits], samples=100)[0]
print(json.dumps([floor(0.0), floor(3.0)]))`;
    const [alone, alike] = evaluate(code, null) as [number, number]; // what the code prints
    expect(alone).toBeLessThan(0.03);
    expect(alike).toBeGreaterThan(1.5 * alone);
  });
});

describe("the networks as they ship", () => {
  const MAKE = `
import torch
from text.text_data import CONDITIONS
from text.text_graph import shipped
from text.text_network import Towers, build_reader
torch.manual_seed(given["seed"])
COLUMNS, BAGS, WIDTH, PIECES = ["a", "b", "c"], ["words", "shapes"], 8, given["pieces"]
def network(context, hidden=16):
    settings = {"width": WIDTH, "bags": BAGS, "encoder": "", "hidden": hidden, "context": context, "dilations": [1, 2, 4], "sees_whole": False, "dropout": 0.4, "piece_width": PIECES}
    reader = build_reader({"columns": COLUMNS, "tableRows": 4}, settings)
    for value in reader.state_dict().values():
        value.normal_()
    return reader.eval(), settings
made = [network("lstm"), network("convolutions"), network("convolutions"), network("lstm", 24)][: given["networks"]]
readers, settings = zip(*made)
towers = Towers(readers[0], readers[1:], [(WIDTH, PIECES)] * len(made), [0.5, 2.0, 1.5][: len(made) - 1]).eval()
widths = {"hand": len(COLUMNS), "bags": len(BAGS) * WIDTH * len(made), "pieces": 3 * PIECES * len(made)}
def documents():
    for lines in (1, 2, 7, 60):
        features = [torch.randn(lines, width) * 3 for width in widths.values()]
        for said in (None, *range(len(CONDITIONS))):
            for familiar in (0.0, 1.0):
                yield features, torch.tensor([*(float(at == said) for at in range(len(CONDITIONS))), familiar])
def distance(one, other):
    (a, b), (c, d) = one, other
    assert a.shape == c.shape and b.shape == d.shape
    return max(float(((a - c).abs() / (1 + c.abs())).max()), float((b - d).abs().max()))
`;
  const SHIP = `${MAKE}
ours, apart, heard = shipped(towers, *widths.values()), 0.0, set()
with torch.no_grad():
    for (hand, bags, pieces), condition in documents():
        wanted = towers(hand, torch.cat([bags, pieces], 1), condition)
        apart = max(apart, distance(ours(hand, bags, *([pieces] if PIECES else []), condition), wanted))
        heard.add((bool(wanted[1][-1] > 0.1), bool(condition[-1] == 1)))
print(json.dumps({"apart": apart, "branches": len(heard)}))
`;
  const READ_BACK = `${MAKE}
import tempfile
from common.layers import Table
from common.model_folder import describe_files, write_about, write_network, write_table
from text.shipped_networks import read_networks
with tempfile.TemporaryDirectory() as folder:
    values = torch.randint(-127, 128, (4, WIDTH * len(made)), dtype=torch.int8)
    write_table(folder, values)
    inputs = {name: width for name, width in widths.items() if width}
    write_network(folder, shipped(towers, *widths.values()), inputs, {"logits": True, "conditions": False}, {"condition": len(CONDITIONS) + 1})
    about = {"columns": COLUMNS, "bags": BAGS, "trained": [{"settings": one} for one in settings]}
    write_about(folder, {**about, **describe_files(folder, *values.shape, 0.01)})
    read, (table, _), _ = read_networks(folder)
apart = float((table.weight - values.float() * 0.01).abs().max())
with torch.no_grad():
    for (hand, bags, _), condition in documents():
        apart = max(apart, distance(read(hand, bags, condition), towers(hand, bags, condition)))
print(json.dumps(apart))
`;

  it.for([
    { seed: 1, pieces: 8, networks: 3 },
    { seed: 2, pieces: 0, networks: 4 },
  ])(
    "say what the trainer's own form says, whichever of them are heard: $networks of them",
    { timeout: 120_000 },
    (given, context) => {
      needs(context, hasPython && hasTorch(), "PyTorch");
      const { apart, branches } = evaluate(SHIP, given) as { apart: number; branches: number };
      expect(apart).toBeLessThan(1e-4);
      expect(branches).toBe(4);
    },
  );

  it("are read back out of their folder, and say the same", (context) => {
    needs(context, hasPython && hasTorch(), "PyTorch");
    expect(evaluate(READ_BACK, { seed: 3, pieces: 0, networks: 4 })).toBeLessThan(1e-4);
  }, 120_000);
});

describe("word pieces", () => {
  it("are pooled as their mean, the first and the last, by what trains as by what ships", (context) => {
    needs(context, hasPython && hasTorch(), "PyTorch");
    const code = `
import torch
from common.layers import Pieces, PieceTable
torch.manual_seed(1)
pieces = Pieces(torch.randn(6, 5), 4, 8).eval()
numbers, counts = [3, 1, 1, 5, 0], [3, 0, 2]
with torch.no_grad():
    rows = pieces.layers(pieces.vectors)
    pooled = pieces.pool(numbers, counts)
    wanted = [torch.cat([rows[part].mean(0), rows[part[0]], rows[part[-1]]]) if part else torch.zeros(24) for part in ([3, 1, 1], [], [5, 0])]
    shipped = PieceTable(*pieces.quantised()).pool(numbers, counts)
    print(json.dumps([float((pooled - torch.stack(wanted)).abs().max()), float((shipped - pooled).abs().max()), pieces.pool(torch.tensor([], dtype=torch.long), [0]).tolist()]))`;
    // What the code prints.
    const [trained, shipped, none] = evaluate(code, null) as [number, number, number[][]];
    expect(trained).toBeLessThan(1e-6);
    expect(shipped).toBeLessThan(0.5 / 127 + 1e-6);
    expect(none).toEqual([Array<number>(24).fill(0)]);
  }, 120_000);

  it("are chosen by their scores, and written as the program reads them", (context) => {
    needs(context, hasPython && hasTorch(), "PyTorch");
    const code = `
from text.prepare_pieces import chosen, vocabulary_bytes
pieces, scores = ["<s>", "b", "▁ab", "", "<mask>", "c"], [0, -3, -2.5, -1, 0, -9]
kept = chosen(pieces, scores, 2)
print(json.dumps([kept, list(vocabulary_bytes([pieces[at] for at in kept], [scores[at] for at in kept]))]))`;
    const [kept, bytes] = evaluate(code, null) as [number[], number[]]; // what the code prints
    expect(kept).toEqual([2, 1]);
    const vocabulary = readVocabulary(Uint8Array.from(bytes));
    const into = new Uint16Array(4);
    expect([...into.subarray(0, vocabulary.cut("▁abb", into, 0))]).toEqual([0, 1]);
  }, 120_000);
});

describe("a line whose label nobody knows", () => {
  it("learns what the teacher says of it, and nothing without one", (context) => {
    needs(context, hasPython && hasTorch(), "PyTorch");
    const code = `
from types import SimpleNamespace
import numpy as np
from text.train_text import SETTINGS, targets_of
texts = SimpleNamespace(teacher=np.array([np.nan, 9, -9, np.nan], np.float32), labels=np.array([1, 255, 1, 255], np.uint8))
targets, known = targets_of(texts, np.arange(4), {**SETTINGS, "teacher": 0.5, "smoothing": 0})
print(json.dumps([targets.tolist(), known.tolist()]))`;
    const [targets, known] = evaluate(code, null) as [number[], number[]]; // what the code prints
    expect(known).toEqual([1, 1, 1, 0]);
    expect(targets.slice(0, 3).map((target) => Math.round(target * 100) / 100)).toEqual([1, 1, 0.5]);
  }, 120_000);
});

describe("a teacher's logits", () => {
  it("are taken by the ids of documents, and refused where a document has other lines", (context) => {
    needs(context, hasNumpy, "NumPy");
    const code = `
import tempfile, os
import numpy as np
from text.text_data import Texts
texts = object.__new__(Texts)
texts.documents = [{"id": "a", "start": 0, "lines": 2}, {"id": "b", "start": 2, "lines": 1}]
found = []
for ends in ([1, 3], [1, 2]):
    texts.teacher = np.full(3, np.nan, np.float32)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "said.npz")
        np.savez(path, ids=np.array(["elsewhere", "a"]), ends=np.array(ends), logits=np.arange(ends[-1], dtype=np.float32))
        try:
            known = texts.teach([path])
            found.append([known, [None if np.isnan(one) else float(one) for one in texts.teacher]])
        except AssertionError as error:
            found.append(str(error))
print(json.dumps(found))`;
    const [taken, refused] = evaluate(code, null) as [[number, (number | null)[]], string]; // what the code prints
    expect(taken).toEqual([1, [1, 2, null]]);
    expect(refused).toMatch(/has 1 lines of a, not 2/);
  });
});

describe("texts without labels", () => {
  it("are cut at sentences without losing a word, and are none where they repeat a labelled one", (context) => {
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
      `from text.made.conditions import *\nfrom text.made.plants import plant\ntexts = CleanTexts(given["texts"])\n` +
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
    expect(evaluate("from text.text_data import CONDITIONS\nprint(json.dumps(CONDITIONS))", null)).toEqual([
      ...TEXT_CONDITIONS,
    ]);
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
  /** What `code` makes of documents of these pages, of which Readability took two lines. */
  const make = (code: string, pages: readonly object[]): unknown =>
    evaluate(
      `from text.prepare_sets import document_of, split, with_variants
documents = [document_of({**page, "spans": {tuple(span) for span in page["spans"]}}) for page in given]
print(json.dumps(${code}))`,
      pages,
    );
  const unlabelled = { ...page, id: "htmldate/b", source: "htmldate", gold_lines: undefined };

  it("keep a label that nobody knows, with the teacher's answer and the markup", (context) => {
    needs(context, hasPython, "Python 3.9");
    const code = `[[[line["label"], line["teacher"], line["markup"]] for line in one["lines"]] for one in documents]`;
    expect(make(code, [page, unlabelled])).toEqual([
      [0, null, 1, null].map((label, at) => [label, page.teacher[at], 1]),
      page.teacher.map((logit) => [null, logit, 1]),
    ]);
  });

  it("train as raw text and as what extractors keep of it, and measure undamaged", (context) => {
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

  it("never train on a site that measures, here or in another set, nor on a page like one", (context) => {
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

  it("have no fold without an address, so that they train and measure nothing", (context) => {
    needs(context, hasPython, "Python 3.9");
    const code = `[[[one["id"], one["fold"]] for one in part] for part in split(documents, set())]`;
    const pages = Array.from({ length: 20 }, (_, at) => ({ ...page, id: `juriscraper/${at}`, url: null }));
    expect(make(code, pages)).toEqual([pages.map(({ id }) => [id, null]), []]);
  });
});

describe("networks trained without a language", () => {
  /** Lines whose logit says what they are but for every eighth, and a text in each of the languages whose labels nobody knows all of. */
  const code = `from types import SimpleNamespace
import numpy as np
from text.measure_left_out import cell, rows_of
rng = np.random.default_rng(7)
scored, verdicts = [], {}
for lang in given["languages"]:
    for at in range(12):
        labels = rng.integers(0, 2, 40).astype(np.uint8)
        wrong = np.arange(40) % 8 == 0
        logits = np.where((labels == 1) ^ wrong, 2.0, -2.0) + given["shift"].get(lang, 0)
        document = {"id": f"{lang}/{at}", "lang": lang, "source": "turku-tq+crawl", "condition": "crawl", "fold": at % 4 + 1}
        logits = logits + given.get("fold_shift", 0) * (document["fold"] == 1)
        verdicts[document["id"]] = {"rules": labels.tolist(), "justext": [1] * 40}
        labels[1] = labels[1] if at else 255
        scored.append(SimpleNamespace(document=document, labels=labels, known=logits, free=logits, shares=np.array([0, 0, 1.0])))
if given.get("again"):
    scored.append(scored[0])
print(json.dumps([[lang, name, row] for (lang, name), row in rows_of(scored, verdicts, given.get("by", "language")).items()]))`;
  interface Row {
    readonly lines?: number;
    readonly accuracy: readonly [number, number, number];
    readonly error?: readonly number[];
    readonly ahead?: readonly [number, number, number];
  }
  const measure = (given: object): ReadonlyMap<string, Row> => {
    const rows = evaluate(code, { languages: ["de", "fi", "sv"], shift: {}, ...given }) as [
      string,
      string,
      Row,
    ][]; // what the code prints
    return new Map(rows.map(([lang, name, row]) => [`${lang} ${name}`, row]));
  };

  it("are measured beside other labellers, without lines that nobody knows", (context) => {
    needs(context, hasNumpy, "NumPy");
    const rows = measure({});
    expect([...rows.keys()].slice(0, 3)).toEqual(["de text", "de rules", "de justext"]);
    const text = rows.get("fi text");
    expect(text?.lines).toBe(12 * 40 - 1);
    expect(text?.accuracy[0]).toBeCloseTo(1 - (12 * 5) / (12 * 40 - 1), 3);
    expect(text?.error?.[0]).toBeLessThan(0.02);
    expect(rows.get("fi rules")?.accuracy).toEqual([1, 1, 1]);
    const ahead = rows.get("fi rules")?.ahead ?? [0, 0, 0];
    expect(ahead[0]).toBeCloseTo(-0.125, 2);
    expect(ahead[2]).toBeLessThan(0);
    expect(rows.get("mean text")?.accuracy[0]).toBeCloseTo(text?.accuracy[0] ?? 0, 2);
  });

  it("are calibrated and cut by the other languages alone", (context) => {
    needs(context, hasNumpy, "NumPy");
    // The logits of one language say "content" far too often, which no other language lets expect.
    const rows = measure({ shift: { sv: 4 } });
    expect(rows.get("sv text")?.error?.[0]).toBeGreaterThan(0.2);
    expect(rows.get("sv text")?.accuracy[0]).toBeLessThan(0.7);
  });

  it("are calibrated and cut by the other folds where folds were left out, and told of all documents", (context) => {
    needs(context, hasNumpy, "NumPy");
    const rows = measure({ by: "fold" });
    expect(rows.get("all text")?.lines).toBe(3 * (12 * 40 - 1));
    expect(rows.get("all text")?.error?.[0]).toBeLessThan(0.02);
    expect(rows.get("all rules")?.ahead?.[0]).toBeCloseTo(-0.125, 2);
    // A language that is unlike the others is in the folds that calibrate; a fold that is unlike them is not.
    const shifted = measure({ by: "fold", fold_shift: 4 });
    expect(shifted.get("fi text")?.accuracy[0]).toBeLessThan(0.8);
    expect(measure({ fold_shift: 4 }).has("all text")).toBe(false);
  });

  it("are refused where a document is there twice, or one language alone", (context) => {
    needs(context, hasNumpy, "NumPy");
    expect(() => measure({ again: true })).toThrow("each must be there once");
    expect(() => measure({ languages: ["de"] })).toThrow("two languages");
  });
});

describe("label_lines.js", () => {
  it("writes what each labeller says of the documents of a source, line by line", () => {
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
