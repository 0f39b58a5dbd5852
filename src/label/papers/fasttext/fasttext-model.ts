/** Reads and checks the folder of a fasttext model: one number for each word n-gram, the calibration and the cuts. */
import type { Focus } from "../../labeller.js";
import { readManifest } from "../../models/model-folder.js";
import { calibrationAt, checkKind, digestOf, cutsAt, type Calibration } from "../../models/model-card.js";

export interface FasttextModel {
  readonly name: string;
  readonly digest: string;
  /** The weights of n-grams in units of `scale`, indexed by their hashes; the number of rows is a power of two. */
  readonly weights: Int8Array;
  readonly scale: number;
  /** Words in the longest n-gram. */
  readonly ngrams: number;
  readonly calibration: Calibration;
  readonly cuts: Readonly<Record<Focus, number>>;
}

/** An upper limit: longer n-grams would only cost time. */
const MAX_NGRAMS = 8;

/** Loads a model. Throws UsageError when the folder holds another kind of model, or anything in it does not fit. */
export function loadFasttextModel(folder: string): FasttextModel {
  const about = readManifest(folder);
  checkKind(about, "fasttext");
  const rows = about.count("table.rows");
  if (!Number.isInteger(Math.log2(rows)))
    about.refuse(`its table has ${rows} rows, which is not a power of two`);
  const bytes = about.file("table");
  if (bytes.byteLength !== rows)
    about.refuse(`its table holds ${bytes.byteLength} values, not one for each of ${rows} rows`);
  const ngrams = about.count("settings.ngrams");
  if (ngrams > MAX_NGRAMS) about.refuse(`its n-grams have ${ngrams} words, more than ${MAX_NGRAMS}`);
  return {
    name: about.text("name"),
    digest: digestOf(about),
    weights: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    scale: about.number("table.scale"),
    ngrams,
    calibration: calibrationAt(about, "calibration"),
    cuts: cutsAt(about, "thresholds"),
  };
}
