/**
 * Fits logistic regressions with a penalty for each weight, on many overlapping subsets of the same rows.
 *
 * Rows are divided into folds. The curvature of each fold is computed once, at the start, and a fit adds up the
 * curvatures of its folds. It uses this sum for all its Newton steps, and halves a step that was too long. So a fit
 * costs a few passes over its rows, and not a new matrix for each pass.
 */

export interface Rows {
  /** rows × width. */
  readonly inputs: Float32Array;
  readonly width: number;
  /** Log-odds before any weight is added. */
  readonly odds: Float32Array;
  /** 1 or 0. */
  readonly labels: Uint8Array;
  /** How much each row counts. */
  readonly weights: Float32Array;
  /** The first row of each fold; one more entry than folds. */
  readonly starts: readonly number[];
}

/** Least curvature: rows that are already certain have hardly any, and a step could become far too long. */
const LEAST_CURVATURE = 0.02;
const MOST_STEPS = 20;
const MOST_HALVINGS = 12;
/** A step that reduces the loss by a smaller share than this is the last one. */
const LEAST_GAIN = 3e-5;

/** Returns a function that fits the given folds, with the penalty λ/2 · weight² for each weight. */
export function createFitter(
  rows: Rows,
): (folds: readonly number[], penalties: Float64Array, start?: Float64Array) => Float64Array {
  const { width } = rows;
  const curvatures = rows.starts.slice(1).map((_, fold) => curvatureOf(rows, fold));
  return (folds, penalties, start = new Float64Array(width)) => {
    const curvature = new Float64Array(width * width);
    for (const fold of folds)
      for (let at = 0; at < curvature.length; at += 1)
        curvature[at] = (curvature[at] ?? 0) + (curvatures[fold]?.[at] ?? 0);
    for (let at = 0; at < width; at += 1)
      curvature[at * width + at] = (curvature[at * width + at] ?? 0) + (penalties[at] ?? 0);
    const factor = factorise(curvature, width);
    let weights: Float64Array = Float64Array.from(start);
    let { loss, gradient } = descend(rows, folds, weights, penalties);
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const direction = solve(factor, gradient, width);
      const found = search(weights, direction, loss, (tried) => descend(rows, folds, tried, penalties));
      if (found === undefined) break;
      const gained = loss - found.loss;
      ({ weights, loss, gradient } = found);
      if (gained <= LEAST_GAIN * Math.max(1, Math.abs(loss))) break;
    }
    return weights;
  };
}

interface Descent {
  readonly loss: number;
  readonly gradient: Float64Array;
}

/** Returns the first of the whole step, its half, its quarter … that reduces the loss; undefined if no step does. */
function search(
  from: Float64Array,
  direction: Float64Array,
  loss: number,
  descendAt: (weights: Float64Array) => Descent,
): (Descent & { readonly weights: Float64Array }) | undefined {
  let share = 1;
  for (let halving = 0; halving < MOST_HALVINGS; halving += 1) {
    const weights = from.map((weight, at) => weight - share * (direction[at] ?? 0));
    const descent = descendAt(weights);
    if (descent.loss < loss) return { ...descent, weights };
    share /= 2;
  }
  return undefined;
}

function descend(
  rows: Rows,
  folds: readonly number[],
  weights: Float64Array,
  penalties: Float64Array,
): Descent {
  const { inputs, width } = rows;
  const gradient = new Float64Array(width);
  let loss = 0;
  for (let at = 0; at < width; at += 1) {
    const weight = weights[at] ?? 0;
    loss += ((penalties[at] ?? 0) * weight * weight) / 2;
    gradient[at] = (penalties[at] ?? 0) * weight;
  }
  for (const fold of folds) {
    const end = rows.starts[fold + 1] ?? 0;
    for (let row = rows.starts[fold] ?? 0; row < end; row += 1) {
      const base = row * width;
      const odds = (rows.odds[row] ?? 0) + product(inputs, base, weights);
      const label = rows.labels[row] ?? 0;
      const weight = rows.weights[row] ?? 0;
      loss += weight * lossOf(odds, label);
      const error = weight * (1 / (1 + Math.exp(-odds)) - label);
      for (let column = 0; column < width; column += 1)
        gradient[column] = (gradient[column] ?? 0) + error * (inputs[base + column] ?? 0);
    }
  }
  return { loss, gradient };
}

/** Returns the dot product of `weights` with the inputs from `base` on. */
export function product(inputs: Float32Array, base: number, weights: Float64Array): number {
  let sum = 0;
  for (let column = 0; column < weights.length; column += 1)
    sum += (weights[column] ?? 0) * (inputs[base + column] ?? 0);
  return sum;
}

/** −log P(label), in nats. */
export function lossOf(odds: number, label: number): number {
  const wrong = label === 1 ? -odds : odds;
  return wrong > 30 ? wrong : Math.log1p(Math.exp(wrong));
}

function curvatureOf(rows: Rows, fold: number): Float64Array {
  const { inputs, width } = rows;
  const sums = new Float64Array(width * width);
  const end = rows.starts[fold + 1] ?? 0;
  for (let row = rows.starts[fold] ?? 0; row < end; row += 1) {
    const probability = 1 / (1 + Math.exp(-(rows.odds[row] ?? 0)));
    const curvature = (rows.weights[row] ?? 0) * Math.max(LEAST_CURVATURE, probability * (1 - probability));
    const base = row * width;
    for (let one = 0; one < width; one += 1) {
      const value = curvature * (inputs[base + one] ?? 0);
      if (value === 0) continue;
      const into = one * width;
      for (let other = 0; other <= one; other += 1)
        sums[into + other] = (sums[into + other] ?? 0) + value * (inputs[base + other] ?? 0);
    }
  }
  return sums;
}

/**
 * Returns the Cholesky factor L of a matrix L Lᵀ, of which the lower half is read. L exists because every penalty is
 * above 0.
 */
function factorise(matrix: Float64Array, width: number): Float64Array {
  const factor = new Float64Array(width * width);
  for (let row = 0; row < width; row += 1)
    for (let column = 0; column <= row; column += 1) {
      let sum = matrix[row * width + column] ?? 0;
      for (let at = 0; at < column; at += 1)
        sum -= (factor[row * width + at] ?? 0) * (factor[column * width + at] ?? 0);
      factor[row * width + column] =
        row === column ? Math.sqrt(Math.max(sum, 1e-12)) : sum / (factor[column * width + column] ?? 1);
    }
  return factor;
}

function solve(factor: Float64Array, wanted: Float64Array, width: number): Float64Array {
  const solved = Float64Array.from(wanted);
  for (let row = 0; row < width; row += 1) {
    for (let at = 0; at < row; at += 1)
      solved[row] = (solved[row] ?? 0) - (factor[row * width + at] ?? 0) * (solved[at] ?? 0);
    solved[row] = (solved[row] ?? 0) / (factor[row * width + row] ?? 1);
  }
  for (let row = width - 1; row >= 0; row -= 1) {
    for (let at = row + 1; at < width; at += 1)
      solved[row] = (solved[row] ?? 0) - (factor[at * width + row] ?? 0) * (solved[at] ?? 0);
    solved[row] = (solved[row] ?? 0) / (factor[row * width + row] ?? 1);
  }
  return solved;
}
