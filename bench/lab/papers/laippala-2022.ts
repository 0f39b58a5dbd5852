/** Reports on Laippala et al. 2022 (Register Oscar): a pipeline over existing crawls. */
import { cite, code, commands, differences, section, table, tellMissing, printed } from "./parts.js";
import { LAIPPALA_2022, PAPERS } from "./published.js";
import {
  figureAt,
  keysAt,
  NOT_MEASURED,
  numberAt,
  show,
  showCount,
  showShare,
  type Sources,
} from "./sources.js";
import { formatPercent, NONE } from "../../report/format.js";

export function laippala2022(sources: Sources): string {
  return section(
    "Laippala et al. 2022: Register Oscar's pipeline",
    cite(PAPERS.laippala2022),
    `Here: ${code("thresher TEXTS --condition crawl --preset register-oscar --lang CODE…")}. Register labels and the classifier of machine-generated ` +
      "documents come from the model registers-2, whose README has all tables.",
    tellMissing(sources, "register-oscar", "registers", "text"),
    "The steps:",
    steps(sources),
    "How much of a corpus is kept (published: OSCAR, 14 languages, in millions; lines and words of the texts that were kept. Here: lines of all texts, words " +
      "of those kept):",
    corpora(sources),
    differences(sources, "register-oscar"),
    commands(sources, "register-oscar"),
  );
}

function steps(sources: Sources): string {
  const told = figureAt(sources, "text", "accuracy", "languages", "pooled", "told");
  const bag = figureAt(sources, "text", "sideBySide", "crawl", "bag of lines", "turku-tq dev accuracy");
  const rows = [
    [
      "documents: under 75 words, digits above .075, foreign letters above .02",
      "no figure",
      "the same limits",
    ],
    [
      "documents: machine-generated or translated",
      `F1 ${printed(LAIPPALA_2022.generated)}`,
      `AUC ${show(figureAt(sources, "registers", "machine", "auc"))}, ${showCount(numberAt(sources, "registers", "machine", "texts"))} such texts`,
    ],
    [
      "registers: micro F1 in languages of the training data",
      printed(LAIPPALA_2022.registers.inTraining),
      `${show(figureAt(sources, "registers", "folds", "all"))}, CORE family`,
    ],
    [
      "registers: micro F1, mean of languages left out",
      printed(LAIPPALA_2022.registers.zeroShot),
      `${show(figureAt(sources, "registers", "zeroShot", "mean"))}, CORE family`,
    ],
    [
      "the same by an encoder that is not shipped: in languages of the training data; left out",
      `${printed(LAIPPALA_2022.registers.inTraining)}; ${printed(LAIPPALA_2022.registers.zeroShot)}`,
      `${show(figureAt(sources, "registers", "encoder", "folds"))}; ${show(figureAt(sources, "registers", "encoder", "zeroShot"))}, CORE family`,
    ],
    ["lines, each by itself: accuracy", printed(LAIPPALA_2022.bag), `${show(bag)}, turku-tq dev`],
    [
      "lines in their order: accuracy",
      printed(LAIPPALA_2022.sequence),
      `${show(told)}, texts of turku-tq it was not trained on`,
    ],
  ];
  return table(["step", "published", "here (text)"], rows);
}

function corpora(sources: Sources): string {
  const { texts, kept, contentLines, boilerplateLines, words } = LAIPPALA_2022.oscar;
  const published = [
    "published: OSCAR (millions)",
    ...[texts, kept].map(showCount),
    formatPercent(kept / texts),
    ...[contentLines, boilerplateLines].map(showCount),
    formatPercent(boilerplateLines / (boilerplateLines + contentLines)),
    showCount(words),
  ];
  const rows = keysAt(sources, "register-oscar", "runs").flatMap((run) => [
    corpusRow(sources, `here: ${run}`, run, "corpus"),
    ...keysAt(sources, "register-oscar", "runs", run, "languages")
      .filter(
        (language) =>
          (numberAt(sources, "register-oscar", "runs", run, "languages", language, "keptTexts") ?? 0) > 0,
      )
      .map((language) => corpusRow(sources, `${run}: ${language}`, run, "languages", language)),
  ]);
  const heads = ["", "texts", "kept", "share", "content lines", "boilerplate lines", "share", "words"];
  return table(heads, [
    published,
    ...(rows.length === 0 ? [["here", NOT_MEASURED, ...Array<string>(6).fill(NONE)]] : rows),
  ]);
}

function corpusRow(sources: Sources, title: string, run: string, ...path: string[]): string[] {
  const at = (key: string) => numberAt(sources, "register-oscar", "runs", run, ...path, key);
  const [texts, kept, content, boilerplate] = [
    at("texts"),
    at("keptTexts"),
    at("contentLines"),
    at("boilerplateLines"),
  ];
  const lines = content === undefined || boilerplate === undefined ? undefined : content + boilerplate;
  return [
    title,
    showCount(texts),
    showCount(kept),
    showShare(kept, texts),
    showCount(content),
    showCount(boilerplate),
    showShare(boilerplate, lines),
    showCount(at("words")),
  ];
}
