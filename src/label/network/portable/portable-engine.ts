/** Runs networks with our own code, wherever JavaScript runs, as the engine `portable`. */
import { NATIVE_PACKAGE, type Engine, type Graph, type Tensor } from "../engine.js";
import { readOnnx, type GraphInput } from "./onnx-file.js";
import { createProducts, type ProductMaker } from "./vectors/products.js";
import { compile, unknownOperators } from "./program.js";
import { sizeOf } from "./tensors.js";

/** Creates the engine. `make` chooses how products are computed; the default is the fastest way on this machine. */
export function createPortableEngine(make: () => ProductMaker = createProducts): Engine {
  // Each network owns a product maker, whose memory is freed with the network. The first one is created now, for `by`.
  const first = make();
  let spare: ProductMaker | undefined = first;
  return {
    name: "portable",
    by: first.by,
    load(model) {
      return new Promise((resolve) => {
        const products = spare ?? make();
        spare = undefined;
        resolve(loadGraph(model, products));
      });
    },
  };
}

function loadGraph(model: Uint8Array, products: ProductMaker): Graph {
  const file = readOnnx(model);
  const unknown = unknownOperators(file);
  if (unknown.length > 0)
    throw new Error(
      `the portable engine does not support its operators ${unknown.join(", ")}; run: npm install ${NATIVE_PACKAGE}`,
    );
  let program: ReturnType<typeof compile> | undefined = compile(file, products);
  // A first run finds weights of wrong sizes now instead of in the middle of a corpus.
  program(Object.fromEntries(file.inputs.map((input) => [input.name, oneRow(input)])));
  return {
    inputs: file.inputs.map(({ name }) => name),
    run: (inputs) =>
      new Promise((resolve) => {
        if (program === undefined) throw new Error("the network is closed");
        resolve(program(inputs));
      }),
    close() {
      program = undefined;
      return Promise.resolve();
    },
  };
}

/** Returns an input of zeros; axes whose length differs from run to run have length 1. */
function oneRow({ dims: sizes, isFloat }: GraphInput): Tensor {
  const dims = sizes.map((size) => Math.max(1, size));
  const size = sizeOf(dims);
  return { data: isFloat ? new Float32Array(size) : new Int32Array(size), dims };
}
