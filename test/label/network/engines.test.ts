/** Tests both engines, and the portable one without vectors, with the same networks and documents. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Engine, Graph, Tensor } from "../../../src/label/network/engine.js";
import { chooseEngine } from "../../../src/label/network/engines.js";
import { createPortableEngine } from "../../../src/label/network/portable/portable-engine.js";
import {
  createPlainProducts,
  createVectorProducts,
} from "../../../src/label/network/portable/vectors/products.js";
import { withRoom } from "../../../src/label/network/portable/vectors/vectors.js";
import { openModel, openNetwork } from "../../../src/label/network/session.js";
import { UsageError } from "../../../src/outcome.js";
import { createThresher, type Thresher } from "../../../src/index.js";
import { createRandom } from "../../../src/random.js";

/** Plain JavaScript needs a second for some documents, and many seconds on a busy machine. */
vi.setConfig({ testTimeout: 120_000 });

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const network = (model: string): Buffer => readFileSync(join(ROOT, "models", model, "model.onnx"));

/** Returns the same numbers in every run. */
function noise(count: number, size: number, seed: number): Float32Array {
  const random = createRandom(seed);
  return Float32Array.from({ length: count }, () => (random() - 0.5) * size);
}

function pageInputs(rows: number, groups: number): Record<string, Tensor> {
  // If there are more groups than lines, some are empty.
  const of = Int32Array.from({ length: rows * 4 }, (_, at) => Math.floor(at / 5) % groups);
  return {
    hand: { data: noise(rows * 205, 8, rows), dims: [rows, 205] },
    bags: { data: noise(rows * 64, 2, rows + 1), dims: [rows, 64] },
    groups: { data: of, dims: [rows, 4] },
    shares: { data: Float32Array.from({ length: groups }, (_, at) => at / groups), dims: [groups] },
  };
}

function textInputs(rows: number, condition: readonly number[]): Record<string, Tensor> {
  return {
    hand: { data: noise(rows * 84, 8, rows), dims: [rows, 84] },
    bags: { data: noise(rows * 96, 2, rows + 1), dims: [rows, 96] },
    condition: { data: Float32Array.from(condition), dims: [4] },
  };
}

const LARGEST = 4096 + 2 * 64;
const CASES: readonly (readonly [name: string, model: string, inputs: Record<string, Tensor>])[] = [
  ["a page of one line", "page-6", pageInputs(1, 1)],
  ["a page with empty groups", "page-6", pageInputs(7, 40)],
  ["a page of lines in one group", "page-6", pageInputs(65, 1)],
  ["the largest window of a page", "page-6", pageInputs(LARGEST, 900)],
  ["a text of one line", "text-7", textInputs(1, [0, 0, 0, 0])],
  ["a text from a crawl", "text-7", textInputs(130, [0, 0, 1, 1])],
  ["a text that may be from a crawl", "text-7", textInputs(63, [0.2, 0.2, 0.6, 0.5])],
  ["a long text", "text-7", textInputs(1000, [1, 0, 0, 0])],
];

const engines: Record<string, Engine> = {};
beforeAll(async () => {
  engines["native"] = await chooseEngine("native");
  engines["portable"] = await chooseEngine("portable");
  engines["plain"] = createPortableEngine(createPlainProducts);
});

describe("the engines", () => {
  it("say which engine runs", () => {
    expect(engines["native"]?.by).toMatch(/^onnxruntime-node \d+\.\d+\.\d+$/);
    expect(engines["portable"]).toMatchObject({ name: "portable", by: "WebAssembly SIMD" });
    expect(engines["plain"]).toMatchObject({ name: "portable", by: "plain JavaScript" });
  });

  it.each(CASES)("give the same logits for %s", async (_, model, inputs) => {
    const graphs: Graph[] = await Promise.all(
      Object.values(engines).map((engine) => engine.load(network(model))),
    );
    const [native = {}, ...others] = await Promise.all(graphs.map((graph) => graph.run(inputs)));
    expect(Object.keys(native).length).toBe(2);
    for (const other of others) {
      expect(Object.keys(other).sort()).toEqual(Object.keys(native).sort());
      for (const [name, { data, dims }] of Object.entries(native)) {
        expect(other[name]?.dims).toEqual(dims);
        expect(furthest(data, other[name]?.data ?? [])).toBeLessThan(1e-5);
      }
    }
    for (const graph of graphs) await graph.close();
  });

  it("give the same results again, also in overlapping runs", async () => {
    const graph = await createPortableEngine().load(network("page-6"));
    const [small, large] = [pageInputs(20, 5), pageInputs(300, 80)];
    const alone = [await graph.run(small), await graph.run(large), await graph.run(small)];
    const together = await Promise.all([graph.run(small), graph.run(large), graph.run(small)]);
    expect(together).toEqual(alone);
    expect(alone[0]).toEqual(alone[2]);
    await graph.close();
    await expect(graph.run(small)).rejects.toThrow("the network is closed");
  });
});

function furthest(numbers: ArrayLike<number>, others: ArrayLike<number>): number {
  expect(others.length).toBe(numbers.length);
  // NaN counts as infinitely far.
  return Array.from(numbers).reduce((most, one, at) => {
    const apart = Math.abs(one - (others[at] ?? Number.NaN));
    return apart <= most ? most : Number.isNaN(apart) ? Infinity : apart;
  }, 0);
}

describe("products", () => {
  it.each([
    [1, 1, 1],
    [3, 5, 7],
    [64, 8, 64],
    [65, 33, 9],
    [130, 269, 64],
    [2, 64, 256],
  ])("of %i rows with %i × %i numbers equal those of plain loops", (rows, inner, outer) => {
    const matrix = { data: noise(inner * outer, 2, 5), inner, outer, bias: noise(outer, 2, 6) };
    const numbers = noise(rows * inner, 2, 7);
    const [wanted, made, single] = [0, 1, 2].map(() => new Float32Array(rows * outer).fill(9)) as [
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    createPlainProducts().prepare(matrix).run(numbers, rows, wanted);
    const vectors = createVectorProducts();
    if (vectors === undefined) throw new Error("there are no vectors here");
    vectors.prepare({ ...matrix, data: noise(inner * outer, 1, 8) });
    const product = vectors.prepare(matrix);
    const ofSingles = vectors.prepare({ ...matrix, isForSingleRows: true });
    withRoom(vectors.vectors, () => {
      product.run(numbers, rows, made);
    });
    withRoom(vectors.vectors, () => {
      ofSingles.run(numbers, rows, single);
    });
    expect(furthest(wanted, made)).toBeLessThan(1e-4);
    expect(furthest(wanted, single)).toBeLessThan(1e-4);
  });
});

describe("the labels of the fixtures", () => {
  const opened: Thresher[] = [];
  afterAll(async () => {
    for (const one of opened) await one.close();
  });

  it.each(["pages", "text"])("are the same with both engines: %s", async (kind) => {
    const folder = join(ROOT, "fixtures", kind);
    const slugs = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [entry.name] : [],
    );
    expect(slugs.length).toBeGreaterThan(5);
    const [native, portable] = await Promise.all(
      (["native", "portable"] as const).map((engine) =>
        createThresher({ engine, workers: 1, keepBoilerplate: true }),
      ),
    );
    if (native === undefined || portable === undefined) throw new Error("there are two");
    opened.push(native, portable);
    expect(portable.fingerprint).toBe(native.fingerprint);
    for (const slug of slugs) {
      const name = readdirSync(join(folder, slug)).find((file) => /^source\./.test(file)) ?? "";
      const text = readFileSync(join(folder, slug, name), "utf8");
      const source = kind === "pages" ? { html: text } : { text };
      const [one, other] = [await native.clean(source), await portable.clean(source)];
      expect(labelsOf(other), slug).toEqual(labelsOf(one));
    }
  });

  function labelsOf(outcome: Awaited<ReturnType<Thresher["clean"]>>): unknown {
    return outcome.ok
      ? outcome.value.lines?.map(({ label, why, text }) => [label, why, text])
      : outcome.reason;
  }
});

describe("a damaged network", () => {
  const whole = network("text-7");

  it.each(["native", "portable"])("is rejected by the engine %s, with the folder", async (name) => {
    const engine = engines[name];
    if (engine === undefined) throw new Error("no such engine");
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from("<!doctype html><p>Not found"),
      whole.subarray(0, 5000),
    ])
      await expect(openModel(bytes, "some/folder", engine)).rejects.toThrow(
        /a network of the model in some\/folder cannot be loaded by the engine/,
      );
    await expect(openNetwork(whole.subarray(0, 70_000), "some/folder", engine)).rejects.toThrow(UsageError);
  });

  it("is rejected wherever it is truncated", async () => {
    const portable = createPortableEngine(createPlainProducts);
    for (let length = 1; length < whole.length; length += 9973)
      await expect(portable.load(whole.subarray(0, length)), `${length} bytes`).rejects.toThrow(
        /is cut short|not an ONNX file/,
      );
  });

  it("is rejected or runs if a byte of its graph changes, and never hangs", async () => {
    const portable = createPortableEngine(createPlainProducts);
    const page = network("page-6");
    let refused = 0;
    for (let at = 3; at < 30_000; at += 307) {
      const changed = Buffer.from(page);
      changed[at] = (changed[at] ?? 0) ^ 0x5a;
      await portable.load(changed).then(
        (graph) => graph.close(),
        (error: unknown) => {
          expect(error).toBeInstanceOf(Error);
          refused += 1;
        },
      );
    }
    expect(refused).toBeGreaterThan(10);
  });

  it("reports operators that the portable engine lacks, and where they run", async () => {
    const renamed = Buffer.from(network("page-6"));
    for (let at = renamed.indexOf("Softmax"); at >= 0; at = renamed.indexOf("Softmax", at + 1))
      renamed.write("Hardmax", at);
    await expect(openModel(renamed, "a/model", createPortableEngine())).rejects.toThrow(
      /a\/model cannot be loaded by the engine portable .* does not support its operators Hardmax; .*npm install --ignore-scripts onnxruntime-node@\d/,
    );
  });
});
