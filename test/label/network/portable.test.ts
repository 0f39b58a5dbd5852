/** Tests the portable engine with vectors: its curves for numbers of all sizes, and how much memory a network keeps. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import type { Tensor } from "../../../src/label/network/engine.js";
import { createPortableEngine } from "../../../src/label/network/portable/portable-engine.js";
import {
  createVectorProducts,
  type ProductMaker,
} from "../../../src/label/network/portable/vectors/products.js";
import { openVectors, withRoom } from "../../../src/label/network/portable/vectors/vectors.js";

const sigmoid = (value: number): number => 1 / (1 + Math.exp(-value));

function needed<T>(thing: T | undefined): T {
  if (thing === undefined) throw new Error("there are no vectors here");
  return thing;
}

it.each([
  ["sigmoids", sigmoid],
  ["tangents", Math.tanh],
] as const)("%s equals the double-precision result within float precision", (name, curve) => {
  const vectors = needed(openVectors());
  const small = Array.from({ length: 4001 }, (_, at) => (at - 2000) / 100);
  const odd = [0, -0, 1e-30, -1e-30, 88, -88, 1e4, -1e4, 3e38, -3e38, Infinity, -Infinity, Number.NaN];
  const values = Float32Array.from([...small, ...odd]);
  const made = withRoom(vectors, () => {
    const into = vectors.take(values.length);
    vectors.call[name](into.byteOffset, into.byteOffset + into.byteLength, vectors.hold(values).byteOffset);
    return into.slice();
  });
  for (const [at, value] of values.entries()) {
    const [got, wanted] = [made[at] ?? 0, curve(value)];
    if (Number.isNaN(wanted)) expect(got).toBeNaN();
    else expect(Math.abs(got - wanted), `of ${value}`).toBeLessThan(2e-7);
  }
});

it("reuses the memory of values that are no longer needed", async () => {
  const made: ProductMaker[] = [];
  const engine = createPortableEngine(() => {
    made.push(needed(createVectorProducts()));
    return needed(made.at(-1));
  });
  const folder = fileURLToPath(new URL("../../../models/text-7/", import.meta.url));
  const graph = await engine.load(readFileSync(`${folder}model.onnx`));
  const rows = 4096 + 2 * 64;
  const inputs: Record<string, Tensor> = {
    hand: { data: new Float32Array(rows * 84).fill(0.5), dims: [rows, 84] },
    bags: { data: new Float32Array(rows * 96).fill(0.1), dims: [rows, 96] },
    // The text may be from a crawl, so all networks run.
    condition: { data: Float32Array.of(0.2, 0.2, 0.6, 0.5), dims: [4] },
  };
  const first = await graph.run(inputs);
  const bytes = (): number => needed(made[0]?.vectors).floats().byteLength;
  const after = bytes();
  // All values of the run together take 158 MB.
  expect(after).toBeLessThan(90e6);
  for (let run = 0; run < 2; run++) expect(await graph.run(inputs)).toEqual(first);
  expect(bytes()).toBe(after);
  await graph.close();
});
