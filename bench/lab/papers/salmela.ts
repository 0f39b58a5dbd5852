/** Reports on Salmela 2022: labelling the lines of extracted text, each alone and in their order. */
import { cite, code, commands, differences, section, table, tellMissing, printed, join } from "./parts.js";
import { LANGUAGES, PAPERS, SALMELA } from "./published.js";
import { figureAt, numberAt, show, showCount, textsAt, type Sources } from "./sources.js";

const DEV = "turku-tq dev";
/** Systems that were not trained on the measured texts. */
const UNSEEN = ["transformer", "told", "rules", "justext", "majority"];
const PROGRAM_SETS = ["turku-tq-dev", "canola-lines", "l3s-gn1-lines"];
/** `transformer` runs both stages of the thesis; the other two systems are ours. */
const PROGRAM_SYSTEMS = ["transformer", "text", "rules"];
const REGISTERS = ["NA", "IN", "OP", "HI", "IP", "ID"] as const;
const NAMES: Readonly<Record<string, string>> = {
  NA: "narrative",
  IN: "informative",
  OP: "opinion",
  HI: "how-to",
  IP: "informational persuasion",
  ID: "interactive discussion",
};

export function salmela(sources: Sources): string {
  return section(
    "Salmela 2022: a transformer and an LSTM over lines of text",
    cite(PAPERS.salmela),
    `Here: ${code("--labeller transformer --model DIR")}, with the folder that ${code("models/train/train_transformer.sh")} makes: both stages ` +
      `of the thesis, on multilingual-e5-small (a pre-trained encoder of a hundred languages, twelve layers of 384 units) instead of XLM-R. ` +
      `\`text\` is ours, with the option for crawled text (${code("--condition crawl")}). Our folds are 282 texts of turku-tq's training part; ` +
      "nothing measured on them was trained on them. `text` also learned from the same encoder, tuned on a GPU on all lines of a text together.",
    tellMissing(sources, "transformer", "text"),
    "Accuracy by line, trained on all languages:",
    byLanguage(sources),
    `Two annotators agree with each other on ${printed(SALMELA.agreement.fr)} (fr) and ` +
      `${printed(SALMELA.agreement.sv)} (sv) of the lines.`,
    "A language left out of training (ours: the network for crawled text, trained on the other five):",
    leftOut(sources),
    "By register (published: mean over the documents of fr and sv; here: accuracy by line on texts of our folds with one register label):",
    byRegister(sources),
    inTheProgram(sources),
    differences(sources, "transformer", [
      "`text`: turku-tq dev helped to fit its calibration and cut; its recipe was chosen on the folds.",
      "turku-tq dev is small, and some of its documents are all content or all boilerplate, so intervals are wide.",
    ]),
    commands(sources, "transformer"),
  );
}

/** Compares `transformer` as the program runs it (calibrated, int8 encoder) with our systems on the same documents. */
function inTheProgram(sources: Sources): string {
  const at = (system: string, ...path: string[]) =>
    figureAt(sources, "transformer", "inTheProgram", "systems", system, ...path);
  const rows = PROGRAM_SETS.map((set) => [
    `${set}, ${showCount(at("transformer", "sets", set, "documents")?.value)} documents`,
    ...PROGRAM_SYSTEMS.flatMap((system) =>
      ["accuracy", "f1"].map((measure) => show(at(system, "sets", set, "pooled", measure))),
    ),
  ]);
  const speed = PROGRAM_SYSTEMS.flatMap((system) => [
    showCount(at(system, "sets", "turku-tq-dev", "linesACpuSecond")?.value),
    "",
  ]);
  return join(
    "In the program (the encoder in int8, calibrated, one seed, each labeller at its own cut), on turku-tq dev and on raw pages " +
      "of sets that none of them was trained on:",
    table(
      ["", ...PROGRAM_SYSTEMS.flatMap((system) => [`${system}: accuracy`, "F1 of content"])],
      [...rows, ["lines a CPU second, turku-tq dev", ...speed]],
    ),
    textsAt(sources, "transformer", "inTheProgram", "notes").join(" "),
  );
}

function byLanguage(sources: Sources): string {
  const published = (language: (typeof LANGUAGES)[number] | "pooled", way: "bag" | "sequence") =>
    printed(language === "pooled" ? SALMELA.pooled[way] : SALMELA[way][language]);
  const rows = [...LANGUAGES, "pooled" as const].map((language) => [
    language,
    published(language, "bag"),
    published(language, "sequence"),
    show(figureAt(sources, "transformer", "sets", DEV, language, "bag", "accuracy")),
    show(figureAt(sources, "transformer", "sets", DEV, language, "sequence", "accuracy")),
    ...UNSEEN.map((system) => show(figureAt(sources, "text", "accuracy", "languages", language, system))),
    `${showCount(language === "pooled" ? SALMELA.allLines : SALMELA.lines[language])} / ` +
      showCount(numberAt(sources, "text", "accuracy", "languages", language, "lines")),
  ]);
  const heads = ["", "published: bag", "sequence", "e5-small on our dev: bag", "sequence"];
  const unseen = ["e5-small on our folds: sequence", "text", "rules", "justext", "majority"];
  return table([...heads, ...unseen, "lines: all of theirs / our folds"], rows);
}

function leftOut(sources: Sources): string {
  const rows = LANGUAGES.map((language) => [
    language,
    printed(SALMELA.sequence[language]),
    printed(SALMELA.zeroShot[language]),
    show(figureAt(sources, "text", "sideBySide", "leftOut", language, "with")),
    show(figureAt(sources, "text", "sideBySide", "leftOut", language, "without")),
  ]);
  return table(["", "published: trained with it", "without", "here: with it", "without"], rows);
}

function byRegister(sources: Sources): string {
  const rows = REGISTERS.map((register) => [
    NAMES[register] ?? register,
    printed(SALMELA.registers[register]),
    show(figureAt(sources, "text", "accuracy", "registers", register, "told")),
    showCount(numberAt(sources, "text", "accuracy", "registers", register, "documents")),
  ]);
  const unmeasured = [
    ["spoken", printed(SALMELA.registers.SP), "no such documents", "0"],
    ["lyrical", printed(SALMELA.registers.LY), "no such documents", "0"],
  ];
  return table(["register", "published: LSTM", "here: text", "documents"], [...rows, ...unmeasured]);
}
