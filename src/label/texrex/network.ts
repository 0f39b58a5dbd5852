/** Features of lines through a multilayer perceptron, 37–18–1, into one number a line: how far it is boilerplate. */
import { FEATURE_COUNT } from "./table.js";

/** Half as many as there are inputs, as the paper has it. */
export const HIDDEN = 18;

/** Numbers of one network: for each hidden unit its weights and its bias, then the weights of the output and its bias. */
export const WEIGHTS = HIDDEN * (FEATURE_COUNT + 1) + HIDDEN + 1;

/**
 * About 0 for content and about 1 for boilerplate, one for each row, in single precision. The hidden units are FANN's
 * "Gaussian symmetric", 2·exp(−x²) − 1; its steepness is part of the weights. The paper's output is the same number held
 * to −1..1; without the bound it keeps lines apart that are equally sure to it.
 */
export function runNetwork(weights: Float32Array, rows: Float32Array): Float32Array {
  const lines = rows.length / FEATURE_COUNT;
  const outputs = new Float32Array(lines);
  const last = HIDDEN * (FEATURE_COUNT + 1);
  for (let line = 0; line < lines; line += 1) {
    const base = line * FEATURE_COUNT;
    let output = weights[last + HIDDEN] ?? 0;
    for (let unit = 0; unit < HIDDEN; unit += 1) {
      const from = unit * (FEATURE_COUNT + 1);
      let sum = weights[from + FEATURE_COUNT] ?? 0;
      for (let at = 0; at < FEATURE_COUNT; at += 1) sum += (weights[from + at] ?? 0) * (rows[base + at] ?? 0);
      output += (weights[last + unit] ?? 0) * (2 * Math.exp(-sum * sum) - 1);
    }
    outputs[line] = output;
  }
  return outputs;
}
