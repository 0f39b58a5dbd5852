/** Tests the training script of the labeller `transformer` in one small run, against the program that reads its folders. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  closeTransformer,
  openTransformer,
  scoreTexts,
} from "../../src/label/papers/transformer/transformer-labeller.js";
import { SIZES, writeE5 } from "./e5-file.js";
import { evaluate, needs, python, SCRIPTS } from "./python.js";

const NEEDED = "import torch, onnx, onnxruntime, tokenizers, transformers";
const SMALL = ["--scratch", "test", "--pooling", "mean", "--epochs", "1", "--head-epochs", "2"];
const A_RUN_MS = 300_000;

const WORDS =
  "river stone harbour morning letter window garden baker evening bridge children summer teacher road".split(
    " ",
  );

/** Makes documents with short menus and long sentences. */
function makeLines(folder: string): string {
  const word = (at: number): string => WORDS[at % WORDS.length] ?? "";
  const sentence = (at: number): string =>
    `The ${word(at)} and the ${word(at * 3 + 1)} were seen near the ${word(at * 5 + 2)}, said the ${word(at + 4)}.`;
  const documents = Array.from({ length: 60 }, (_, at) => ({
    id: `made/${at}`,
    lang: "en",
    lines: [
      ...[1, 2, 3].map((place) => ({ text: `${word(at + place)} | ${word(at * place)}`, label: 0 })),
      ...[1, 2, 3, 4].map((place) => ({ text: sentence(at * 7 + place), label: 1 })),
      { text: `© ${2000 + (at % 20)} ${word(at)}`, label: 0 },
    ],
  }));
  const path = join(folder, "lines.jsonl");
  writeFileSync(path, documents.map((one) => `${JSON.stringify(one)}\n`).join(""));
  return path;
}

async function scoresOf(folder: string, texts: readonly string[]): Promise<Float64Array> {
  const opened = await openTransformer(folder);
  try {
    return await scoreTexts(texts, opened);
  } finally {
    await closeTransformer(opened);
  }
}

interface Recorded {
  readonly lines: readonly string[];
  readonly scores: readonly number[];
}

/** Expects the program to compute the scores of PyTorch for the lines of `parity.jsonl`. */
async function expectParity(folder: string): Promise<void> {
  const recorded = readFileSync(join(folder, "parity.jsonl"), "utf8").trim().split("\n");
  expect(recorded.length).toBeGreaterThan(5);
  for (const line of recorded) {
    const { lines, scores } = JSON.parse(line) as Recorded; // as the script writes it
    const found = await scoresOf(folder, lines);
    for (const [at, score] of scores.entries())
      expect(Math.abs((found[at] ?? Number.NaN) - score)).toBeLessThan(1e-4);
  }
}

describe("train_transformer.py", () => {
  it(
    "writes folders that the program can read, with the scores of PyTorch",
    async (context) => {
      needs(context, python(["-c", NEEDED]).status === 0, "models/train/requirements-transformer.txt");
      const work = mkdtempSync(join(tmpdir(), "train-transformer-"));
      const [sequence, bag, small] = ["sequence", "bag", "small"].map((name) => join(work, name));
      if (sequence === undefined || bag === undefined || small === undefined) throw new Error("no folders");
      const common = ["-m", "papers.transformer.train_transformer", "--lines", makeLines(work), ...SMALL];
      const { status, text: said } = python([...common, "--float", "--out", sequence, "--bag", bag]);
      expect(status, said).toBe(0);
      for (const folder of [sequence, bag]) await expectParity(folder);
      const texts = ["river | road", "The river and the stone were seen near the garden, said the baker."];
      const [menu, text] = await scoresOf(sequence, texts);
      expect(text).toBeGreaterThan(menu ?? 1);

      expect(python([...common, "--out", small]).status).toBe(0);
      expect(existsSync(join(small, "onnx", "model_quantized.onnx"))).toBe(true);
      const quantized = await scoresOf(small, texts);
      expect(Math.abs((quantized[1] ?? 0) - (text ?? 0))).toBeLessThan(0.1);
    },
    A_RUN_MS,
  );

  it("trains only the top layers and the classifier", (context) => {
    needs(context, python(["-c", NEEDED]).status === 0, "models/train/requirements-transformer.txt");
    const encoder = join(mkdtempSync(join(tmpdir(), "learning-")), "tiny.bin");
    writeE5(encoder);
    const code = `
from papers.transformer.transformer_encoder import LineClassifier, learning, pretrained
model = LineClassifier(pretrained(given)[1], "mean")
learning(model, 1)
print(json.dumps(sorted({name.split(".attention")[0].split(".output")[0].split(".intermediate")[0] for name, one in model.named_parameters() if one.requires_grad})))`;
    expect(evaluate(code, encoder)).toEqual([
      "classifier.bias",
      "classifier.weight",
      `encoder.encoder.layer.${SIZES.layers - 1}`,
    ]);
  });
});

describe("a quantized encoder", () => {
  it("stores an embedding in blocks of four bits if that loses nothing, and in bytes otherwise", (context) => {
    needs(context, python(["-c", NEEDED]).status === 0, "models/train/requirements-transformer.txt");
    const work = mkdtempSync(join(tmpdir(), "packed-"));
    writeE5(join(work, "tiny.bin"));
    const code = `
import numpy as np, onnx, onnxruntime, torch
from papers.transformer.transformer_encoder import LineClassifier, pretrained
from papers.transformer.transformer_export import write_encoder
said = []
for name in ("exact", "moved"):
    model = LineClassifier(pretrained(given + "/tiny.bin")[1], "mean").eval()
    if name == "moved":
        model.encoder.get_input_embeddings().weight.data += 0.001
    numbers = torch.tensor([[0, 5, 7, 2], [0, 9, 2, 1]])
    with torch.no_grad():
        before = model.encoder(input_ids=numbers, attention_mask=(numbers != 1).long()).last_hidden_state.numpy()
    path = given + "/" + name + "/" + write_encoder(given + "/" + name, model, False, True)
    fed = {"input_ids": numbers.numpy(), "attention_mask": (numbers != 1).long().numpy()}
    after = onnxruntime.InferenceSession(path).run(None, fed)[0]
    stored = {tuple(one.dims) for one in onnx.load(path).graph.initializer}
    said.append([float(np.abs(after - before)[:, :3].mean()), (40, 1, 16) in stored, (40, 32) in stored])
print(json.dumps(said))`;
    const [exact, moved] = evaluate(code, work) as [number, boolean, boolean][]; // as printed above
    expect(exact?.slice(1)).toEqual([true, false]);
    expect(moved?.slice(1)).toEqual([false, true]);
    expect(exact?.[0]).toBeLessThan(0.1);
  });
});

describe("train_transformer.sh", () => {
  it(
    "fine-tunes the top layers of the encoder in the wheel's file, and writes a folder for both stages and one for the first",
    async (context) => {
      needs(context, python(["-c", NEEDED]).status === 0, "models/train/requirements-transformer.txt");
      const work = mkdtempSync(join(tmpdir(), "train-e5-"));
      const [gold, encoder, out] = [join(work, "gold"), join(work, "tiny.bin"), join(work, "out")];
      writeE5(encoder);
      mkdirSync(join(gold, "lines", "turku-tq"), { recursive: true });
      const lines = readFileSync(makeLines(work));
      writeFileSync(join(gold, "lines", "turku-tq", "en.train.jsonl.gz"), gzipSync(lines));
      const fewer = ["--unmeasured", "--float", "--top-layers", "1", "--lines-an-epoch", "100"];
      const given = [gold, join(work, "made"), out, "2026-11-23", ...fewer, "--head-epochs", "2"];
      const env = { ...process.env, ENCODER: encoder };
      const { status, stderr } = spawnSync("sh", [join(SCRIPTS, "train_transformer.sh"), ...given], {
        encoding: "utf8",
        env,
      });
      expect(status, stderr).toBe(0);
      await expectParity(out);
      await expectParity(`${out}-bag`);
      const about = JSON.parse(readFileSync(join(out, "model.json"), "utf8")) as Record<string, unknown>; // as written
      expect(about).toMatchObject({
        kind: "transformer",
        created: "2026-11-23",
        settings: { pooling: "mean" },
      });
      expect(JSON.stringify(about["training"])).toContain("multilingual-e5-small");
      expect(existsSync(join(work, "made", "scores.json"))).toBe(true);
    },
    A_RUN_MS,
  );
});
