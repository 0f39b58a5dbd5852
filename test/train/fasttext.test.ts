/** Tests the trainer of the `fasttext` labeller on a gold folder of a few lines, against the code that uses what it writes. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { probabilityOf } from "../../src/label/papers/fasttext/fasttext-labeller.js";
import { loadFasttextModel } from "../../src/label/papers/fasttext/fasttext-model.js";
import { hasNumpy, hasTorch, needs, python } from "./python.js";

const LANGUAGES = ["de", "en", "es", "fi", "fr", "sv"];

/** Content begins with one word in every language, boilerplate with another. */
function makeGold(): string {
  const folder = mkdtempSync(join(tmpdir(), "fasttext-gold-"));
  const lines = join(folder, "lines", "turku-tq");
  mkdirSync(lines, { recursive: true });
  for (const lang of LANGUAGES)
    for (const split of ["train", "dev"]) {
      const documents = [1, 2, 3].map((number) => ({
        id: `${lang}-${split}-${number}`,
        lang,
        source: "turku-tq",
        lines: [1, 2, 3, 4].map((at) => ({
          text: `${at % 2 === 1 ? "tale of" : "menu to"} ${lang} ${split === "train" ? number * at : "new"}`,
          label: at % 2,
        })),
      }));
      const rows = documents.map((one) => `${JSON.stringify(one)}\n`).join("");
      writeFileSync(join(lines, `${lang}.${split}.jsonl.gz`), gzipSync(rows));
    }
  return folder;
}

const SETTINGS = JSON.stringify({ rows: 4096, dimensions: 8, epochs: 20, rate: 0.5 });

describe("train_fasttext.py", () => {
  it("trains, and the labeller gives the same scores", { timeout: 300_000 }, (context) => {
    needs(context, hasTorch(), "PyTorch and ONNX");
    const gold = makeGold();
    const out = join(mkdtempSync(join(tmpdir(), "fasttext-out-")), "small-1");
    const options = ["--out", out, "--created", "2026-11-21", "--settings", SETTINGS, "--seeds", "1", "2"];
    const { status, text } = python(["-m", "papers.fasttext.train_fasttext", "--gold", gold, ...options]);
    expect(status, text).toBe(0);
    const model = loadFasttextModel(out);
    expect(model.weights).toHaveLength(4096);
    expect(probabilityOf("tale of something", model)).toBeGreaterThan(model.cuts.balanced);
    expect(probabilityOf("menu to something", model)).toBeLessThan(model.cuts.balanced);

    const rows = readFileSync(join(out, "parity.jsonl"), "utf8").trim().split("\n");
    expect(rows.length).toBeGreaterThan(5);
    for (const row of rows) {
      // The trainer wrote it.
      const { lines, scores } = JSON.parse(row) as { lines: string[]; scores: number[] };
      for (const [at, line] of lines.entries())
        expect(probabilityOf(line, model)).toBeCloseTo(scores[at] ?? 2, 6);
    }

    const about = readFileSync(join(out, "model.json"), "utf8");
    expect(JSON.parse(about)).toMatchObject({
      kind: "fasttext",
      scores: { pooled: { documents: 18, lines: 72, accuracy: 1 }, sv: { documents: 3 } },
    });
    const { documents } = JSON.parse(readFileSync(join(out, "training.json"), "utf8")) as {
      documents: string[];
    };
    expect(documents).toHaveLength(18);
  });
});

describe("cross_lingual.py", () => {
  it("trains on one language, tests on each, and writes a table", { timeout: 300_000 }, (context) => {
    needs(context, hasNumpy, "NumPy");
    const gold = makeGold();
    const out = join(mkdtempSync(join(tmpdir(), "cross-")), "runs.jsonl");
    const script = ["-m", "papers.cross_lingual"];
    const languages = ["--languages", "sv", "--seeds", "1", "2"];
    const run = python([...script, "--system", "fasttext", "--gold", gold, "--out", out, ...languages]);
    expect(run.status, run.text).toBe(0);
    const json = `${out}.json`;
    const table = python([...script, "--table", out, "--json", json]);
    expect(table.status, table.text).toBe(0);
    expect(table.text).toContain("| fasttext | sv | ");
    const cells = JSON.parse(readFileSync(json, "utf8")) as {
      tested: string;
      seeds: number;
      majority: number;
    }[]; // as above
    expect(cells.map(({ tested }) => tested)).toEqual(LANGUAGES);
    expect(cells.every(({ seeds, majority }) => seeds === 2 && majority === 0.5)).toBe(true);
  });
});
