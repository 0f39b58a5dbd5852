/** Compares three ways to describe a line, each trained on one language and tested on the same lines of the others. */
import { join, section, table, tellMissing } from "./parts.js";
import { LANGUAGES, type Language } from "./published.js";
import { findCrossed, majorityOf } from "./laippala-2020.js";
import {
  crossingOf,
  figureAt,
  gain,
  meanOf,
  NOT_MEASURED,
  show,
  showPoints,
  type Figure,
  type Sources,
} from "./sources.js";
import { formatScore, NONE } from "../../report/format.js";

type Find = (sources: Sources, trained: Language, tested: Language) => Figure | undefined;

const SYSTEMS: readonly { readonly name: string; readonly find: Find }[] = [
  { name: "fasttext", find: (sources, trained, tested) => findCrossed(sources, "fasttext", trained, tested) },
  {
    name: "texrex, text and place only",
    find: (sources, trained, tested) =>
      figureAt(sources, "texrex", ...crossingOf("turku-tq, text and place only", trained, tested, "correct")),
  },
  { name: "text", find: (sources, trained, tested) => findCrossed(sources, "text", trained, tested) },
];

/** The languages in all three tables; no `text` model was trained on Finnish alone. */
const SHARED: readonly Language[] = ["de", "en", "es", "fr", "sv"];

export function languages(sources: Sources): string {
  const rows = SYSTEMS.flatMap(({ name, find }) =>
    LANGUAGES.filter((trained) => name !== "text" || SHARED.includes(trained)).map((trained) => [
      name,
      trained,
      ...LANGUAGES.map((tested) => show(find(sources, trained, tested))),
    ]),
  );
  const majority = [
    "majority label of the tested language",
    "",
    ...LANGUAGES.map((tested) => formatScore(majorityOf(sources, tested))),
  ];
  return section(
    "One language on another",
    tellMissing(sources, "fasttext", "texrex"),
    "Accuracy on turku-tq's dev lines, trained only on the training lines of one language, with nothing fitted on the tested language:",
    table(["system", "trained on", ...LANGUAGES], [...rows, majority]),
    `Trained on ${SHARED.join(", ")} (means over the cells; the majority is for the cells in another language):`,
    table(
      ["system", "at home", "in another language", "points", "majority"],
      SYSTEMS.map(({ name, find }) => means(sources, name, find)),
    ),
    join(
      "What differs between the three: `fasttext` and `text` are means of three seeds; `texrex` has only its features that need no markup. " +
        "All saw the same training split, `text` with the damage and disguises of its own recipe. Published figures of this kind are for mBERT and " +
        "XLM-R (see the sections of Laippala et al. 2020 and Salmela 2022), which are pre-trained on a hundred languages.",
    ),
    pages(sources),
  );
}

/**
 * Averages the accuracies. "At home" is the mean over the shared languages; "in another language" is the mean over all
 * other languages that each shared language was tested on.
 */
function means(sources: Sources, name: string, find: Find): string[] {
  const crossed = SHARED.flatMap((trained) =>
    LANGUAGES.filter((tested) => tested !== trained).map((tested) => [trained, tested] as const),
  );
  const home = meanOf(SHARED.map((one) => find(sources, one, one)?.value));
  const away = meanOf(crossed.map(([trained, tested]) => find(sources, trained, tested)?.value));
  const majority = meanOf(crossed.map(([, tested]) => majorityOf(sources, tested)));
  const text = (value: number | undefined): string =>
    value === undefined ? NOT_MEASURED : formatScore(value);
  return [name, text(home), text(away), showPoints(gain(away, home)), text(majority)];
}

const PAGES = ["wcxb", "waddle-en", "waddle-zh", "waddle-ru"] as const;
const TESTED = ["wcxb", "waddle-en", "waddle-zh", "waddle-ru", "canola", "l3s-gn1", "zh-handmade"] as const;

/** Compares pages by the F1 of content, because nearly every block of these pages is boilerplate. */
function pages(sources: Sources): string {
  const rows = PAGES.map((trained) => [
    trained,
    ...TESTED.map((tested) =>
      trained === tested && tested === "waddle-en"
        ? NONE
        : trained === tested
          ? show(figureAt(sources, "texrex", "measured", "cv", "results", tested, "at.5", "contentF1"))
          : show(figureAt(sources, "texrex", ...crossingOf("pages", trained, tested, "contentF1"))),
    ),
  ]);
  const chinese = figureAt(sources, "text", "sideBySide", "mbn-cleaneval-zh macro F1, no Chinese trained");
  return join(
    "texrex on pages, with markup: F1 of content at a threshold of one half (a set is tested on itself in folds by site; waddle-en has no folds):",
    table(["trained on", ...TESTED], rows),
    `Zero-shot to Chinese, on lines without markup: \`text\`, trained without any Chinese, has macro F1 ${show(chinese)} on mbn-cleaneval zh; ` +
      "MultiBoilerNet's figures are in its section.",
  );
}
