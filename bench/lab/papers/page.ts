/** All sections in their order, below a table of the papers with one figure of each. */
import { context } from "./context.js";
import { costs } from "./costs.js";
import { justext } from "./justext.js";
import { laippala2020 } from "./laippala-2020.js";
import { laippala2022 } from "./laippala-2022.js";
import { languages } from "./languages.js";
import { join, table, printed } from "./parts.js";
import { JUSTEXT_AGREEMENT, LAIPPALA_2020, LAIPPALA_2022, SALMELA, SCHAEFER, WU } from "./published.js";
import { salmela } from "./salmela.js";
import { schaefer } from "./schaefer.js";
import { figureAt, lookUp, show, NOT_MEASURED, type Figure, type Sources } from "./sources.js";
import { wu } from "./wu.js";
import { findCrossed } from "./laippala-2020.js";
import { formatPercent } from "../../report/format.js";

/** The whole page as Markdown, with a line break at its end. */
export function writePage(sources: Sources): string {
  const sections = [context, languages, costs, salmela, schaefer, wu, laippala2020, laippala2022, justext];
  return `${join(
    "# The papers' systems beside ours",
    "Written by `node dist/bench/lab/papers/papers.js > bench/papers.md` (after `npm run build`) from `bench/results/papers/` and from " +
      `${sources.bench === undefined ? "the benchmark's results, which are not there" : `\`bench/results/${sources.bench.file}\``}; ` +
      "edit those, not this page. Published figures are those that the papers print; they are on other data than ours, and each section says in what they differ. " +
      "Brackets hold 95 % intervals over documents; “–” stands where there is nothing to measure, “not measured” where nobody did yet.",
    "## In short",
    inShort(sources),
    ...sections.map((write) => write(sources)),
  )}\n`;
}

function inShort(sources: Sources): string {
  const at = (...path: [Parameters<typeof figureAt>[1], ...string[]]): Figure | undefined =>
    figureAt(sources, ...path);
  const justextFigures = lookUp(sources, "justext", ["agreement", "figures"]);
  const used = Array.isArray(justextFigures)
    ? justextFigures.findIndex(
        (one: unknown) => typeof one === "object" && one !== null && "name" in one && one.name === "labeller",
      )
    : -1;
  const agreed = at("justext", "agreement", "figures", String(used), "agreement");
  const { en, sv } = SCHAEFER.at5;
  const kept = at("register-oscar", "runs", "turku-tq dev", "corpus", "keptTexts");
  const all = at("register-oscar", "runs", "turku-tq dev", "corpus", "texts");
  const rows = [
    [
      "Salmela 2022",
      "--labeller transformer",
      "accuracy of lines, six languages",
      printed(SALMELA.pooled.sequence),
      show(at("transformer", "sets", "turku-tq dev", "pooled", "sequence", "accuracy")),
      `text: ${show(at("text", "accuracy", "languages", "pooled", "told"))}`,
    ],
    [
      "Schäfer 2016",
      "--labeller texrex",
      "share of blocks right, folds",
      `${printed(en.correct)} en, ${printed(sv.correct)} sv`,
      `canola ${show(at("texrex", "measured", "cv", "results", "canola", "at.5", "correct"))}, wcxb ${show(at("texrex", "measured", "cv", "results", "wcxb", "at.5", "correct"))}`,
      "page: see its section",
    ],
    [
      "Wu & Chang 2022",
      "--labeller boilernet",
      "macro F1, CleanEval en; zero-shot zh",
      `${printed(WU.english.multiboilernet.macro)}; ${printed(WU.chinese.multiboilernet)}`,
      `${show(at("boilernet", "systems", "multiboilernet", "test", "macro"))}; ${show(at("boilernet", "systems", "multiboilernet", "zh", "macro"))}`,
      "page: see its section",
    ],
    [
      "Laippala et al. 2020",
      "--labeller fasttext",
      "accuracy of lines, fr; sv",
      `${printed(LAIPPALA_2020.fastText.fr)}; ${printed(LAIPPALA_2020.fastText.sv)}`,
      ["fr", "sv"].map((one) => show(findCrossed(sources, "fasttext", one, one))).join("; "),
      `text: ${["fr", "sv"].map((one) => show(findCrossed(sources, "text", one, one))).join("; ")}`,
    ],
    [
      "Laippala et al. 2022",
      "--preset register-oscar",
      "share of texts kept",
      formatPercent(LAIPPALA_2022.oscar.kept / LAIPPALA_2022.oscar.texts),
      kept === undefined || all === undefined ? NOT_MEASURED : formatPercent(kept.value / all.value),
      "the same",
    ],
    [
      "jusText",
      "--labeller justext",
      "agreement with the original",
      `wanted ${formatPercent(JUSTEXT_AGREEMENT)}`,
      agreed === undefined ? NOT_MEASURED : formatPercent(agreed.value),
      "",
    ],
  ];
  return table(["paper", "its system here", "measured", "published", "here", "ours"], rows);
}
