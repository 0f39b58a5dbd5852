/** Reports on Wu & Chang 2022 (MultiBoilerNet) and on BoilerNet: lines of a page in order, by their tags and text. */
import { cite, code, commands, differences, join, section, table, tellMissing, printed } from "./parts.js";
import { PAPERS, WU } from "./published.js";
import {
  benchFigureAt,
  figureAt,
  gain,
  numberAt,
  show,
  showPoints,
  NOT_MEASURED,
  type Sources,
} from "./sources.js";
import { formatScore, NONE } from "../../report/format.js";

const ENGLISH = "test";
const CHINESE = "zh";

export function wu(sources: Sources): string {
  return section(
    "Wu & Chang 2022: MultiBoilerNet, and BoilerNet",
    cite(PAPERS.wu),
    `Here: ${code("--labeller boilernet")} with \`--model models/boilernet-1\` or \`models/multiboilernet-1\` for use, which were trained on more ` +
      "pages; the tables show networks trained on CleanEval's English development pages alone, as in the paper.",
    tellMissing(sources, "boilernet"),
    "F1 as the mean of both labels, over all lines (micro) and as a mean over pages (macro); Chinese without any Chinese in training:",
    figures(sources),
    auxiliary(sources),
    "We do not have the paper's Japanese and Thai pages, so nothing was measured on them " +
      `(published, macro F1: ${printed(WU.japanese.multiboilernet)} and ${printed(WU.thai.multiboilernet)}; ` +
      `BoilerNet ${printed(WU.japanese.boilernet)} and ${printed(WU.thai.boilernet)}).`,
    "The networks for use, in the benchmark (line F1, fixed samples of pages, beside `page` on the same pages):",
    shipped(sources),
    differences(sources, "boilernet"),
    commands(sources, "boilernet"),
  );
}

interface Row {
  readonly title: string;
  readonly variant?: string;
  readonly micro?: number;
  readonly macro?: number;
  readonly chinese?: number;
}

const ROWS: readonly Row[] = [
  { title: "BoilerNet", variant: "boilernet", ...WU.english.boilernet, chinese: WU.chinese.boilernet },
  {
    title: "MultiBoilerNet",
    variant: "multiboilernet",
    ...WU.english.multiboilernet,
    chinese: WU.chinese.multiboilernet,
  },
  { title: "MultiBoilerNet without the auxiliary task", variant: "multiboilernet no-aux" },
  { title: "MultiBoilerNet with page-1's table", variant: "multiboilernet page-1" },
  { title: "Web2Text", ...WU.english.web2text },
  { title: "Boilerpipe", ...WU.english.boilerpipe },
  { title: "MultiBoilerNet, trained on Chinese (5 folds)", chinese: WU.chinese.trainedOnIt },
];

function figures(sources: Sources): string {
  const ours = (variant: string | undefined, set: string, kind: string): string =>
    variant === undefined ? NONE : show(figureAt(sources, "boilernet", "systems", variant, set, kind));
  const rows = ROWS.map(({ title, variant, micro, macro, chinese }) => [
    title,
    printed(micro),
    ours(variant, ENGLISH, "micro"),
    printed(macro),
    ours(variant, ENGLISH, "macro"),
    printed(chinese),
    ours(variant, CHINESE, "macro"),
  ]);
  const constant = (set: string, kind: string) =>
    formatScore(numberAt(sources, "boilernet", "allContent", set, kind));
  rows.push([
    "everything is content",
    ...[NONE, constant(ENGLISH, "micro"), NONE, constant(ENGLISH, "macro"), NONE, constant(CHINESE, "macro")],
  ]);
  const heads = [
    "",
    "CleanEval en, micro: published",
    "here",
    "macro: published",
    "here",
    "zero-shot zh, macro: published",
    "here",
  ];
  return table(heads, rows);
}

function auxiliary(sources: Sources): string {
  const of = (variant: string, set: string) =>
    numberAt(sources, "boilernet", "systems", variant, set, "macro", "mean");
  const brought = (set: string) => gain(of("multiboilernet", set), of("multiboilernet no-aux", set));
  const [english, chinese] = [brought(ENGLISH), brought(CHINESE)];
  const { least, most } = WU.auxiliary;
  const verdict =
    english === undefined || chinese === undefined
      ? NOT_MEASURED
      : english > 0 && chinese > 0
        ? "it helps on both"
        : english <= 0 && chinese <= 0
          ? "it helps on neither"
          : "it helps on one of them";
  return (
    `**Is the auxiliary task (depth of the line) worth it?** Published: ${showPoints(least)} to ${showPoints(most)} points of macro F1. Here: ` +
    `${showPoints(english)} on English and ${showPoints(chinese)} on Chinese (${verdict}), seeds: ` +
    `${showSeeds(sources, "multiboilernet")} with it and ${showSeeds(sources, "multiboilernet no-aux")} without, on Chinese.`
  );
}

function showSeeds(sources: Sources, variant: string): string {
  const seeds = [0, 1, 2].map((seed) =>
    numberAt(sources, "boilernet", "systems", variant, CHINESE, "macro", "eachSeed", String(seed)),
  );
  return seeds.some((seed) => seed === undefined) ? NOT_MEASURED : seeds.map(formatScore).join(", ");
}

function shipped(sources: Sources): string {
  const corpora = ["wcxb-heldout", "cleaneval", "canola", "zh-handmade"];
  const systems = ["boilernet", "multiboilernet", "page"];
  const rows = corpora.map((corpus) => [
    corpus,
    ...systems.map((system) =>
      show(figureAt(sources, "boilernet", "shipped", "corpora", corpus, system, "lineF1")),
    ),
  ]);
  const page = benchFigureAt(sources, "zh-handmade", "page", "macroF1");
  return join(
    table(["corpus", ...systems], rows),
    `\`page\`, which had three Chinese pages in its training data, has macro F1 ${show(page)} on all lines of zh-handmade.`,
  );
}
