/** Reads the fields that `model.json` has for every kind of model: name, kind, digest, calibration and cuts. */
import { FOCUSES, type Focus } from "../labeller.js";
import type { Manifest } from "./manifest.js";

interface ModelCard {
  readonly name: string;
  /** The name of the labeller that can use the model. */
  readonly kind: string;
  /** See `digestOf`. */
  readonly digest: string;
}

/** Reads name, kind and digest of a model without its weights. Throws UsageError if a field is missing. */
export function readModelCard(about: Manifest): ModelCard {
  return { name: about.text("name"), kind: about.text("kind"), digest: digestOf(about) };
}

/**
 * Returns a digest of a model's files and of the numbers that shape its labels: the same weights with another
 * calibration give other labels.
 */
export function digestOf(about: Manifest): string {
  const files = about.parts().map((part) => about.text(`${part}.sha256`));
  const numbers = ["table.scale", "window", "calibration", "calibrations", "verdict", "thresholds"];
  // Fields of only some kinds of models. These keep everything else that shapes their labels in one field (`settings`).
  const more = ["pieceTable.scale", "settings", "correction"].filter((path) => about.has(path));
  return about.digest(files, [...numbers, ...more]);
}

/** Throws UsageError if a model is for another labeller. */
export function checkKind(about: Manifest, wanted: string): void {
  const kind = about.text("kind");
  if (kind !== wanted)
    about.refuse(`its kind is "${kind}", but the labeller "${wanted}" needs kind "${wanted}"`);
}

/** P(content) = 1 / (1 + exp(-(slope × logit + offset))). */
export interface Calibration {
  readonly slope: number;
  readonly offset: number;
}

/** Reads the calibration at a path. Throws UsageError if a number is missing. */
export function calibrationAt(about: Manifest, path: string): Calibration {
  return { slope: about.number(`${path}.slope`), offset: about.number(`${path}.offset`) };
}

/** Reads the cut of each focus. Throws UsageError for a value that is not between 0 and 1. */
export function cutsAt(about: Manifest, path: string): Record<Focus, number> {
  const [precision, balanced, recall] = FOCUSES.map((focus) => {
    const value = about.number(`${path}.${focus}`);
    if (value <= 0 || value >= 1) about.refuse(`"${path}.${focus}" is ${value}, not between 0 and 1`);
    return value;
  });
  // FOCUSES has exactly these three, in this order; number() has checked each.
  return { precision: precision ?? 0.5, balanced: balanced ?? 0.5, recall: recall ?? 0.5 };
}
