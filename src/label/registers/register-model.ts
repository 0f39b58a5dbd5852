/** Reads a register model, and checks every claim of its `model.json` against the code and the files. */
import { REGISTERS, SUBREGISTER_NAMES } from "../../document.js";
import { calibrationAt, checkKind, type Calibration } from "../models/model-card.js";
import type { Manifest } from "../models/manifest.js";
import { openVocabulary } from "../models/model-pieces.js";
import type { RegisterTable } from "./register-pool.js";
import { TEXT_COLUMNS } from "./scan-text.js";

/** The outputs of the network, in its order. */
const REGISTER_OUTPUTS = [...REGISTERS, ...SUBREGISTER_NAMES, "MT"] as const;

/** How the logit of one output becomes a probability, and the prior for texts that show too little. */
export interface OutputReading extends Calibration {
  /** The share of the labelled texts that have it. */
  readonly prior: number;
  /** The probability from which a text has it. */
  readonly cut: number;
}

export interface RegisterModel extends RegisterTable {
  readonly network: Uint8Array;
  /** One for each of REGISTER_OUTPUTS. */
  readonly outputs: readonly OutputReading[];
}

/** Reads a model of the kind "registers". Throws UsageError when it cannot be used. */
export function readRegisterModel(about: Manifest): RegisterModel {
  checkKind(about, "registers");
  about.sameList("columns", TEXT_COLUMNS);
  about.sameList("outputs", REGISTER_OUTPUTS);
  const outputs = REGISTER_OUTPUTS.map((name) => ({
    ...calibrationAt(about, `settings.calibrations.${name}`),
    prior: probabilityAt(about, `settings.priors.${name}`),
    cut: probabilityAt(about, `settings.cuts.${name}`),
  }));
  return {
    network: about.file("network"),
    ...readTable(about),
    outputs,
  };
}

function probabilityAt(about: Manifest, path: string): number {
  const value = about.number(path);
  return value > 0 && value < 1 ? value : about.refuse(`"${path}" is ${value}, not between 0 and 1`);
}

function readTable(about: Manifest): RegisterTable {
  const vocabulary = openVocabulary(about);
  const heads = about.count("settings.heads");
  const headWidth = about.count("settings.headWidth");
  const bytes = about.file("pieceTable");
  const width = heads * (headWidth + 1);
  if (about.count("pieceTable.width") !== width || bytes.byteLength !== vocabulary.size * width)
    about.refuse(`its table of pieces does not hold ${vocabulary.size} × ${width} values`);
  return {
    vocabulary,
    table: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    heads,
    headWidth,
    scale: about.number("pieceTable.scale"),
    weightScale: about.number("settings.weightScale"),
    pieceLanguages: readPieceLanguages(about, vocabulary.size),
  };
}

function readPieceLanguages(about: Manifest, pieces: number): Uint8Array {
  const bytes = about.file("pieceLanguages");
  return bytes.byteLength === pieces
    ? bytes
    : about.refuse(`its languages of pieces do not have one byte for each of ${pieces} pieces`);
}
