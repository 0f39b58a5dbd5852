/** Arranges the lines of all documents as rows of a regression, fold by fold, and turns its weights into a change. */
import { standardise } from "../../label/network/correction.js";
import type { Change } from "../change.js";
import type { Evidence } from "../evidence.js";
import type { Folds } from "./folds.js";
import type { Rows } from "./logistic.js";

/** What is fitted on top of a network: only slope and offset of its log-odds, or the weights of the columns as well. */
const FITS = ["calibration", "correction"] as const;
export type Fit = (typeof FITS)[number];

/** How much is trained: a fit on top of the shipped network, or the network itself, which is then calibrated. */
export const STEPS = [...FITS, "network"] as const;
export type Step = (typeof STEPS)[number];

export interface Design {
  readonly rows: Rows;
  /** Moments of each column over all documents; they do not depend on labels. */
  readonly means: readonly number[];
  readonly deviations: readonly number[];
}

/** Number of inputs before the columns: the log-odds, and 1. */
const FIRST = 2;
/** The lines of a document are alike, so a document of any length counts as this many independent lines. */
const LINES_A_DOCUMENT = 10;
/** Penalties that pull the slope towards 1 and the offset towards 0: deviations of 0.5 and 1 are likely. */
const SLOPE_PENALTY = 4;
const OFFSET_PENALTY = 1;
/** Penalties for the weights of columns, strongest first; cross-validation chooses one. */
export const RIDGES: Readonly<Record<Fit, readonly number[]>> = {
  calibration: [0],
  correction: [640, 160, 40, 10],
};
/** Least slope, so that a model never ranks the likelier line below the less likely one. */
const LEAST_SLOPE = 0.05;
const COLUMN_DEVIATION = 1e-6;
/** Significant digits of stored numbers; more would differ between platforms. */
const DIGITS = 6;

/** Makes a row for each labelled line: inputs are rows × (2 + columns), without columns for a calibration. */
export function layOut(evidence: readonly Evidence[], folds: Folds, step: Fit): Design {
  const order = Array.from({ length: folds.count }, (_, fold) =>
    evidence.filter((_one, at) => folds.of[at] === fold),
  );
  const count = evidence.reduce(
    (sum, { labels }) => sum + labels.filter((label) => label !== null).length,
    0,
  );
  const columns = step === "calibration" ? 0 : widthOf(evidence);
  const { means, deviations } = momentsOf(evidence, columns);
  const width = FIRST + columns;
  const inputs = new Float32Array(count * width);
  const odds = new Float32Array(count);
  const labels = new Uint8Array(count);
  const weights = new Float32Array(count);
  const starts = [0];
  let row = 0;
  for (const fold of order) {
    for (const one of fold) {
      const known = one.labels.filter((label) => label !== null).length;
      for (const [at, label] of one.labels.entries()) {
        if (label === null) continue;
        const [base, from] = [row * width, at * widthOf([one])];
        odds[row] = one.odds[at] ?? 0;
        inputs[base] = one.odds[at] ?? 0;
        inputs[base + 1] = 1;
        for (let column = 0; column < columns; column += 1)
          inputs[base + FIRST + column] = standardise(
            one.columns[from + column] ?? 0,
            means[column] ?? 0,
            deviations[column] ?? 1,
          );
        labels[row] = label;
        weights[row] = LINES_A_DOCUMENT / known;
        row += 1;
      }
    }
    starts.push(row);
  }
  return { rows: { inputs, width, odds, labels, weights, starts }, means, deviations };
}

function widthOf(evidence: readonly Evidence[]): number {
  const full = evidence.find(({ odds }) => odds.length > 0);
  return full === undefined ? 0 : full.columns.length / full.odds.length;
}

function momentsOf(
  evidence: readonly Evidence[],
  columns: number,
): { readonly means: number[]; readonly deviations: number[] } {
  const sums = new Float64Array(columns);
  const squares = new Float64Array(columns);
  let count = 0;
  for (const one of evidence)
    for (let row = 0; row < one.odds.length && columns > 0; row += 1) {
      count += 1;
      for (let column = 0; column < columns; column += 1) {
        const value = one.columns[row * columns + column] ?? 0;
        sums[column] = (sums[column] ?? 0) + value;
        squares[column] = (squares[column] ?? 0) + value * value;
      }
    }
  const means = Array.from(sums, (sum) => roundDigits(sum / Math.max(1, count)));
  const deviations = means.map((mean, column) => {
    const variance = (squares[column] ?? 0) / Math.max(1, count) - mean * mean;
    const deviation = Math.sqrt(Math.max(0, variance));
    // A constant column says nothing: all its values are at the mean.
    return deviation < COLUMN_DEVIATION ? 1 : roundDigits(deviation);
  });
  return { means, deviations };
}

/** Returns the penalty of each input: the slope, the offset, then `ridge` for each column. */
export function penaltiesOf({ rows }: Design, ridge: number): Float64Array {
  return Float64Array.from({ length: rows.width }, (_, at) => [SLOPE_PENALTY, OFFSET_PENALTY][at] ?? ridge);
}

/** Turns the weights of a fit into a change of the model. */
export function toChange({ means, deviations, rows }: Design, weights: Float64Array): Change {
  const slope = roundDigits(Math.max(LEAST_SLOPE, 1 + (weights[0] ?? 0)));
  const offset = roundDigits(weights[1] ?? 0);
  if (rows.width === FIRST) return { slope, offset };
  const ofColumns = Array.from(weights.subarray(FIRST), roundDigits);
  return { slope, offset, correction: { means, deviations, weights: ofColumns } };
}

/** Rounds to `DIGITS` significant digits. */
export function roundDigits(value: number): number {
  return Number(value.toPrecision(DIGITS));
}
