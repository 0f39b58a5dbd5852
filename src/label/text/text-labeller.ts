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

/** Labels by a model that is open. To close it is left to `close`. */
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
      // One document a run: what else is in a batch must not touch a score, not even in its last digit.
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

/** What the network says of a text, and which of its lines it was asked of. */
export interface ScoredText extends TextLogits {
  /** Of each line that is not blank: 1 where it is one of an index of letters. */
  readonly indexes: Uint8Array;
  /** Those with 0, which the network scored. */
  readonly texts: readonly string[];
  /** Whether the caller said in what condition the text is. */
  readonly isSaid: boolean;
  /** The shares of conditions that the network was given: those that were said, or guessed. */
  readonly given: Float32Array;
}

/** Before calibration. */
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

/** What `scoreDocument` says of a document, as labels: calibrated, cut, and by the rules for texts. */
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

/** Nothing where the network tells the condition, and of a text without lines. */
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
    // As written, so that who reads the score knows that it is the rule's.
    if (cap > roundScore(probability)) return labelLine(line, probability, cut);
    return labelByRule(line, cap, cut, WHY_DUPLICATE);
  });
}

/** The cut of a text whose condition is not sure lies between those of the conditions that it may be in. */
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

/** What one caller needs to score a document; not to be shared between overlapping calls. */
interface Scratch {
  readonly workspace: Workspace;
  readonly pool: BagPool;
}

function createScratch(model: TextModel): Scratch {
  return { workspace: createWorkspace(), pool: createTextPool(model, model.pieces) };
}

interface TextLogits {
  /** One a line. */
  readonly lines: Float32Array;
  /** What the model's correction adds to the log-odds of each, where it has one. */
  readonly corrections?: Float32Array;
  /** The shares of the conditions that the text may be in, or that the caller said, in the order of TEXT_CONDITIONS. */
  readonly conditions: Float32Array;
}

interface ScoreTools {
  readonly model: TextModel;
  readonly session: Session;
  readonly said: Float32Array;
  readonly limit?: TimeLimit;
}

/** Of lines that are not blank. Long documents go in windows whose context overlaps, so memory stays bounded. */
async function scoreLogits(
  texts: readonly string[],
  { model, session, said, limit }: ScoreTools,
  { workspace, pool }: Scratch = createScratch(model),
): Promise<TextLogits> {
  // No network is asked of a text without a line.
  if (texts.length === 0) return { lines: new Float32Array(0), conditions: said };
  const windows = featureWindows(texts, workspace, pool, model.window);
  const condition = conditionInput(said, texts);
  const { correction } = model;
  const tools = { pool, session, lines: texts.length, condition, limit, correction };
  const scores = await scoreWindows(windows, tools);
  const { lines, whole: conditions, corrections } = scores;
  if (conditions?.length !== TEXT_CONDITIONS.length)
    throw new Error(`the model ${model.name} did not say in what condition the text is`);
  return { lines, conditions, ...(corrections && { corrections }) };
}

/** P(content) of each line of a text, none of them blank, and the shares of the conditions. */
export async function scoreText(
  texts: readonly string[],
  by: ScoreTools,
  scratch?: Scratch,
): Promise<{ readonly lines: Float64Array; readonly conditions: Float32Array }> {
  const logits = await scoreLogits(texts, by, scratch);
  return { lines: calibrateText(logits, by.model), conditions: logits.conditions };
}

/** The slope and offset that turn the logits of a text into log-odds. */
export function calibrationOf(conditions: Float32Array, { calibrations }: TextModel): Calibration {
  const mix = (of: keyof Calibration): number =>
    mixConditions(
      conditions,
      calibrations.map((one) => one[of]),
    );
  return { slope: mix("slope"), offset: mix("offset") };
}

/** P(content) of each line. */
function calibrateText(logits: TextLogits, model: TextModel): Float64Array {
  const { slope, offset } = calibrationOf(logits.conditions, model);
  const { corrections } = logits;
  // A loop, because `Float64Array.from` goes through an iterator: a fourth of a microsecond a line.
  const lines = new Float64Array(logits.lines.length);
  for (let line = 0; line < lines.length; line++)
    lines[line] = sigmoid(slope * (logits.lines[line] ?? 0) + offset + (corrections?.[line] ?? 0));
  return lines;
}
