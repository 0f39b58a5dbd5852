/** Reads a model of the labeller `text`, and checks every claim of its `model.json` against the code and the files. */
import { TEXT_CONDITIONS } from "../../document.js";
import { BAGS } from "../features/bags.js";
import { COLUMNS } from "../features/columns.js";
import type { Focus } from "../labeller.js";
import { readLineModel, type LineModel } from "../models/line-model.js";
import { calibrationAt, checkKind, cutsAt, type Calibration } from "../models/model-card.js";
import type { Manifest } from "../models/manifest.js";
import { openVocabulary } from "../models/model-pieces.js";
import { readPieceTable } from "../models/table.js";
import type { PieceTable } from "../network/pool.js";
import type { ByCondition, ConditionGuess } from "./condition.js";
import { CONDITION_SIGNS } from "./condition-signs.js";

/** A text model: its network also outputs the condition, and each condition has its own calibration and cuts. */
export interface TextModel extends LineModel {
  /** Absent in models without word pieces. */
  readonly pieces?: PieceTable;
  readonly calibrations: ByCondition<Calibration>;
  readonly cuts: ByCondition<Readonly<Record<Focus, number>>>;
  /** Absent in models whose network decides the condition. */
  readonly guess?: ConditionGuess;
}

/** Reads a model of the kind "text". Throws UsageError when anything does not fit. */
export function readTextModel(about: Manifest): TextModel {
  checkKind(about, "text");
  const model = readLineModel(about, { columns: COLUMNS, bags: BAGS });
  about.sameList("conditions", TEXT_CONDITIONS);
  return {
    ...model,
    ...(about.has("pieces") && { pieces: readPieces(about) }),
    ...(about.has("settings.guess") && { guess: readGuess(about) }),
    calibrations: TEXT_CONDITIONS.map((name) => calibrationAt(about, `calibrations.${name}`)),
    cuts: TEXT_CONDITIONS.map((name) => cutsAt(about, `thresholds.${name}`)),
  };
}

/** Reads the word pieces, with a row of values for each. */
function readPieces(about: Manifest): PieceTable {
  const vocabulary = openVocabulary(about);
  return { vocabulary, ...readPieceTable(about, vocabulary.size) };
}

function readGuess(about: Manifest): ConditionGuess {
  const at = "settings.guess";
  const signs = CONDITION_SIGNS.length;
  return {
    means: about.numbers(`${at}.means`, signs),
    deviations: about.numbers(`${at}.deviations`, signs),
    weights: TEXT_CONDITIONS.map((name) => about.numbers(`${at}.weights.${name}`, 2 * signs + 1)),
    doubtBelow: about.number(`${at}.doubtBelow`),
  };
}
