/**
 * Measures how long each engine takes to run each network, in turns, and how far their results differ.
 * `node dist/bench/lab/speed/engine-speed.js [--web FOLDER] [--lines N] [--turns N]`; FOLDER is where onnxruntime-web
 * was installed (`npm install onnxruntime-web@1.30.0`), which is then measured as well.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { loadFrom } from "../../systems/internals.js";
import { ROOT } from "../../systems/root.js";
import { medianOf } from "../../metrics/median.js";

interface Tensor {
  readonly data: Float32Array | Int32Array;
  readonly dims: readonly number[];
}
type Tensors = Readonly<Record<string, Tensor>>;
interface Graph {
  run(inputs: Tensors): Promise<Tensors>;
}
interface Engine {
  readonly by: string;
  load(model: Uint8Array): Promise<Graph>;
}

/** The parts of onnxruntime-web that this comparison uses; it is not one of our dependencies. */
interface OrtWeb {
  readonly env: { readonly wasm: { numThreads?: number } };
  readonly Tensor: new (type: string, data: Tensor["data"], dims: readonly number[]) => Tensor;
  readonly InferenceSession: {
    create(model: Uint8Array, options: object): Promise<Graph>;
  };
}

async function loadEngine(name: "native" | "portable"): Promise<Engine> {
  const { chooseEngine } = await loadFrom<{ chooseEngine: (name: string) => Promise<Engine> }>({
    "label/network/engines": ["chooseEngine"],
  });
  return chooseEngine(name);
}

async function loadWeb(folder: string): Promise<Engine> {
  const find = createRequire(join(folder, "package.json"));
  const file = pathToFileURL(find.resolve("onnxruntime-web/wasm")).href;
  const loaded = (await import(file)) as OrtWeb & { readonly default?: OrtWeb };
  const { env, InferenceSession, Tensor } = loaded.default ?? loaded;
  env.wasm.numThreads = 1;
  return {
    by: "onnxruntime-web, one thread",
    async load(model) {
      const session = await InferenceSession.create(model, { executionProviders: ["wasm"] });
      const convert = ({ data, dims }: Tensor): Tensor =>
        new Tensor(data instanceof Float32Array ? "float32" : "int32", data, dims);
      return {
        run: (inputs) =>
          session.run(Object.fromEntries(Object.entries(inputs).map(([name, one]) => [name, convert(one)]))),
      };
    },
  };
}

/** Returns pseudo-random numbers around 0, the same in every run. */
function noise(count: number, size: number): Float32Array {
  let state = count;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state / 2 ** 32 - 0.5) * size;
  });
}

function pageInputs(lines: number): Tensors {
  const groups = Math.ceil(lines / 3);
  const of = Int32Array.from({ length: lines * 4 }, (_, at) => Math.floor(at / 5) % groups);
  return {
    hand: { data: noise(lines * 205, 8), dims: [lines, 205] },
    bags: { data: noise(lines * 64, 2), dims: [lines, 64] },
    groups: { data: of, dims: [lines, 4] },
    shares: { data: Float32Array.from({ length: groups }, (_, at) => at / groups), dims: [groups] },
  };
}

function textInputs(lines: number, condition: readonly number[]): Tensors {
  return {
    hand: { data: noise(lines * 84, 8), dims: [lines, 84] },
    bags: { data: noise(lines * 96, 2), dims: [lines, 96] },
    condition: { data: Float32Array.from(condition), dims: [4] },
  };
}

function furthest(one: Tensors, other: Tensors): number {
  let most = 0;
  for (const [name, { data }] of Object.entries(one))
    for (const [at, value] of data.entries())
      most = Math.max(most, Math.abs(value - (other[name]?.data[at] ?? Infinity)));
  return most;
}

const { values } = parseArgs({
  options: {
    web: { type: "string" },
    lines: { type: "string", default: "170" },
    turns: { type: "string", default: "200" },
  },
});
const [lines, turns] = [Number(values.lines), Number(values.turns)];
const engines = [await loadEngine("native"), await loadEngine("portable")];
if (values.web !== undefined) engines.push(await loadWeb(values.web));
const cases: readonly (readonly [model: string, what: string, inputs: Tensors])[] = [
  ["page-6", "a page", pageInputs(lines)],
  ["text-7", "a text of a condition to be told", textInputs(lines, [0, 0, 0, 0])],
  ["text-7", "a text from a crawl", textInputs(lines, [0, 0, 1, 1])],
];
for (const [model, what, inputs] of cases) {
  const network = readFileSync(join(ROOT, "models", model, "model.onnx"));
  const graphs = await Promise.all(engines.map((engine) => engine.load(network)));
  const times = graphs.map((): number[] => []);
  for (let turn = 0; turn < turns; turn += 1)
    for (const [at, graph] of graphs.entries()) {
      const start = performance.now();
      await graph.run(inputs);
      times[at]?.push(performance.now() - start);
    }
  const outputs = await Promise.all(graphs.map((graph) => graph.run(inputs)));
  process.stdout.write(`${model}, ${what}, ${lines} lines, ${turns} turns\n`);
  for (const [at, { by }] of engines.entries()) {
    const [own = [], base = []] = [times[at], times[0]];
    const [best, apart] = [Math.min(...own), furthest(outputs[0] ?? {}, outputs[at] ?? {})];
    process.stdout.write(
      `  ${by.padEnd(28)} fastest ${best.toFixed(2)} ms, ${(best / Math.min(...base)).toFixed(2)} × native; ` +
        `median ${medianOf(own).toFixed(2)} ms; furthest apart ${apart.toExponential(1)}\n`,
    );
  }
}
