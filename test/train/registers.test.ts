/**
 * Tests the trainer of the register model: how texts are read and kept apart and, with PyTorch, the whole training on little
 * data, with a tiny encoder as the teacher.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { openRegisterJudge } from "../../src/label/registers/register-folder.js";
import { writeE5 } from "./e5-file.js";
import { evaluate, hasPython, hasTorch, needs, python, SCRIPTS } from "./python.js";

const CORPORA = "Ar Ca Fin Fr Hi Id Pt SimChi Spa Sv Ur".split(" ");
const LANGS = ["ar", "ca", "fi", "fr", "hi", "id", "pt", "zh", "es", "sv", "ur"];
const WORDS =
  "otter bridge river town baker boat harbour winter bread police price offer step mix flour think".split(
    " ",
  );

/** Makes texts of the same words in different orders, so that none is similar to another. */
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
      // One text occurs twice, with another beginning.
      // The second text is long enough to have parts.
      text:
        number === 19
          ? `Again ${makeText(at * 100)}`
          : makeText(at * 100 + number, number === 1 ? 1500 : undefined),
    }));
    const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
    writeFileSync(join(gold, "text", `${corpus}CORE.jsonl.gz`), gzipSync(lines));
  }
  writeUnlabelled(gold);
  return gold;
}

const LINE_LANGUAGES = ["de", "en", "es", "fi", "fr", "sv"];

/** Writes a line-labelled text in each language, and three pages, one too short and one without text. */
function writeUnlabelled(gold: string): void {
  const write = (path: string, rows: readonly object[]): void => {
    writeFileSync(join(gold, path), gzipSync(rows.map((row) => `${JSON.stringify(row)}\n`).join("")));
  };
  for (const folder of ["lines/turku-tq", "pages/wcxb"]) mkdirSync(join(gold, folder), { recursive: true });
  for (const [at, lang] of LINE_LANGUAGES.entries()) {
    const lines = [
      { text: "Menu", label: 0 },
      { text: makeText(9000 + at, 90), label: 1 },
    ];
    write(`lines/turku-tq/${lang}.train.jsonl.gz`, [{ id: `turku-tq/${lang}`, lang, lines }]);
  }
  write("pages/wcxb/dev.jsonl.gz", [
    { id: "wcxb/long", lang: "en", gold_text: makeText(9100, 90) },
    { id: "wcxb/short", lang: "en", gold_text: "Nothing here." },
    { id: "wcxb/none", lang: "en" },
  ]);
}

interface Prepared {
  readonly id: string;
  readonly labels?: readonly string[];
  readonly has?: string;
  readonly fold: number;
  readonly group: string;
  readonly made?: string;
  readonly unlabelled?: boolean;
  readonly text: string;
}

const LEFT_OUT =
  "fold-0 fold-1 fold-2 fold-3 fold-4 nothing test lang-fi-ar lang-fr-hi lang-sv-ca-ur lang-id-pt".split(" ");

describe("texts with registers", () => {
  it("have the same label names, and share their fold with near-duplicates and with texts made from them", (context) => {
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
    const real = texts.filter(({ made, unlabelled }) => made === undefined && unlabelled === undefined);
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

    const unlabelled = texts.filter((one) => one.unlabelled);
    expect(unlabelled.some(({ labels }) => labels !== undefined)).toBe(false);
    const alone = unlabelled.filter(({ fold }) => fold < 0).map(({ id }) => id);
    expect(alone.filter((id) => !/^(?:SimChi|Spa)CORE/.test(id)).sort()).toEqual([
      ...LINE_LANGUAGES.map((lang) => `turku-tq/${lang}`),
      "wcxb/long",
    ]);
    expect(unlabelled.some(({ text }) => text.includes("Menu"))).toBe(false);
    // The part of a long text that the model does not read is in the same fold.
    const parts = unlabelled.filter(({ fold }) => fold >= 0);
    expect(parts.length).toBeGreaterThanOrEqual(9 * 3);
    for (const part of parts) {
      const whole = by.get(part.id.replace(/#\d$/, ""));
      expect([part.fold, part.group]).toEqual([whole?.fold, whole?.group]);
      expect(whole?.text.slice(2400, -600)).toContain(part.text);
    }
  });
});

describe("the figures of registers", () => {
  it("are the known values of small cases", (context) => {
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

describe("words of one language", () => {
  it("occur in enough texts and in hardly any other language, and reveal texts in two languages", (context) => {
    needs(context, hasTorch(), "PyTorch");
    const found = evaluate(
      `import numpy as np
from types import SimpleNamespace
from registers.piece_languages import are_mixed, piece_languages
# Of 60 texts each: word 1 is the first language's, 2 the second's, 3 is in both, 4 in one text only.
words = [np.repeat([1, 3, 5, 6, 7], 20)] * 59 + [np.repeat([1, 3, 4], 20)] + [np.repeat([2, 3, 8, 9, 10], 20)] * 60
texts = SimpleNamespace(langs=np.array(["aa"] * 60 + ["bb"] * 60), made=np.zeros(120, bool), words=words, vocabulary=12, different=np.full(120, 5))
table = piece_languages(texts, np.zeros(120, bool))
without = piece_languages(texts, texts.langs == "bb")
ask = SimpleNamespace(words=[np.array(one) for one in ([1, 5, 6, 7], [1, 5, 6, 7, 2, 8, 9], [1, 2, 8])], different=np.array([4, 7, 60]))
print(json.dumps({"table": table.tolist(), "without": without.tolist(), "mixed": are_mixed(ask, [0, 1, 2], table).tolist()}))`,
      null,
    );
    expect(found).toEqual({
      table: [0, 1, 2, 0, 0, 1, 1, 1, 2, 2, 2, 0],
      without: [0, 1, 0, 1, 0, 1, 1, 1, 0, 0, 0, 0],
      mixed: [false, true, false],
    });
  });
});

describe("a teacher", () => {
  it("contributes to the targets of a text, except that for machine text, and labels unlabelled texts", (context) => {
    needs(context, hasTorch(), "PyTorch");
    const found = evaluate(
      `import numpy as np
from types import SimpleNamespace
from registers.register_fit import SETTINGS, targets_of
from registers.register_network import OUTPUTS
count = len(OUTPUTS)
labels, known = np.zeros((3, count)), np.zeros((3, count))
labels[0, 0], known[0, :8], known[0, -1] = 1, 1, 1
texts = SimpleNamespace(made=np.array([False, True, False]), labelled=np.array([True, False, False]), unlabelled=np.array([False, False, True]), labels=labels, known=known)
priors, taught = np.full(count, 0.2), np.full((3, count), np.log(3))
settings = {**SETTINGS, "taught": 0.5, "unlabelled": 0.25, "made": 0.5, "made_share": 0.5}
pick = lambda table: [[round(float(row[at]), 4) for at in (0, 1, 8, count - 1)] for row in table]
print(json.dumps([pick(one) for one in (*targets_of(texts, priors, settings), *targets_of(texts, priors, settings, taught))]))`,
      null,
    );
    const made = [0.1, 0.1, 0.1, 0.1];
    expect(found).toEqual([
      [[1, 0, 0, 0], made, [0, 0, 0, 0]],
      [
        [1, 1, 0, 1],
        [0.5, 0.5, 0.5, 0.5],
        [0, 0, 0, 0],
      ],
      [[0.875, 0.375, 0.75, 0], made, [0.75, 0.75, 0.75, 0.75]],
      [
        [1, 1, 0.5, 1],
        [0.5, 0.5, 0.5, 0.5],
        [0.25, 0.25, 0.25, 0],
      ],
    ]);
  });
});

interface Trainer {
  readonly work: string;
  readonly out: string;
  readonly train: (more?: NodeJS.ProcessEnv) => void;
}

function makeTrainer(): Trainer {
  const work = mkdtempSync(join(tmpdir(), "registers-work-"));
  mkdirSync(join(work, "pieces"));
  // It writes the pieces and vectors of a few words as prepare_pieces does.
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
  const gold = makeGold();
  const env = {
    ...process.env,
    REGISTER_SETTINGS: '{"epochs": 1, "parts": 2, "head_width": 4, "hidden": 8}',
  };
  const train = (more: NodeJS.ProcessEnv = {}): void => {
    execFileSync(join(SCRIPTS, "train_registers.sh"), [gold, work, out, "2026-01-01", "15"], {
      env: { ...env, ...more },
      stdio: "pipe",
    });
  };
  return { work, out, train };
}

async function expectParity(out: string): Promise<void> {
  const judge = await openRegisterJudge(out);
  const rows = readFileSync(join(out, "parity.jsonl"), "utf8").trim().split("\n");
  for (const row of rows) {
    const one = JSON.parse(row) as { text: string; probabilities: readonly number[] | null };
    const told = await judge.tell(one.text);
    for (const [at, wanted] of (one.probabilities ?? []).entries())
      expect(Math.abs((told[at] ?? Number.NaN) - wanted)).toBeLessThan(1e-5);
  }
  await judge.close();
}

describe("train_registers.sh", () => {
  it("writes a folder that the program can read", { timeout: 240_000 }, async (context) => {
    needs(context, hasTorch(), "PyTorch");
    const { work, out, train } = makeTrainer();
    train();
    expect(readFileSync(join(work, "report.md"), "utf8")).toContain("| language | texts |");
    await expectParity(out);
  });

  it("lets the network learn from a teacher", { timeout: 240_000 }, async (context) => {
    needs(context, hasTorch() && python(["-c", "import tokenizers"]).status === 0, "PyTorch and tokenizers");
    const { work, out, train } = makeTrainer();
    train();
    const alone = readFileSync(join(out, "piece-table.bin"));
    // This is the smallest possible encoder.
    writeE5(join(work, "tiny.bin"));
    const tuned = python([
      "-c",
      `import sys
import registers.tune_encoder as tune
tune.FRONT, tune.BACK = 40, 10
sys.argv[1:] = ${JSON.stringify(["--texts", join(work, "texts.jsonl.gz"), "--features", join(work, "features.jsonl.gz"), "--weights", join(work, "tiny.bin"), "--out", join(work, "tuned"), "--settings", '{"epochs": 1}', "--without", ...LEFT_OUT])}
tune.main()`,
    ]);
    expect(tuned.status, tuned.text).toBe(0);
    train({ TEACHER: join(work, "tuned") });
    expect(readFileSync(join(out, "piece-table.bin")).equals(alone)).toBe(false);
    expect(readFileSync(join(work, "teacher.md"), "utf8")).toContain("| language | texts |");
    expect(readFileSync(join(work, "report.md"), "utf8")).toContain("| language | texts |");
    await expectParity(out);
  });
});
