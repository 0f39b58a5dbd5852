/** Writes the README of a trained model: its base model, its gold, and its measured figures. */
import { tellCount } from "../count.js";
import type { Step } from "./fit/design.js";
import { showFigures } from "./show-figures.js";
import type { Trained } from "./train-model.js";

export interface GoldFile {
  readonly file: string;
  readonly sha256: string;
}

/** The folder of a model, and how the model was made. */
export interface Folder {
  readonly path: string;
  readonly name: string;
  /** The date of the training, as in "2026-11-23". */
  readonly date: string;
  readonly files: readonly GoldFile[];
  /** The options that were given, as they were typed. */
  readonly options: readonly string[];
  readonly version: string;
}

const STEPS: Readonly<Record<Step, string>> = {
  calibration:
    "The log-odds of each line are stretched and moved (logistic regression with a prior towards no change). No weight of the network was changed.",
  correction:
    "The log-odds of each line are stretched and moved, and a weighted sum of its standardised hand columns is added (logistic regression with a ridge, which cross-validation chose). No weight of the network was changed.",
  network:
    "All weights of the network and its table were trained further by PyTorch (`models/train/own/`), and the log-odds of each line are stretched and moved (logistic regression with a prior towards no change).",
};

const NETWORK_FOLDS =
  " Slope, offset and cuts were fitted with networks that had seen the document; these are at most four numbers.";

export function writeReadme(trained: Trained, folder: Folder): string {
  const { base, kind, step, change, data, comparison, tried, worse } = trained;
  const { cuts } = change;
  const steps = tried.map((one) => `${one.step} ${signed(one.comparison.difference.macroF1.value)}`);
  return `# ${folder.name}

A labeller of the kind \`${kind}\`, trained on ${folder.date} by \`thresher train\` (thresher ${folder.version}) on top of
${base.name} (digest ${base.digest}). Use it with \`--model\` and the path of this folder.
${worse === undefined ? "" : `\n**Written with --force, although it is not better than ${base.name}:** ${worse}\n`}
## What was changed

${STEPS[step]}

- Step: ${step} (macro F1 on held-out documents, against ${base.name}: ${steps.join(", ")})
- Slope ${change.slope}, offset ${change.offset}${change.correction === undefined ? "" : `, ridge ${trained.ridge}`}
- Cuts: ${cuts === undefined ? "for each page, from its scores" : `precision ${cuts.precision}, balanced ${cuts.balanced}, recall ${cuts.recall}`}
- Options: ${folder.options.length === 0 ? "none" : folder.options.join(" ")}

## Gold

${folder.files.map(({ file, sha256 }) => `- \`${file}\`, sha256 ${sha256}`).join("\n")}

${data.documents} documents of ${data.hosts === 0 ? "unknown hosts" : tellCount(data.hosts, "host")}, ${data.lines} labelled lines (${data.content} content), and
${data.unknown} lines without a label. Languages: ${Object.entries(data.languages)
    .map(([lang, count]) => `${lang} ${count}`)
    .join(", ")}.

## Figures

Each document was labelled by a model that was fitted without it, without the other documents of its host and without near
copies of it (${tellCount(data.folds, "fold")} of ${tellCount(data.groups, "group")}).${step === "network" ? NETWORK_FOLDS : ""} Brackets hold 95 % intervals over documents. Macro F1 is the mean of four: F1 of content and of
boilerplate, by line and by word; it chose the step, so its gain is slightly overestimated.

${showFigures(comparison)}`;
}

function signed(value: number): string {
  return `${value < 0 ? "-" : "+"}${Math.abs(value).toFixed(3)}`;
}
