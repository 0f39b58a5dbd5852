/** Tests how networks of the `text` labeller are measured on a language that they were trained without. */
import { describe, expect, it } from "vitest";
import { evaluate, hasNumpy, needs } from "./python.js";

describe("networks trained without a language", () => {
  /** Makes lines whose logit is right except for every eighth, and one text in each language with an unlabelled line. */
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

  it("are measured with other labellers, without unlabelled lines", (context) => {
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

  it("are calibrated and cut only by the other languages", (context) => {
    needs(context, hasNumpy, "NumPy");
    // The logits of one language say "content" far too often, unlike those of all other languages.
    const rows = measure({ shift: { sv: 4 } });
    expect(rows.get("sv text")?.error?.[0]).toBeGreaterThan(0.2);
    expect(rows.get("sv text")?.accuracy[0]).toBeLessThan(0.7);
  });

  it("are calibrated and cut by the other folds if folds were left out, and scored on all documents", (context) => {
    needs(context, hasNumpy, "NumPy");
    const rows = measure({ by: "fold" });
    expect(rows.get("all text")?.lines).toBe(3 * (12 * 40 - 1));
    expect(rows.get("all text")?.error?.[0]).toBeLessThan(0.02);
    expect(rows.get("all rules")?.ahead?.[0]).toBeCloseTo(-0.125, 2);
    // An unusual language is in the folds that calibrate; an unusual fold is not.
    const shifted = measure({ by: "fold", fold_shift: 4 });
    expect(shifted.get("fi text")?.accuracy[0]).toBeLessThan(0.8);
    expect(measure({ fold_shift: 4 }).has("all text")).toBe(false);
  });

  it("are rejected if a document occurs twice, or with only one language", (context) => {
    needs(context, hasNumpy, "NumPy");
    expect(() => measure({ again: true })).toThrow("each must be there once");
    expect(() => measure({ languages: ["de"] })).toThrow("two languages");
  });
});
