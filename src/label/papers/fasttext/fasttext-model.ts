/** A fasttext folder into a checked model: one number for each n-gram of words, and what the logits mean. */
import { FOCUSES, type Focus } from "../../labeller.js";
import { Manifest } from "../../network/model-folder.js";
import { readModelCard, type Calibration } from "../../network/model.js";

export interface FasttextModel {
  readonly name: string;
  readonly digest: string;
  /** What an n-gram adds to the logit, times `scale`, in the row that its hash names; as many rows as a power of two. */
  readonly weights: Int8Array;
  readonly scale: number;
  /** Words in the longest n-gram. */
  readonly ngrams: number;
  readonly calibration: Calibration;
  readonly thresholds: Readonly<Record<Focus, number>>;
}

const KIND = "fasttext";
/** More words than that in an n-gram would be nothing but time. */
const MAX_NGRAMS = 8;

/** Throws UsageError when the folder holds another kind of model, or anything in it does not fit. */
export function loadFasttextModel(folder: string): FasttextModel {
  const about = new Manifest(folder);
  const kind = about.text("kind");
  if (kind !== KIND) about.refuse(`its kind is "${kind}", and the labeller "${KIND}" needs kind "${KIND}"`);
  const rows = about.count("table.rows");
  if (!Number.isInteger(Math.log2(rows)))
    about.refuse(`its table has ${rows} rows, which is no power of two`);
  const bytes = about.file("table");
  if (bytes.byteLength !== rows)
    about.refuse(`its table holds ${bytes.byteLength} values and not one for each of ${rows} rows`);
  const ngrams = about.count("settings.ngrams");
  if (ngrams > MAX_NGRAMS) about.refuse(`its n-grams have ${ngrams} words, more than ${MAX_NGRAMS}`);
  return {
    name: about.text("name"),
    digest: readModelCard(folder).digest,
    weights: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    scale: about.number("table.scale"),
    ngrams,
    calibration: { slope: about.number("calibration.slope"), offset: about.number("calibration.offset") },
    thresholds: readThresholds(about),
  };
}

function readThresholds(about: Manifest): Record<Focus, number> {
  const [precision, balanced, recall] = FOCUSES.map((focus) => {
    const value = about.number(`thresholds.${focus}`);
    return value > 0 && value < 1
      ? value
      : about.refuse(`"thresholds.${focus}" is ${value}, not between 0 and 1`);
  });
  // FOCUSES has exactly these three, in this order; each was checked.
  return { precision: precision ?? 0.5, balanced: balanced ?? 0.5, recall: recall ?? 0.5 };
}
