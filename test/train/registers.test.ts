/** Tests the trainer of what tells registers: how texts are read and kept apart, and, where PyTorch is there, all of it on little data. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { openRegisterJudge } from "../../src/label/registers/register-folder.js";
import { evaluate, hasPython, hasTorch, needs, python, SCRIPTS } from "./python.js";

const CORPORA = "Ar Ca Fin Fr Hi Id Pt SimChi Spa Sv Ur".split(" ");
const LANGS = ["ar", "ca", "fi", "fr", "hi", "id", "pt", "zh", "es", "sv", "ur"];
const WORDS =
  "otter bridge river town baker boat harbour winter bread police price offer step mix flour think".split(
    " ",
  );

/** Texts of made-up words in an order of their own, so that none is like another. */
function makeText(seed: number, length = 60): string {
  let state = seed + 1;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const word = WORDS[(state >>> 16) % WORDS.length] ?? "";
    return state >>> 29 === 0 ? `${word}.` : word;
  }).join(" ");
}

const LABELS = ["NA ne", "IP ds", "IN dtp", "HI", "OP rv", "", "ID", "LY", "SP", "MT NA"];
const FINNISH = ["Narrative", "Info-Persuasion", "D-Informational", "How-to", "Opinion", "Discussion"];

function makeGold(): string {
  const gold = mkdtempSync(join(tmpdir(), "registers-gold-"));
  mkdirSync(join(gold, "text"));
  for (const [at, corpus] of CORPORA.entries()) {
    const rows = Array.from({ length: 20 }, (_, number) => ({
      id: `${corpus}CORE/${number}`,
      lang: LANGS[at],
      split: number % 3 === 0 ? "test" : "train",
      // Two corpora have no labels, as in the gold.
      ...(corpus === "SimChi" || corpus === "Spa"
        ? {}
        : { register: corpus === "Fin" ? FINNISH[number % 6] : LABELS[number % LABELS.length] }),
      // One text is there twice, with another beginning.
      text: number === 19 ? `Again ${makeText(at * 100)}` : makeText(at * 100 + number),
    }));
    const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
    writeFileSync(join(gold, "text", `${corpus}CORE.jsonl.gz`), gzipSync(lines));
  }
  return gold;
}

interface Prepared {
  readonly id: string;
  readonly labels?: readonly string[];
  readonly has?: string;
  readonly fold: number;
  readonly group: string;
  readonly made?: string;
}

describe("texts with registers", () => {
  it("are named alike, near-duplicates stand in one fold, and what is made of a text stands with it", (context) => {
    needs(context, hasPython, "Python 3.9");
    const out = mkdtempSync(join(tmpdir(), "registers-out-"));
    const { status, text } = python([
      "-m",
      "registers.prepare_registers",
      "--gold",
      makeGold(),
      "--out",
      out,
    ]);
    expect(status, text).toBe(0);
    const rows = gunzipSync(readFileSync(join(out, "texts.jsonl.gz")))
      .toString()
      .trim()
      .split("\n");
    const texts = rows.map((row) => JSON.parse(row) as Prepared); // what the script writes
    const real = texts.filter(({ made }) => made === undefined);
    expect(real).toHaveLength(9 * 20);
    const by = new Map(real.map((one) => [one.id, one]));
    expect(by.get("FinCORE/2")).toMatchObject({ labels: ["IN"], has: "main" });
    expect(by.get("ArCORE/9")).toMatchObject({ labels: ["MT", "NA"], has: "all" });
    for (const corpus of ["Ar", "Sv"]) {
      expect(by.get(`${corpus}CORE/19`)?.group).toBe(`${corpus}CORE/0`);
      expect(by.get(`${corpus}CORE/19`)?.fold).toBe(by.get(`${corpus}CORE/0`)?.fold);
    }
    expect(new Set(real.map(({ fold }) => fold)).size).toBe(5);
    const made = texts.filter((one) => one.made !== undefined);
    expect(made.length).toBeGreaterThan(10);
    for (const one of made) expect(by.get(one.group)?.fold ?? one.fold).toBe(one.fold);
  });
});

describe("the figures of registers", () => {
  it("are those that are known of small cases", (context) => {
    needs(context, hasTorch(), "PyTorch");
    const found = evaluate(
      `import numpy as np
from registers.measure_registers import auc, best_cut, calibration_error, counts, f1, precision_at_half
pairs = np.array([[1, .9], [0, .8], [1, .7], [0, .1], [0, .1]])
labels, said = np.array([[1, 0], [1, 1]]), np.array([[1, 1], [0, 1]])
print(json.dumps({"auc": auc(pairs), "half": precision_at_half(pairs), "level": auc(np.array([[1, .5], [0, .5]])),
  "f1": f1(counts(labels, said).sum(0)), "error": calibration_error(np.array([1, 1, 0, 0]), np.array([.75, .75, .25, .25])),
  "cut": best_cut(np.array([[1], [0]]), np.array([[.5], [.3]]))}))`,
      null,
    ) as Readonly<Record<string, number>>; // what the code prints
    expect(found["auc"]).toBeCloseTo(5 / 6);
    expect(found["half"]).toBe(1);
    expect(found["level"]).toBe(0.5);
    expect(found["f1"]).toBeCloseTo(2 / 3);
    expect(found["error"]).toBeCloseTo(0.25);
    expect(found["cut"]).toBeGreaterThan(0.3);
    expect(found["cut"]).toBeLessThanOrEqual(0.5);
  });
});

describe("train_registers.sh", () => {
  it("makes a folder that the program reads", { timeout: 240_000 }, async (context) => {
    needs(context, hasTorch(), "PyTorch");
    const work = mkdtempSync(join(tmpdir(), "registers-work-"));
    mkdirSync(join(work, "pieces"));
    // Pieces and vectors as prepare_pieces writes them, of a few words.
    const made = python([
      "-c",
      `import numpy as np
from text.prepare_pieces import vocabulary_bytes
pieces = ["\\u2581" + word for word in ${JSON.stringify(WORDS)}] + ["a", "e", "i", "o", "r", "t", "n", "s"]
open(${JSON.stringify(join(work, "pieces", "pieces.bin"))}, "wb").write(vocabulary_bytes(pieces, [-5.0] * len(pieces)))
np.save(${JSON.stringify(join(work, "pieces", "vectors.npy"))}, np.random.default_rng(1).normal(size=(len(pieces), 192)).astype(np.float16))`,
    ]);
    expect(made.status, made.text).toBe(0);
    const out = join(work, "registers-test");
    const env = {
      ...process.env,
      REGISTER_SETTINGS: '{"epochs": 1, "parts": 2, "head_width": 4, "hidden": 8}',
    };
    execFileSync(join(SCRIPTS, "train_registers.sh"), [makeGold(), work, out, "2026-01-01", "15"], {
      env,
      stdio: "pipe",
    });
    expect(readFileSync(join(work, "report.md"), "utf8")).toContain("| language | texts |");
    const judge = await openRegisterJudge(out);
    const rows = readFileSync(join(out, "parity.jsonl"), "utf8").trim().split("\n");
    for (const row of rows) {
      const one = JSON.parse(row) as { text: string; probabilities: readonly number[] | null };
      const told = await judge.tell(one.text);
      for (const [at, wanted] of (one.probabilities ?? []).entries())
        expect(Math.abs((told[at] ?? Number.NaN) - wanted)).toBeLessThan(1e-5);
    }
    await judge.close();
  });
});
