/**
 * Fits a change of the model, and labels each document with a change that was fitted without its fold.
 *
 * The ridge and the cuts of a text model are chosen only on documents that the fit may see: on scores that each of
 * their folds gets from fits without that fold, too.
 */
import type { Document, LabelledLine } from "../../document.js";
import type { Change } from "../change.js";
import { chooseCuts } from "./cuts.js";
import { layOut, penaltiesOf, RIDGES, toChange, type Design, type Fit } from "./design.js";
import type { Evidence } from "../evidence.js";
import type { Folds } from "./folds.js";
import { createFitter, lossOf, product } from "./logistic.js";

export interface Fitted {
  readonly step: Fit;
  /** The change that was fitted on all documents. */
  readonly change: Change;
  readonly ridge: number;
  /** Documents in the order of the evidence, each labelled with a change that was fitted without its fold. */
  readonly heldOut: readonly Document<LabelledLine>[];
}

export interface FitOptions {
  readonly step: Fit;
  /** Whether the model has its own cuts, instead of cutting each document by its scores. */
  readonly hasCuts: boolean;
}

export function crossFit(evidence: readonly Evidence[], folds: Folds, { step, hasCuts }: FitOptions): Fitted {
  const design = layOut(evidence, folds, step);
  const fits = createFits(design, folds.count);
  const all = Array.from({ length: folds.count }, (_, fold) => fold);
  const fitWithout = (left: readonly number[]): { readonly change: Change; readonly ridge: number } => {
    const seen = all.filter((fold) => !left.includes(fold));
    const ridge = chooseRidge(step, seen, (one, fold) => fits.lossOf(one, [...left, fold], fold));
    const change = toChange(design, fits.weights(ridge, left));
    if (!hasCuts) return { change, ridge };
    const scored = seen.flatMap((fold) => {
      // A single fold cannot be left out, so its own scores must do.
      const inner = toChange(design, fits.weights(ridge, seen.length === 1 ? left : [...left, fold]));
      return evidence.flatMap((one, at) =>
        folds.of[at] === fold ? { document: one.relabel(inner), labels: one.example.labels } : [],
      );
    });
    return { change: { ...change, cuts: chooseCuts(scored) }, ridge };
  };
  const byFold = all.map((fold) => fitWithout([fold]).change);
  const heldOut = evidence.flatMap((one, at) => {
    const change = byFold[folds.of[at] ?? 0];
    return change === undefined ? [] : one.relabel(change);
  });
  return { step, ...fitWithout([]), heldOut };
}

/** Returns the ridge with the least loss on folds that were left out; the strongest if there is only one fold. */
function chooseRidge(
  step: Fit,
  seen: readonly number[],
  lossOfFold: (ridge: number, fold: number) => number,
): number {
  const ridges = RIDGES[step];
  if (ridges.length === 1 || seen.length < 2) return ridges[0] ?? 0;
  const losses = ridges.map((ridge) => seen.reduce((sum, fold) => sum + lossOfFold(ridge, fold), 0));
  return ridges[losses.indexOf(Math.min(...losses))] ?? 0;
}

interface Fits {
  /** Returns the weights of a fit without the folds in `left`. */
  weights(ridge: number, left: readonly number[]): Float64Array;
  /** Returns the loss of that fit on one fold. */
  lossOf(ridge: number, left: readonly number[], fold: number): number;
}

/** Caches every fit: one without folds 1 and 2 serves both. */
function createFits(design: Design, count: number): Fits {
  const { rows } = design;
  const fit = createFitter(rows);
  const known = new Map<string, Float64Array>();
  const weights = (ridge: number, left: readonly number[]): Float64Array => {
    const key = `${ridge}:${[...left].sort((a, b) => a - b).join(",")}`;
    const made = known.get(key);
    if (made !== undefined) return made;
    const seen = Array.from({ length: count }, (_, fold) => fold).filter((fold) => !left.includes(fold));
    // The fit with the next stronger penalty is similar, so it is a good start.
    const stronger = [...known].findLast(([other]) => other.endsWith(key.slice(key.indexOf(":"))))?.[1];
    const fitted = fit(seen, penaltiesOf(design, ridge), stronger);
    known.set(key, fitted);
    return fitted;
  };
  return {
    weights,
    lossOf(ridge, left, fold) {
      const fitted = weights(ridge, left);
      let loss = 0;
      const end = rows.starts[fold + 1] ?? 0;
      for (let row = rows.starts[fold] ?? 0; row < end; row += 1) {
        const odds = (rows.odds[row] ?? 0) + product(rows.inputs, row * rows.width, fitted);
        loss += (rows.weights[row] ?? 0) * lossOf(odds, rows.labels[row] ?? 0);
      }
      return loss;
    },
  };
}
