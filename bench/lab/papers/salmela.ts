/** Reports on Salmela 2022: labelling lines of extracted text, each by itself and in their order. */
import { cite, code, commands, differences, section, table, tellMissing, printed, join } from "./parts.js";
import { LANGUAGES, PAPERS, SALMELA } from "./published.js";
import { figureAt, show, showCount, type Sources } from "./sources.js";

const DEV = "turku-tq dev";
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
    `Here: ${code("--labeller transformer --model DIR")}, with folders made by ${code("models/train/papers/transformer/train_transformer.py")}; _tiny_ is ` +
      `its small encoder, trained from scratch without any pre-training, since XLM-R's weights and the hardware for them are the ` +
      `user's. \`text\` is ours, told that texts are of a crawl (${code("--condition crawl")}).`,
    tellMissing(sources, "transformer", "text"),
    "Accuracy by line, trained on all languages:",
    byLanguage(sources),
    `Two annotators agree with each other on ${printed(SALMELA.agreement.fr)} (fr) and ` +
      `${printed(SALMELA.agreement.sv)} (sv) of the lines.`,
    "A language that did not train (ours: the network for crawled text, trained on the other five):",
    leftOut(sources),
    "By register (published: mean over the documents of fr and sv; here: all languages with register labels, by line):",
    byRegister(sources),
    inTheProgram(sources),
    differences(sources, "transformer", [
      "`text`: turku-tq dev chose its seed, calibration and cuts, and nothing of the small transformer.",
      "turku-tq dev is small, and some of its documents are content or boilerplate as a whole; so intervals are wide.",
    ]),
    commands(sources, "transformer"),
  );
}

/** The shipped arithmetic, with calibration and the encoder in int8. */
function inTheProgram(sources: Sources): string {
  const rows = ["turku-tq", "canola", "l3s-gn1"].map((set) => [
    set,
    ...["bag", "sequence"].flatMap((way) => {
      const at = (key: string) =>
        figureAt(sources, "transformer", "inTheProgram", "ways", way, "sets", set, key);
      return [show(at("accuracy at .5")), show(at("f1 at .5"))];
    }),
  ]);
  return join(
    "_tiny_ in the program (int8, calibrated, one seed, cut at one half), on turku-tq dev and on sets of raw pages that never trained it:",
    table(["", "bag: accuracy", "F1 of content", "sequence: accuracy", "F1 of content"], rows),
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
    show(figureAt(sources, "text", "accuracy", "languages", language, "told")),
    show(figureAt(sources, "text", "accuracy", "languages", language, "majority")),
    `${showCount(language === "pooled" ? SALMELA.allLines : SALMELA.lines[language])} / ` +
      showCount(figureAt(sources, "text", "accuracy", "languages", language, "lines")?.value),
  ]);
  const heads = ["", "published: bag", "sequence", "here, tiny: bag", "sequence", "text", "majority"];
  return table([...heads, "lines: all of theirs / our dev"], rows);
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
    showCount(figureAt(sources, "text", "accuracy", "registers", register, "documents")?.value),
  ]);
  const unmeasured = [
    ["spoken", printed(SALMELA.registers.SP), "no such documents", "0"],
    ["lyrical", printed(SALMELA.registers.LY), "no such documents", "0"],
  ];
  return table(["register", "published: LSTM", "here: text", "documents"], [...rows, ...unmeasured]);
}
