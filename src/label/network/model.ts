/** Turns a model folder into a checked model: every promise of `model.json` is compared with the code and the files. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PAGE_TYPES, TEXT_CONDITIONS, type PageType } from "../../document.js";
import { BAGS, STRIPE, TABLE_ROWS } from "../features/bags.js";
import { COLUMNS } from "../features/columns.js";
import { PAGE_BAGS } from "../features/page/path-bags.js";
import { PAGE_COLUMNS } from "../features/page/place-columns.js";
import { FOCUSES, type Focus } from "../labeller.js";
import type { ByCondition } from "../text/condition.js";
import { sigmoid } from "../verdict.js";
import { Manifest } from "./model-folder.js";

/** Where the shipped models lie: two folders up from here, in `src/` as in `dist/`. */
const MODELS = fileURLToPath(new URL("../../../models/", import.meta.url));
export const DEFAULT_TEXT_MODEL = join(MODELS, "text-5");
export const DEFAULT_PAGE_MODEL = join(MODELS, "page-4");
export const DEFAULT_TEXREX_MODEL = join(MODELS, "texrex-1");
export const DEFAULT_BOILERNET_MODEL = join(MODELS, "multiboilernet-1");
export const DEFAULT_FASTTEXT_MODEL = join(MODELS, "fasttext-1");

/** Far more than a calibration needs. */
const MOST_BENDS = 64;

/** What a model of each kind reads of a line. */
const INPUTS = {
  text: { columns: COLUMNS, bags: BAGS },
  page: { columns: PAGE_COLUMNS, bags: PAGE_BAGS },
} as const;

/** P(content) = 1 / (1 + exp(-(slope × logit + offset))). */
export interface Calibration {
  readonly slope: number;
  readonly offset: number;
}

/** Log-odds that are `by` steeper a logit from the logit `at` on. */
export interface Bend {
  readonly at: number;
  readonly by: number;
}

/** As above, and bent at some logits; see calibration.ts. */
export interface PageCalibration extends Calibration {
  readonly bends: readonly Bend[];
}

export interface LineModel {
  readonly name: string;
  /** Names all that shapes a label: both files, and what model.json says of scores and cuts. */
  readonly digest: string;
  readonly network: Uint8Array;
  /** TABLE_ROWS × width, times `scale`. */
  readonly table: Int8Array;
  readonly width: number;
  readonly scale: number;
  readonly window: { readonly lines: number; readonly context: number };
}

/** Its network also says in what condition a text is, and scores and cuts mean the same in each. */
export interface TextModel extends LineModel {
  readonly calibrations: ByCondition<Calibration>;
  readonly thresholds: ByCondition<Readonly<Record<Focus, number>>>;
}

/** A model that sees the whole page also judges the page. */
export interface PageModel extends LineModel {
  readonly calibration: PageCalibration;
  readonly types: readonly PageType[];
  readonly verdict: VerdictModel;
}

/**
 * P(main content) = 1 / (1 + exp(-(slope × logit + letters × log(1 + expected letters of content) + highest × the highest
 * logit of a line + offset))); below the threshold there is nothing on the page.
 */
export interface VerdictModel {
  readonly slope: number;
  readonly letters: number;
  readonly highest: number;
  readonly offset: number;
  readonly threshold: number;
}

export function loadTextModel(folder: string = DEFAULT_TEXT_MODEL): TextModel {
  const about = new Manifest(folder);
  const model = readModel(about, "text");
  about.sameList("conditions", TEXT_CONDITIONS);
  return {
    ...model,
    calibrations: TEXT_CONDITIONS.map((name) => calibrationAt(about, `calibrations.${name}`)),
    thresholds: TEXT_CONDITIONS.map((name) => thresholdsAt(about, `thresholds.${name}`)),
  };
}

export function loadPageModel(folder: string = DEFAULT_PAGE_MODEL): PageModel {
  const about = new Manifest(folder);
  const model = readModel(about, "page");
  about.sameList("types", PAGE_TYPES);
  const number = (name: string): number => about.number(`verdict.${name}`);
  const threshold = number("threshold");
  if (threshold < 0 || threshold >= 1)
    about.refuse(`its threshold for a page with nothing on it is ${threshold}, not from 0 to below 1`);
  const verdict = {
    slope: number("slope"),
    letters: number("letters"),
    highest: number("highest"),
    offset: number("offset"),
    threshold,
  };
  const calibration = { ...calibrationAt(about, "calibration"), bends: bendsAt(about, "calibration") };
  return { ...model, calibration, types: PAGE_TYPES, verdict };
}

/** Reads a folder with `model.json`, the network and the table. Throws UsageError when anything does not fit. */
function readModel(about: Manifest, wanted: keyof typeof INPUTS): LineModel {
  const kind = about.text("kind");
  if (kind !== wanted)
    about.refuse(`its kind is "${kind}", and the labeller "${wanted}" needs kind "${wanted}"`);
  about.sameList("columns", INPUTS[wanted].columns);
  about.sameList("bags", INPUTS[wanted].bags);
  if (about.number("table.rows") !== TABLE_ROWS)
    about.refuse(
      `its table has ${about.number("table.rows")} rows, and this version of thresher needs ${TABLE_ROWS}`,
    );
  const network = about.file("network");
  const table = about.file("table");
  const width = about.count("table.width");
  if (width % STRIPE !== 0) about.refuse(`its table is ${width} wide, which is no multiple of ${STRIPE}`);
  if (table.byteLength !== TABLE_ROWS * width)
    about.refuse(`its table does not hold ${TABLE_ROWS} × ${width} values`);
  return {
    name: about.text("name"),
    digest: digestOf(about),
    network,
    table: new Int8Array(table.buffer, table.byteOffset, table.byteLength),
    width,
    scale: about.number("table.scale"),
    window: { lines: about.count("window.lines"), context: about.count("window.context") },
  };
}

export function calibrationAt(about: Manifest, path: string): Calibration {
  return { slope: about.number(`${path}.slope`), offset: about.number(`${path}.offset`) };
}

/** None in models made before there were any. A line that turns down would put a likelier line behind another. */
function bendsAt(about: Manifest, path: string): Bend[] {
  const bends: Bend[] = [];
  let { slope } = calibrationAt(about, path);
  while (bends.length < MOST_BENDS && about.has(`${path}.bends.${bends.length}`)) {
    const bend = `${path}.bends.${bends.length}`;
    const [at, by] = [about.number(`${bend}.at`), about.number(`${bend}.by`)];
    slope += by;
    if (slope <= 0) about.refuse(`from "${bend}" on a higher logit is a lower probability`);
    bends.push({ at, by });
  }
  return bends;
}

export interface ModelCard {
  readonly name: string;
  /** The name of the labeller that can use it. */
  readonly kind: string;
  /** As in the loaded model. */
  readonly digest: string;
}

/** What a model says of itself; its weights are not read. Throws UsageError when it says nothing. */
export function readModelCard(folder: string): ModelCard {
  const about = new Manifest(folder);
  return { name: about.text("name"), kind: about.text("kind"), digest: digestOf(about) };
}

/** The same weights with another calibration give other text, so both count. Of every file that it names, and of its numbers. */
export function digestOf(about: Manifest): string {
  const files = about.parts().map((part) => about.text(`${part}.sha256`));
  const numbers = ["table.scale", "window", "calibration", "calibrations", "verdict", "thresholds"];
  // Whatever else a kind of model has that shapes its labels stands under one name.
  return about.digest(files, about.has("settings") ? [...numbers, "settings"] : numbers);
}

export function thresholdsAt(about: Manifest, path: string): Record<Focus, number> {
  const [precision, balanced, recall] = FOCUSES.map((focus) => {
    const value = about.number(`${path}.${focus}`);
    if (value <= 0 || value >= 1) about.refuse(`"${path}.${focus}" is ${value}, not between 0 and 1`);
    return value;
  });
  // FOCUSES has exactly these three, in this order; number() has checked each.
  return { precision: precision ?? 0.5, balanced: balanced ?? 0.5, recall: recall ?? 0.5 };
}

export interface ShippedModel {
  readonly name: string;
  readonly kind: string;
  /** Of the files that a labeller reads. */
  readonly bytes: number;
  readonly path: string;
}

/** The models that came with this version, by name. */
export function listModels(): ShippedModel[] {
  const folders = readdirSync(MODELS, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.flatMap(({ name }) => {
    const path = join(MODELS, name);
    if (!readdirSync(path).includes("model.json")) return [];
    const about = new Manifest(path);
    const files = ["model.json", ...about.parts().map((part) => about.text(`${part}.file`))];
    const bytes = files.reduce((sum, file) => sum + statSync(join(path, file)).size, 0);
    return [{ name: about.text("name"), kind: about.text("kind"), bytes, path }];
  });
}

/* MERGED src/label/network/model.ts: Logits into probabilities that mean what they say, along a line with bends. */

/**
 * A network trained towards .95 and .05 pushes what it is sure of together at the ends of its scale, so one slope for
 * all (Platt 1999) makes clear boilerplate likelier than it is and doubt less likely: from each bend on the slope changes.
 */
export function calibrate(logit: number, { slope, offset, bends }: PageCalibration): number {
  let odds = slope * logit + offset;
  for (const { at, by } of bends) if (logit > at) odds += by * (logit - at);
  return sigmoid(odds);
}
