/** Checks a model of the labeller `page`, and turns its logits into probabilities. */
import { PAGE_TYPES, type Line, type PageType } from "../../document.js";
import { GROUP_LEVELS } from "../features/page/line-groups.js";
import { PAGE_BAGS } from "../features/page/path-bags.js";
import { PAGE_COLUMNS } from "../features/page/place-columns.js";
import { readLineModel, type LineModel } from "../models/line-model.js";
import { calibrationAt, checkKind, type Calibration } from "../models/model-card.js";
import type { Manifest } from "../models/manifest.js";
import { sigmoid } from "../label-line.js";
import { typingAt, type PageTyping } from "./page-typing.js";

/** An upper limit, far above what a calibration needs. */
const MOST_BENDS = 64;

/** A model of the labeller `page`, which judges the whole page as well as its lines. */
export interface PageModel extends LineModel {
  readonly calibration: PageCalibration;
  readonly types: readonly PageType[];
  readonly verdict: VerdictModel;
  /** Weighs more evidence for the page type than the network's logits; absent in models that use the logits alone. */
  readonly typing?: PageTyping;
}

/**
 * P(main content) = 1 / (1 + exp(-(slope × logit + letters × log(1 + expected letters of content) + highest × the
 * highest logit of a line + walls × excess of walls + offset))). Below the threshold, the page has no main content.
 */
interface VerdictModel {
  readonly slope: number;
  readonly letters: number;
  readonly highest: number;
  /** 0 in models older than this term. */
  readonly walls: number;
  readonly offset: number;
  readonly threshold: number;
}

/** From the logit `at` on, the slope of the log-odds is higher by `by`. */
interface Bend {
  readonly at: number;
  readonly by: number;
}

/** A calibration whose slope changes at some logits; see `calibrate`. */
interface PageCalibration extends Calibration {
  readonly bends: readonly Bend[];
}

/** What a model says about a page, as logits before calibration. */
export interface PageLogits {
  /** The lines that are not blank. */
  readonly of: readonly Line[];
  /** One logit for each line in `of`. */
  readonly lines: Float32Array;
  /** One logit for each page type, then that of main content; the mean over windows, weighted by their lines. */
  readonly page: Float32Array;
  /** One logit for each page type from all evidence on the page, if the model has a typing. */
  readonly types?: Float32Array;
  /** What the model's correction adds to the log-odds of each line, if it has a correction. */
  readonly corrections?: Float32Array;
}

/** Reads a model of the kind "page". Throws UsageError when anything does not fit. */
export function readPageModel(about: Manifest): PageModel {
  checkKind(about, "page");
  const model = readLineModel(about, { columns: PAGE_COLUMNS, bags: PAGE_BAGS });
  about.sameList("types", PAGE_TYPES);
  if (about.has("groups")) about.sameList("groups", GROUP_LEVELS);
  const number = (name: string): number => about.number(`verdict.${name}`);
  const threshold = number("threshold");
  if (threshold < 0 || threshold >= 1)
    about.refuse(`its threshold for a page without content is ${threshold}, not at least 0 and below 1`);
  const verdict = {
    slope: number("slope"),
    letters: number("letters"),
    highest: number("highest"),
    walls: about.has("verdict.walls") ? number("walls") : 0,
    offset: number("offset"),
    threshold,
  };
  const calibration = { ...calibrationAt(about, "calibration"), bends: bendsAt(about, "calibration") };
  const typing = typingAt(about, PAGE_COLUMNS);
  return { ...model, calibration, types: PAGE_TYPES, verdict, ...(typing && { typing }) };
}

/** Empty in models older than the bends. Refuses a slope of 0 or below, which would reverse the order of lines. */
function bendsAt(about: Manifest, path: string): Bend[] {
  const bends: Bend[] = [];
  let { slope } = calibrationAt(about, path);
  while (bends.length < MOST_BENDS && about.has(`${path}.bends.${bends.length}`)) {
    const bend = `${path}.bends.${bends.length}`;
    const [at, by] = [about.number(`${bend}.at`), about.number(`${bend}.by`)];
    slope += by;
    if (slope <= 0) about.refuse(`from "${bend}" on, a higher logit gives a lower probability`);
    bends.push({ at, by });
  }
  return bends;
}

/**
 * Turns the logit of a line into P(content) by a piecewise linear function.
 *
 * A network trained towards .95 and .05 squeezes the lines it is sure of together at the ends of its scale. A single
 * slope (Platt 1999) then gives clear boilerplate too high a probability and doubtful lines too low a one, so the slope
 * changes at each bend. `correction` is what the model's correction adds to the log-odds.
 */
export function calibrate(logit: number, calibration: PageCalibration, correction = 0): number {
  return sigmoid(pageOdds(logit, calibration) + correction);
}

/** Returns the log-odds of a line before any correction. */
export function pageOdds(logit: number, { slope, offset, bends }: PageCalibration): number {
  let odds = slope * logit + offset;
  for (const { at, by } of bends) if (logit > at) odds += by * (logit - at);
  return odds;
}
