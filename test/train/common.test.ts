/** Tests what the trainers share: the alignment of gold labels with our lines, calibration, and the digest of a document. */
import { describe, expect, it } from "vitest";
import { digestLines } from "../../bench/corpora/trained.js";
import { evaluate, hasNumpy, hasPython, needs, pipe } from "./python.js";

const align = (records: readonly unknown[]): Aligned[] => pipe("common.align", records) as Aligned[];

interface Aligned {
  readonly labelled: boolean;
  readonly unmatched: number;
  readonly carried: number;
  readonly lines: readonly { readonly text: string; readonly label?: number }[];
}

describe("align.py", () => {
  const gold = (text: string, label: 0 | 1): { text: string; label: number } => ({ text, label });
  const ours = (...texts: string[]): { text: string }[] => texts.map((text) => ({ text }));

  it("labels lines that are equal, split, joined, spaced differently, or missing in the gold", (context) => {
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

  it("distinguishes unlabelled gold from stated labels, and from lines outside the gold", (context) => {
    needs(context, hasPython, "Python 3.9");
    const given = {
      gold: [
        gold("Home", 0),
        { text: "By A. Baker, and a word from our sponsor", label: null },
        gold("Otters are back.", 1),
        gold("Share", 0),
        { text: "Comments", label: null },
      ],
      texts: [
        "Home",
        "By A. Baker,",
        "and a word from our sponsor",
        "Otters are",
        "back.",
        "Share",
        "Zzz",
        "Comments",
      ],
    };
    const code = `from common.align import align_known
print(json.dumps([align_known(given["gold"], given["texts"], unpaired) for unpaired in (None, 0)]))`;
    expect(evaluate(code, given)).toEqual([
      [0, null, null, 1, 1, 0, null, null],
      [0, null, null, 1, 1, 0, 0, null],
    ]);
  });

  it("treats an empty gold as a page without content, and a missing gold as a page without labels", (context) => {
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

describe("calibrate.py", () => {
  it("recovers the slopes that made the answers, with or without an uninformative column", (context) => {
    needs(context, hasNumpy, "NumPy");
    const code = `import numpy as np
from common.calibrate import logistic, platt
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

  it("finds the bends of a calibration line, and keeps it increasing", (context) => {
    needs(context, hasNumpy, "NumPy");
    const code = `import numpy as np
from common.calibrate import bent
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

describe("gold.py", () => {
  it("identifies a document by the digest of the benchmark", (context) => {
    needs(context, hasPython, "Python 3.9");
    const lines = ["Otters", "“They looked”", "水獭\t1", ""].map((text) => ({ text, label: 1 as const }));
    const digest = evaluate("from common.gold import digest_of\nprint(json.dumps(digest_of(given)))", lines);
    expect(digest).toBe(digestLines({ lines }));
  });
});
