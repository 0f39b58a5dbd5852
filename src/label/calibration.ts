/** Logits into probabilities that mean what they say, along a line with bends. */
import type { PageCalibration } from "./model.js";
import { sigmoid } from "./verdict.js";

/**
 * A network trained towards .95 and .05 pushes what it is sure of together at the ends of its scale, so one slope for
 * all (Platt 1999) makes clear boilerplate likelier than it is and doubt less likely: from each bend on the slope changes.
 */
export function calibrate(logit: number, { slope, offset, bends }: PageCalibration): number {
  let odds = slope * logit + offset;
  for (const { at, by } of bends) if (logit > at) odds += by * (logit - at);
  return sigmoid(odds);
}
