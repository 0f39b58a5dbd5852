/** Reads what the `model.json` of every kind of model says: who it is, how its logits are calibrated, and where it cuts. */
import { FOCUSES, type Focus } from "../labeller.js";
import type { Manifest } from "./manifest.js";

interface ModelCard {
  readonly name: string;
  /** The name of the labeller that can use it. */
  readonly kind: string;
  /** As in the loaded model. */
  readonly digest: string;
}

/** What a model says of itself; its weights are not read. Throws UsageError when it says nothing. */
export function readModelCard(about: Manifest): ModelCard {
  return { name: about.text("name"), kind: about.text("kind"), digest: digestOf(about) };
}

/** The same weights with another calibration give other text, so both count. Of every file that it names, and of its numbers. */
export function digestOf(about: Manifest): string {
  const files = about.parts().map((part) => about.text(`${part}.sha256`));
  const numbers = ["table.scale", "window", "calibration", "calibrations", "verdict", "thresholds"];
  // What only some kinds of models have. Whatever else shapes their labels is kept under one name.
  const more = ["pieceTable.scale", "settings", "correction"].filter((path) => about.has(path));
  return about.digest(files, [...numbers, ...more]);
}

/** Throws UsageError when a model is for another labeller. */
export function checkKind(about: Manifest, wanted: string): void {
  const kind = about.text("kind");
  if (kind !== wanted)
    about.refuse(`its kind is "${kind}", and the labeller "${wanted}" needs kind "${wanted}"`);
}

/** P(content) = 1 / (1 + exp(-(slope × logit + offset))). */
export interface Calibration {
  readonly slope: number;
  readonly offset: number;
}

export function calibrationAt(about: Manifest, path: string): Calibration {
  return { slope: about.number(`${path}.slope`), offset: about.number(`${path}.offset`) };
}

export function cutsAt(about: Manifest, path: string): Record<Focus, number> {
  const [precision, balanced, recall] = FOCUSES.map((focus) => {
    const value = about.number(`${path}.${focus}`);
    if (value <= 0 || value >= 1) about.refuse(`"${path}.${focus}" is ${value}, not between 0 and 1`);
    return value;
  });
  // FOCUSES has exactly these three, in this order; number() has checked each.
  return { precision: precision ?? 0.5, balanced: balanced ?? 0.5, recall: recall ?? 0.5 };
}
