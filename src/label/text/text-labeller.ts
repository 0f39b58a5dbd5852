/** Labels lines by their text, with calibrated scores: the labeller `text`. */
import {
  TEXT_CONDITIONS,
  type ConditionVerdict,
  type Cuts,
  type Document,
  type LabelledLine,
  type Line,
} from "../../document.js";
import { createWorkspace, featureWindows, type Workspace } from "../features/windows.js";
import type { TimeLimit } from "../../time/time-limit.js";
import type { Focus, Labeller, LabellerOptions } from "../labeller.js";
import type { Calibration } from "../models/model-card.js";
import { createTextPool, type BagPool } from "../network/pool.js";
import { scoreWindows } from "../network/score-windows.js";
import type { Session } from "../network/session.js";
import { mayRescue, rescueLines } from "../rescue-lines.js";
import { isBlank, labelByRule, labelEach, labelLine, roundScore, sigmoid } from "../label-line.js";
import { conditionInput, guessShares, mixConditions, saidShares } from "./condition.js";
import { duplicateCaps, WHY_DUPLICATE } from "./duplicates.js";
import { findLetterIndexes, LETTER_INDEX_SCORE, WHY_LETTER_INDEX } from "./letter-index.js";
import type { TextModel } from "./text-model.js";

/** A model whose network is open. */
export interface OpenTextModel {
  readonly model: TextModel;
  readonly session: Session;
}

/** Creates a labeller from an open model. The caller's `close` releases the model. */
export function labelTexts(
  options: LabellerOptions,
  { model, session }: OpenTextModel,
  close: () => Promise<void>,
): Labeller {
  const { condition: option = "auto", pages = "auto" } = options;
  const ofText = saidShares(option);
  const ofPages = option === "auto" ? saidShares(pages) : ofText;
  const idle: Scratch[] = [];
  return {
    name: `${model.name}@${model.digest}`,
    async label(batch, { limit } = {}) {
      const scratch = idle.pop() ?? createScratch(model);
      const labelled: Document<LabelledLine>[] = [];
      // One document per run: the rest of a batch must not change a score, not even its last digit.
      for (const document of batch) {
        const said = document.source === "html" ? ofPages : ofText;
        const scored = await scoreDocument(
          document,
          { model, session, said, ...(limit && { limit }) },
          scratch,
        );
        labelled.push(labelText(document, scored, { ...options, model }));
      }
      idle.push(scratch);
      return labelled;
    },
    close,
  };
}

/** The network's output for a text, and the lines that it scored. */
interface ScoredText extends TextLogits {
  /** For each line that is not blank: 1 if it is part of an alphabetical index, else 0. */
  readonly indexes: Uint8Array;
  /** The lines with 0 in `indexes`, which the network scored. */
  readonly texts: readonly string[];
  /** Whether the caller stated the condition of the text. */
  readonly isSaid: boolean;
  /** The shares of conditions that the network read, stated or guessed. */
  readonly given: Float32Array;
}

/** Returns logits before calibration. */
export async function scoreDocument(
  { lines }: Document,
  { said, ...by }: ScoreTools,
  scratch?: Scratch,
): Promise<ScoredText> {
  const all = lines.map((line) => line.text).filter((text) => !isBlank(text));
  const indexes = findLetterIndexes(all);
  const texts = all.filter((_text, at) => indexes[at] === 0);
  const isSaid = said.some((share) => share > 0);
  const given = isSaid ? said : guess(texts, by.model);
  const logits = await scoreLogits(texts, { ...by, said: given }, scratch);
  return { ...logits, indexes, texts, isSaid, given };
}

/** Turns the logits of `scoreDocument` into labels: calibrates, cuts, and applies the rules for texts. */
export function labelText(
  document: Document,
  scored: ScoredText,
  { model, ...options }: Pick<LabellerOptions, "focus" | "cut"> & { readonly model: TextModel },
): Document<LabelledLine> {
  const { conditions, indexes, texts, isSaid } = scored;
  const cuts = cutsOf(conditions, model);
  const cut = options.cut ?? cuts[options.focus];
  const probabilities = calibrateText(scored, model);
  const lines = labelLines(document.lines, texts, { probabilities, indexes, cut });
  const told = likeliest(conditions);
  const isDoubtful = !isSaid && told.score < (model.guess?.doubtBelow ?? 0);
  const condition = { ...told, isDoubtful, cut, cuts };
  return { ...document, condition, lines: mayRescue(options) ? rescueLines(lines) : lines };
}

/** Returns only zeros when the model has no guess, because then its network decides, and for a text without lines. */
function guess(texts: readonly string[], model: TextModel): Float32Array {
  return model.guess === undefined || texts.length === 0
    ? saidShares("auto")
    : guessShares(texts, model.guess);
}

function labelLines(
  lines: readonly Line[],
  texts: readonly string[],
  by: { readonly probabilities: Float64Array; readonly indexes: Uint8Array; readonly cut: number },
): LabelledLine[] {
  const { probabilities, indexes, cut } = by;
  const caps = duplicateCaps(texts);
  let at = 0;
  return labelEach(lines, (line, ofAll) => {
    if (indexes[ofAll] === 1) return labelByRule(line, LETTER_INDEX_SCORE, cut, WHY_LETTER_INDEX);
    const probability = probabilities[at] ?? 0;
    const cap = caps[at] ?? 1;
    at += 1;
    // Compare the score as written, so that a score equal to the cap is always the rule's (see `cut-again.ts`).
    if (cap > roundScore(probability)) return labelLine(line, probability, cut);
    return labelByRule(line, cap, cut, WHY_DUPLICATE);
  });
}

/** Mixes the cuts of the conditions by their shares, for texts whose condition is uncertain. */
function cutsOf(conditions: Float32Array, model: TextModel): Cuts {
  const mix = (focus: Focus): number =>
    roundScore(
      mixConditions(
        conditions,
        model.cuts.map((one) => one[focus]),
      ),
    );
  return { precision: mix("precision"), balanced: mix("balanced"), recall: mix("recall") };
}

function likeliest(conditions: Float32Array): Pick<ConditionVerdict, "name" | "score"> {
  let best = 0;
  for (let i = 1; i < conditions.length; i++) if ((conditions[i] ?? 0) > (conditions[best] ?? 0)) best = i;
  return { name: TEXT_CONDITIONS[best] ?? "raw", score: roundScore(conditions[best] ?? 0) };
}

/** The memory for scoring one document at a time; overlapping calls must not share it. */
interface Scratch {
  readonly workspace: Workspace;
  readonly pool: BagPool;
}

function createScratch(model: TextModel): Scratch {
  return { workspace: createWorkspace(), pool: createTextPool(model, model.pieces) };
}

interface TextLogits {
  /** One logit for each line. */
  readonly lines: Float32Array;
  /** What the model's correction adds to the log-odds of each line, if it has a correction. */
  readonly corrections?: Float32Array;
  /** The shares of the conditions that the text may be in, in the order of TEXT_CONDITIONS. */
  readonly conditions: Float32Array;
}

interface ScoreTools {
  readonly model: TextModel;
  readonly session: Session;
  readonly said: Float32Array;
  readonly limit?: TimeLimit;
}

/** Scores lines that are not blank. Splits long documents into windows with overlapping context to bound memory. */
async function scoreLogits(
  texts: readonly string[],
  { model, session, said, limit }: ScoreTools,
  { workspace, pool }: Scratch = createScratch(model),
): Promise<TextLogits> {
  // The network does not run on a text without lines.
  if (texts.length === 0) return { lines: new Float32Array(0), conditions: said };
  const windows = featureWindows(texts, workspace, pool, model.window);
  const condition = conditionInput(said, texts);
  const { correction } = model;
  const tools = { pool, session, lines: texts.length, condition, limit, correction };
  const scores = await scoreWindows(windows, tools);
  const { lines, whole: conditions, corrections } = scores;
  if (conditions?.length !== TEXT_CONDITIONS.length)
    throw new Error(`the model ${model.name} did not return the condition of the text`);
  return { lines, conditions, ...(corrections && { corrections }) };
}

/** Returns P(content) of each line, and the shares of the conditions. `texts`: lines that are not blank. */
export async function scoreText(
  texts: readonly string[],
  by: ScoreTools,
  scratch?: Scratch,
): Promise<{ readonly lines: Float64Array; readonly conditions: Float32Array }> {
  const logits = await scoreLogits(texts, by, scratch);
  return { lines: calibrateText(logits, by.model), conditions: logits.conditions };
}

/** Returns the slope and offset that turn the logits of a text into log-odds, mixed by the shares of its conditions. */
export function calibrationOf(conditions: Float32Array, { calibrations }: TextModel): Calibration {
  const mix = (of: keyof Calibration): number =>
    mixConditions(
      conditions,
      calibrations.map((one) => one[of]),
    );
  return { slope: mix("slope"), offset: mix("offset") };
}

/** Returns P(content) of each line. */
function calibrateText(logits: TextLogits, model: TextModel): Float64Array {
  const { slope, offset } = calibrationOf(logits.conditions, model);
  const { corrections } = logits;
  // A loop, because `Float64Array.from` uses an iterator, which costs 0.25 µs for each line.
  const lines = new Float64Array(logits.lines.length);
  for (let line = 0; line < lines.length; line++)
    lines[line] = sigmoid(slope * (logits.lines[line] ?? 0) + offset + (corrections?.[line] ?? 0));
  return lines;
}
