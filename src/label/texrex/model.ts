/** A folder with `model.json` and two small networks into a checked model of the `texrex` labeller. */
import { UsageError } from "../../outcome.js";
import { FOCUSES, type Focus } from "../labeller.js";
import { Manifest } from "../manifest.js";
import { readModelCard, type Calibration } from "../model.js";
import { WEIGHTS } from "./network.js";
import { FEATURE_NAMES } from "./table.js";

/** What a line may come with: all that a page says of it, or its text and its place among the lines alone. */
export const NETWORKS = ["page", "text"] as const;
export type NetworkName = (typeof NETWORKS)[number];

export interface TexrexNetwork {
  readonly weights: Float32Array;
  /** P(content) = 1 / (1 + exp(−(slope × output + offset))). */
  readonly calibration: Calibration;
  readonly thresholds: Readonly<Record<Focus, number>>;
}

export interface TexrexModel extends Readonly<Record<NetworkName, TexrexNetwork>> {
  readonly name: string;
  readonly digest: string;
}

/** Throws UsageError when anything does not fit. */
export function loadTexrexModel(folder: string): TexrexModel {
  const about = new Manifest(folder);
  const { name, kind, digest } = readModelCard(folder);
  if (kind !== "texrex") about.refuse(`its kind is "${kind}", and the labeller "texrex" needs kind "texrex"`);
  about.sameList("columns", FEATURE_NAMES);
  about.sameList("networks", NETWORKS);
  const bytes = about.file("weights");
  const wanted = NETWORKS.length * WEIGHTS * Float32Array.BYTES_PER_ELEMENT;
  if (bytes.byteLength !== wanted)
    about.refuse(`its weights are ${bytes.byteLength} bytes, and this version of thresher needs ${wanted}`);
  const values = new Float32Array(NETWORKS.length * WEIGHTS);
  for (let at = 0; at < values.length; at += 1)
    values[at] = bytes.readFloatLE(at * Float32Array.BYTES_PER_ELEMENT);
  if (!values.every(Number.isFinite)) about.refuse("a weight is not a number");
  const network = (which: NetworkName): TexrexNetwork => {
    const from = NETWORKS.indexOf(which) * WEIGHTS;
    return {
      weights: values.subarray(from, from + WEIGHTS),
      calibration: {
        slope: about.number(`calibrations.${which}.slope`),
        offset: about.number(`calibrations.${which}.offset`),
      },
      thresholds: readThresholds(about, which),
    };
  };
  return { name, digest, page: network("page"), text: network("text") };
}

function readThresholds(about: Manifest, which: NetworkName): Record<Focus, number> {
  const read = (focus: Focus): number => {
    const value = about.number(`thresholds.${which}.${focus}`);
    return value > 0 && value < 1
      ? value
      : about.refuse(`"thresholds.${which}.${focus}" is not between 0 and 1`);
  };
  const [precision, balanced, recall] = FOCUSES.map(read);
  if (precision === undefined || balanced === undefined || recall === undefined)
    throw new UsageError("a focus has no threshold");
  return { precision, balanced, recall };
}
