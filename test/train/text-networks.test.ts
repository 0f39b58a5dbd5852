/** Tests how the trainer of the `text` labeller calibrates its networks and, with PyTorch, teaches and ships them. */
import { describe, expect, it } from "vitest";
import { TEXT_CONDITIONS } from "../../src/document.js";
import { readVocabulary } from "../../src/label/features/pieces/vocabulary.js";
import { evaluate, hasNumpy, hasPython, hasTorch, needs } from "./python.js";

describe("calibration", () => {
  it("is right for a known condition and for one mixed by shares", (context) => {
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

  it("has a floor that is higher if the lines of a document are similar", (context) => {
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

describe("the shipped networks", () => {
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
    "give the results of the trainer's networks, whichever of them run: $networks of them",
    { timeout: 120_000 },
    (given, context) => {
      needs(context, hasPython && hasTorch(), "PyTorch");
      const { apart, branches } = evaluate(SHIP, given) as { apart: number; branches: number };
      expect(apart).toBeLessThan(1e-4);
      expect(branches).toBe(4);
    },
  );

  it("give the same results after they are read back from their folder", (context) => {
    needs(context, hasPython && hasTorch(), "PyTorch");
    expect(evaluate(READ_BACK, { seed: 3, pieces: 0, networks: 4 })).toBeLessThan(1e-4);
  }, 120_000);
});

describe("word pieces", () => {
  it("are pooled as their mean, the first and the last, in training and in the shipped table", (context) => {
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

  it("are chosen by their scores, and written in the format that the program reads", (context) => {
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

describe("an unlabelled line", () => {
  it("gets its target from the teacher, and none without a teacher", (context) => {
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
  it("are assigned by document id, and rejected if a document has another number of lines", (context) => {
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

describe("the trainer and the program", () => {
  it("have the same conditions of a text", (context) => {
    needs(context, hasNumpy, "NumPy");
    expect(evaluate("from text.text_data import CONDITIONS\nprint(json.dumps(CONDITIONS))", null)).toEqual([
      ...TEXT_CONDITIONS,
    ]);
  });
});
