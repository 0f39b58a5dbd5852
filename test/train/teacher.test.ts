/** Tests the teacher of the networks for crawled text, with PyTorch: which lines it reads together, and which texts it labels. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { writeE5 } from "./e5-file.js";
import { evaluate, hasTorch, needs, python } from "./python.js";

const CLI = join(import.meta.dirname, "../../bin/thresher.js");

describe("the windows of a text", () => {
  it("contain whole lines up to their maximum size, which is smaller for the first one", (context) => {
    needs(context, hasTorch(), "PyTorch");
    const found = evaluate(
      `from types import SimpleNamespace
from text.teacher_network import padded, windows_of
windows = windows_of([[5, 6], [7], [8, 9, 10], [], [11]], 5, 8, SimpleNamespace(bos=0, eos=2))
numbers, owners = padded(windows, "cpu")
print(json.dumps([windows, numbers.tolist(), owners.tolist()]))`,
      null,
    );
    expect(found).toEqual([
      [
        [
          [0, 5, 6, 2],
          [-1, 0, 0, -1],
        ],
        [
          [0, 7, 2, 8, 9, 10, 2, 2],
          [-1, 1, -1, 2, 2, 2, -1, -1],
        ],
        [
          [0, 11, 2],
          [-1, 4, -1],
        ],
      ],
      [
        [0, 5, 6, 2, 1, 1, 1, 1],
        [0, 7, 2, 8, 9, 10, 2, 2],
        [0, 11, 2, 1, 1, 1, 1, 1],
      ],
      [
        [-1, 0, 0, -1, -1, -1, -1, -1],
        [-1, 1, -1, 2, 2, 2, -1, -1],
        [-1, 4, -1, -1, -1, -1, -1, -1],
      ],
    ]);
  });

  it("contain a line alone if it is longer than the maximum size", (context) => {
    needs(context, hasTorch(), "PyTorch");
    const found = evaluate(
      `from types import SimpleNamespace
from text.teacher_network import windows_of
print(json.dumps([numbers for numbers, _ in windows_of([[5, 6, 7, 8, 9], [5]], 3, 4, SimpleNamespace(bos=0, eos=2))]))`,
      null,
    );
    expect(found).toEqual([
      [0, 5, 6, 7, 8, 9, 2],
      [0, 5, 2],
    ]);
  });
});

interface Labelled {
  readonly id: string;
  readonly lang: string;
  readonly source: string;
  readonly lines: readonly { readonly text: string; readonly label: number | null }[];
}

function makeDocuments(): Labelled[] {
  const line = (at: number, label: number | null): Labelled["lines"][number] => ({
    text: at % 2 === 0 ? `the otter of ${at} came back to the river` : `menu ${at} | the a b c`,
    label,
  });
  const of = (id: string, source: string, isLabelled: boolean, lang = "en"): Labelled => ({
    id,
    lang,
    source,
    lines: Array.from({ length: 4 + (id.length % 3) }, (_, at) => line(at, isLabelled ? (at + 1) % 2 : null)),
  });
  return [
    ...Array.from({ length: 16 }, (_, at) =>
      of(`turku/${"x".repeat(at)}`, "turku-tq+crawl", true, at % 4 === 0 ? "de" : "en"),
    ),
    of("turku/planted", "turku-tq+plants", true),
    of("page", "wcxb+raw", true),
    ...["one", "three"].map((name) => of(`unlabelled/${name}`, "turku-tq+unlabelled", false, "nl")),
  ];
}

describe("text.tune_teacher", () => {
  it(
    "labels texts that its teachers did not train on, and none of the fold or language left out",
    {
      timeout: 240_000,
    },
    (context) => {
      needs(
        context,
        hasTorch() && python(["-c", "import tokenizers"]).status === 0,
        "PyTorch and tokenizers",
      );
      const work = mkdtempSync(join(tmpdir(), "teacher-"));
      const documents = makeDocuments();
      const path = join(work, "texts.jsonl.gz");
      writeFileSync(path, gzipSync(documents.map((one) => `${JSON.stringify(one)}\n`).join("")));
      execFileSync(process.execPath, [CLI, "features", path, "-o", join(work, "texts")], { stdio: "pipe" });
      writeE5(join(work, "tiny.bin"));
      const tune = (out: string, ...more: string[]): unknown => {
        const settings = '{"epochs": 1, "window": 48, "front": 20, "back": 5, "tokens_a_batch": 200}';
        const paths = [
          "--weights",
          join(work, "tiny.bin"),
          "--documents",
          path,
          "--features",
          join(work, "texts"),
        ];
        const run = python([
          ...["-m", "text.tune_teacher", ...paths, "--out", join(work, out)],
          ...["--settings", settings, "--seeds", "1", ...more],
        ]);
        expect(run.status, run.text).toBe(0);
        return evaluate(
          `import numpy as np
from text.text_data import number_of
found = np.load(given)
ids, ends, logits = found["ids"].tolist(), found["ends"].tolist(), found["logits"]
assert np.isfinite(logits).all() and len(set(logits.tolist())) > 3
print(json.dumps([ids, [end - start for start, end in zip([0, *ends], ends)], len(logits), logits.tolist(), [number_of({"id": one}) % 4 + 1 for one in ids]]))`,
          join(work, out),
        );
      };
      const [ids, sizes, lines, logits] = tune("all.npz") as [string[], number[], number, number[]]; // what evaluate prints
      const asked = documents.filter(({ source }) => /crawl|unlabelled/.test(source));
      expect([...ids].sort()).toEqual(asked.map(({ id }) => id).sort());
      const sizeOf = new Map(documents.map((one) => [one.id, one.lines.length]));
      expect(sizes).toEqual(ids.map((id) => sizeOf.get(id)));
      expect(lines).toBe(sizes.reduce((sum, size) => sum + size, 0));
      expect((tune("again.npz") as unknown[])[3]).toEqual(logits);
      const [left, , , , folds] = tune("left.npz", "--fold", "2", "--without", "de") as [
        string[],
        0,
        0,
        0,
        number[],
      ]; // the same
      const labelled = left.filter((id) => id.startsWith("turku/"));
      expect(labelled.length).toBeGreaterThan(2);
      for (const [at, id] of left.entries()) if (id.startsWith("turku/")) expect(folds[at]).not.toBe(2);
      const german = new Set(documents.filter(({ lang }) => lang === "de").map(({ id }) => id));
      expect(labelled.filter((id) => german.has(id))).toEqual([]);
      expect(left.filter((id) => id.startsWith("unlabelled/"))).toHaveLength(2);
    },
  );
});
