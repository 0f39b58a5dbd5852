/** Describes how a trained model differs from its base model, and applies the change to a loaded model. */
import type { Cuts } from "../document.js";
import type { Correction } from "../label/network/correction.js";
import type { PageModel } from "../label/page/page-model.js";
import type { TextModel } from "../label/text/text-model.js";

/** New log-odds = slope × log-odds of the base model + offset + correction. */
export interface Change {
  readonly slope: number;
  readonly offset: number;
  readonly correction?: Correction;
  /** Cuts of a text model, the same for all conditions. A page model cuts each page by its scores. */
  readonly cuts?: Cuts;
}

export const NO_CHANGE: Change = { slope: 1, offset: 0 };

/** Returns the model with its calibration changed; the correction is not part of it. */
export function changePageModel(model: PageModel, { slope, offset }: Change): PageModel {
  const { calibration } = model;
  return {
    ...model,
    calibration: {
      slope: slope * calibration.slope,
      offset: slope * calibration.offset + offset,
      bends: calibration.bends.map(({ at, by }) => ({ at, by: slope * by })),
    },
  };
}

/** Returns the model with its calibrations and cuts changed; the correction is not part of it. */
export function changeTextModel(model: TextModel, { slope, offset, cuts }: Change): TextModel {
  return {
    ...model,
    calibrations: model.calibrations.map((one) => ({
      slope: slope * one.slope,
      offset: slope * one.offset + offset,
    })),
    cuts: model.cuts.map((one) => cuts ?? one),
  };
}
