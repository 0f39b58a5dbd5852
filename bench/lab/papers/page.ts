/** Writes all sections in order, below a table that compares each paper's figures with ours. */
import { context } from "./context.js";
import { costs } from "./costs.js";
import { agreementOf, justext } from "./justext.js";
import { findCrossed, laippala2020 } from "./laippala-2020.js";
import { laippala2022 } from "./laippala-2022.js";
import { languages } from "./languages.js";
import { join, printed, table } from "./parts.js";
import { JUSTEXT_AGREEMENT, LAIPPALA_2020, LAIPPALA_2022, SALMELA, SCHAEFER, WU } from "./published.js";
import { salmela } from "./salmela.js";
import { schaefer } from "./schaefer.js";
import {
  benchFigureAt,
  figureAt,
  numberAt,
  show,
  showShare,
  NOT_MEASURED,
  type Figure,
  type Sources,
} from "./sources.js";
import { wu } from "./wu.js";
import { formatPercent, NONE } from "../../report/format.js";

/** Returns the whole page as Markdown, with a newline at its end. */
export function writePage(sources: Sources): string {
  const writers = [context, languages, costs, salmela, schaefer, wu, laippala2020, laippala2022, justext];
  const sections = writers.map((write) => write(sources));
  return `${join(
    "# The papers' systems and ours",
    "Each paper's own system is built into Thresher. This page compares the figures that the papers print with what these systems " +
      "reach here, and with what our own labellers reach on the same data. The papers used data that we do not have, so each section lists what differs.",
    inShort(sources),
    "Brackets hold 95 % intervals over documents. A dash means that there is nothing to compare; “not measured” means that we have not measured it.",
    `Sections: ${sections.map(linkTo).join(", ")}.`,
    "`node dist/bench/lab/papers/papers.js > bench/papers.md` (after `npm run build`) writes this page from `bench/results/papers/` and from " +
      `${sources.bench === undefined ? "the benchmark's results, which do not exist yet" : `\`bench/results/${sources.bench.file}\``}; ` +
      "edit those instead of this page.",
    ...sections,
  )}\n`;
}

/** Links to the heading of a section, by the anchor that Markdown viewers generate. */
function linkTo(section: string): string {
  const title = /^## (.*)$/m.exec(section)?.[1] ?? "";
  const anchor = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
  return `[${title}](#${anchor})`;
}

/** Shows two figures of one kind in a table cell. */
function pair(...figures: readonly (Figure | undefined)[]): string {
  return figures.map(show).join("; ");
}

function inShort(sources: Sources): string {
  const rows = [
    ...salmelaRows(sources),
    ...schaeferRows(sources),
    ...wuRows(sources),
    ...laippala2020Rows(sources),
    ...laippala2022Rows(sources),
    ...justextRows(sources),
  ];
  return table(
    [
      "paper",
      "its system here",
      "measure",
      "published",
      "its system: result here",
      "ours: result here",
      "data here",
    ],
    rows,
  );
}

type Row = readonly string[];

/** Returns a measure of the labeller `page` in the benchmark. */
function pageAt(sources: Sources, corpus: string, measure: string): Figure | undefined {
  return benchFigureAt(sources, corpus, "page", measure);
}

function salmelaRows(sources: Sources): Row[] {
  return [
    [
      "Salmela 2022",
      "--labeller transformer",
      "accuracy of lines",
      printed(SALMELA.pooled.sequence),
      `${show(figureAt(sources, "text", "accuracy", "languages", "pooled", "transformer"))}, multilingual-e5-small`,
      `text: ${show(toldAccuracy(sources))}`,
      "turku-tq, six languages, texts that neither was trained on",
    ],
  ];
}

function toldAccuracy(sources: Sources): Figure | undefined {
  return figureAt(sources, "text", "accuracy", "languages", "pooled", "told");
}

function schaeferRows(sources: Sources): Row[] {
  const { en, sv } = SCHAEFER.at5;
  const folds = (set: string) =>
    figureAt(sources, "texrex", "measured", "cv", "results", set, "at.5", "correct");
  const lines = (corpus: string) => figureAt(sources, "texrex", "measured", "bench", corpus, "lineF1");
  return [
    [
      "Schäfer 2016",
      "--labeller texrex",
      "share of blocks labelled right",
      `${printed(en.correct)} en; ${printed(sv.correct)} sv`,
      pair(folds("canola"), folds("wcxb")),
      NONE,
      "canola; wcxb; both in folds by site",
    ],
    [
      "",
      "",
      "line F1 of the text",
      NONE,
      pair(lines("canola"), lines("wcxb-heldout")),
      `page: ${pair(pageAt(sources, "canola", "lineF1"), pageAt(sources, "wcxb-heldout", "lineF1"))}`,
      "canola; wcxb-heldout",
    ],
  ];
}

function wuRows(sources: Sources): Row[] {
  const macro = (set: string) => figureAt(sources, "boilernet", "systems", "multiboilernet", set, "macro");
  const shipped = (corpus: string, system: string) =>
    figureAt(sources, "boilernet", "shipped", "corpora", corpus, system, "lineF1");
  return [
    [
      "Wu & Chang 2022",
      "--labeller boilernet",
      "macro F1",
      `${printed(WU.english.multiboilernet.macro)} en; ${printed(WU.chinese.multiboilernet)} zh, zero-shot`,
      pair(macro("test"), macro("zh")),
      NONE,
      "CleanEval en; zh",
    ],
    [
      "",
      "",
      "line F1 of the text",
      NONE,
      pair(shipped("wcxb-heldout", "multiboilernet"), shipped("zh-handmade", "multiboilernet")),
      `page: ${pair(shipped("wcxb-heldout", "page"), shipped("zh-handmade", "page"))}`,
      "wcxb-heldout; zh-handmade, samples",
    ],
  ];
}

function laippala2020Rows(sources: Sources): Row[] {
  const crossed = (system: "fasttext" | "text") =>
    pair(findCrossed(sources, system, "fr", "fr"), findCrossed(sources, system, "sv", "sv"));
  return [
    [
      "Laippala et al. 2020",
      "--labeller fasttext",
      "accuracy of lines",
      `${printed(LAIPPALA_2020.fastText.fr)} fr; ${printed(LAIPPALA_2020.fastText.sv)} sv`,
      crossed("fasttext"),
      `text: ${crossed("text")}`,
      "turku-tq dev: fr; sv",
    ],
  ];
}

function laippala2022Rows(sources: Sources): Row[] {
  const run = (key: string) => numberAt(sources, "register-oscar", "runs", "turku-tq dev", "corpus", key);
  const { oscar, registers, sequence } = LAIPPALA_2022;
  return [
    [
      "Laippala et al. 2022",
      "--preset register-oscar",
      "share of texts kept",
      `${formatPercent(oscar.kept / oscar.texts)} of OSCAR`,
      showShare(run("keptTexts"), run("texts")),
      NONE,
      "turku-tq dev",
    ],
    [
      "",
      "--registers",
      "micro F1 of registers",
      `${printed(registers.inTraining)}; ${printed(registers.zeroShot)} zero-shot`,
      pair(
        figureAt(sources, "registers", "folds", "all"),
        figureAt(sources, "registers", "zeroShot", "mean"),
      ),
      NONE,
      "CORE family: folds; each language left out",
    ],
    [
      "",
      "--labeller text --condition crawl",
      "accuracy of lines",
      printed(sequence),
      NONE,
      `text: ${show(toldAccuracy(sources))}`,
      "turku-tq, six languages, texts it was not trained on",
    ],
  ];
}

function justextRows(sources: Sources): Row[] {
  const lines = (system: string) =>
    pair(
      ...["canola", "cleaneval"].map((corpus) =>
        figureAt(sources, "justext", "quality", corpus, "systems", system, "lineF1"),
      ),
    );
  const agreed = agreementOf(sources, "labeller");
  return [
    [
      "jusText",
      "--labeller justext",
      "agreement with the original",
      `at least ${formatPercent(JUSTEXT_AGREEMENT)} wanted`,
      agreed === undefined ? NOT_MEASURED : formatPercent(agreed),
      NONE,
      "200 pages of four corpora",
    ],
    [
      "",
      "",
      "line F1 of the text",
      `the original here: ${lines("justext")}`,
      lines("justext-ours"),
      `page: ${pair(pageAt(sources, "canola", "lineF1"), pageAt(sources, "cleaneval", "lineF1"))}`,
      "canola; cleaneval",
    ],
  ];
}
