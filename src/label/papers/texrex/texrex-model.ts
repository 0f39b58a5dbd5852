/** Reads and checks the folder of a texrex model, and runs its multilayer perceptrons (37–18–1), which score lines. */
import type { Focus } from "../../labeller.js";
import { readManifest } from "../../models/model-folder.js";
import { calibrationAt, checkKind, digestOf, cutsAt, type Calibration } from "../../models/model-card.js";
import { FEATURE_COUNT, FEATURE_NAMES } from "./texrex-table.js";

/** The number of hidden units, half the number of inputs, as in the paper. */
export const HIDDEN = 18;

/** The size of one network: for each hidden unit its weights and bias, then the weights and the bias of the output. */
export const WEIGHTS = HIDDEN * (FEATURE_COUNT + 1) + HIDDEN + 1;

/**
 * Returns one number for each row, in single precision: about 0 for content and about 1 for boilerplate. The hidden
 * units are FANN's "Gaussian symmetric", 2·exp(−x²) − 1; its steepness is part of the weights. The paper clips the
 * output to −1..1; without clipping, lines beyond these bounds still get different scores.
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

/** The networks: "page" uses all features of a line, "text" only its text and its place among the lines. */
const NETWORKS = ["page", "text"] as const;
type NetworkName = (typeof NETWORKS)[number];

interface TexrexNetwork {
  readonly weights: Float32Array;
  /** P(content) = 1 / (1 + exp(−(slope × output + offset))). */
  readonly calibration: Calibration;
  readonly cuts: Readonly<Record<Focus, number>>;
}

export interface TexrexModel extends Readonly<Record<NetworkName, TexrexNetwork>> {
  readonly name: string;
  readonly digest: string;
}

/** Loads a model. Throws UsageError when anything does not fit. */
export function loadTexrexModel(folder: string): TexrexModel {
  const about = readManifest(folder);
  checkKind(about, "texrex");
  about.sameList("columns", FEATURE_NAMES);
  about.sameList("networks", NETWORKS);
  const bytes = about.file("weights");
  const wanted = NETWORKS.length * WEIGHTS * Float32Array.BYTES_PER_ELEMENT;
  if (bytes.byteLength !== wanted)
    about.refuse(`its weights are ${bytes.byteLength} bytes, but this version of thresher needs ${wanted}`);
  const values = new Float32Array(NETWORKS.length * WEIGHTS);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < values.length; at += 1)
    values[at] = view.getFloat32(at * Float32Array.BYTES_PER_ELEMENT, true);
  if (!values.every(Number.isFinite)) about.refuse("a weight is not a number");
  const network = (which: NetworkName): TexrexNetwork => {
    const from = NETWORKS.indexOf(which) * WEIGHTS;
    return {
      weights: values.subarray(from, from + WEIGHTS),
      calibration: calibrationAt(about, `calibrations.${which}`),
      cuts: cutsAt(about, `thresholds.${which}`),
    };
  };
  return { name: about.text("name"), digest: digestOf(about), page: network("page"), text: network("text") };
}
