/** A BoilerNet folder into a checked model: its tags, who makes vectors of its lines, its network and its cuts. */
import { STRIPE, TABLE_ROWS } from "../features/bags.js";
import { FOCUSES, type Focus } from "../labeller.js";
import { Manifest } from "../manifest.js";
import { readModelCard, type Calibration } from "../model.js";
import type { Table } from "../row-means.js";
import { bagNames, OWN_COLUMNS } from "./bags.js";

/** What makes the vector of a line: words that are counted, a table of n-grams, or a transformer's folder. */
export type EncoderPlan =
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "bags"; readonly table: Table; readonly bags: number };

export interface BoilernetModel {
  readonly name: string;
  readonly digest: string;
  /** Tag to its place among the counts; all others are counted after them. */
  readonly tags: ReadonlyMap<string, number>;
  readonly encoder: EncoderPlan;
  readonly network: Uint8Array;
  readonly window: { readonly lines: number; readonly context: number };
  readonly calibration: Calibration;
  readonly thresholds: Readonly<Record<Focus, number>>;
}

const KIND = "boilernet";

/** Throws UsageError when the folder holds another kind of model, or anything in it does not fit. */
export function loadBoilernetModel(folder: string): BoilernetModel {
  const about = new Manifest(folder);
  const kind = about.text("kind");
  if (kind !== KIND) about.refuse(`its kind is "${kind}", and the labeller "${KIND}" needs kind "${KIND}"`);
  const number = (path: string): number => about.number(path);
  return {
    name: about.text("name"),
    digest: readModelCard(folder).digest,
    tags: new Map(about.texts("settings.tags").map((tag, at) => [tag, at])),
    encoder: planEncoder(about),
    network: about.file("network"),
    window: { lines: about.count("window.lines"), context: about.count("window.context") },
    calibration: { slope: number("calibration.slope"), offset: number("calibration.offset") },
    thresholds: readThresholds(about),
  };
}

function planEncoder(about: Manifest): EncoderPlan {
  const kind = about.text("settings.encoder.kind");
  if (kind === "words") return { kind, words: about.texts("settings.encoder.words") };
  if (kind !== "bags")
    return about.refuse(`the vectors of its lines are made by "${kind}", which this version does not know`);
  about.sameList("settings.encoder.columns", OWN_COLUMNS);
  const bags = about.texts("settings.encoder.bags").length;
  about.sameList("settings.encoder.bags", bagNames(bags));
  const bytes = about.file("table");
  const width = about.count("table.width");
  if (width % STRIPE !== 0) about.refuse(`its table is ${width} wide, which is no multiple of ${STRIPE}`);
  if (about.number("table.rows") !== TABLE_ROWS || bytes.byteLength !== TABLE_ROWS * width)
    about.refuse(`its table does not hold ${TABLE_ROWS} × ${width} values`);
  const table = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { kind, bags, table: { table, width, scale: about.number("table.scale") } };
}

function readThresholds(about: Manifest): Readonly<Record<Focus, number>> {
  const [precision, balanced, recall] = FOCUSES.map((focus) => {
    const value = about.number(`thresholds.${focus}`);
    return value > 0 && value < 1
      ? value
      : about.refuse(`"thresholds.${focus}" is ${value}, not between 0 and 1`);
  });
  // FOCUSES has exactly these three, in this order; each is checked above.
  return { precision: precision ?? 0.5, balanced: balanced ?? 0.5, recall: recall ?? 0.5 };
}
