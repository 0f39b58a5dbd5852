/** Reports on Laippala et al. 2020: how clean texts are after each step, what is lost, and how lines are classified. */
import { cite, code, commands, differences, section, table, tellMissing, printed } from "./parts.js";
import { LAIPPALA_2020, PAPERS, type Accepted } from "./published.js";
import {
  benchFigureAt,
  entryWith,
  figureAt,
  NOT_MEASURED,
  numberAt,
  show,
  showCount,
  type Figure,
  type Sources,
} from "./sources.js";
import { formatInterval, formatPercent, formatScore, NONE } from "../../report/format.js";

const LANGUAGES = ["fr", "sv"] as const;
const CROSSED = [
  ["fr", "sv"],
  ["sv", "fr"],
] as const;

export function laippala2020(sources: Sources): string {
  return section(
    "Laippala et al. 2020: cleanliness and loss, and fastText on lines",
    cite(PAPERS.laippala2020),
    "### The two-sided table",
    "Clean is the share of the output that is main content. Lost is the share of the raw text's main content that is missing. Published, " +
      "for twenty French and twenty Swedish pages:",
    publishedSteps(),
    "Here, from the benchmark's own results: raw text of the page; an extractor (`trafilatura`, `readability`); an extractor and a classifier of " +
      "lines (`readability+text`, `page`). An extractor has already cleaned turku-tq, so nothing is left to extract.",
    measuredSteps(sources),
    "### The classifiers",
    `Here: ${code("--labeller fasttext")}, model \`fasttext-1\`; \`text\` is ours, trained on the same languages. Accuracy by line:`,
    tellMissing(sources, "fasttext"),
    classifiers(sources),
    differences(sources, "fasttext", [
      "Pages of the two-sided table: we have no French or Swedish pages with gold lines; the corpora are English, and one is Chinese.",
      "Counting: the paper's annotators labelled the text of each condition separately; here the output is placed on the gold lines of the raw page.",
      "Another HTML program made the paper's raw text, and we do not have its source crawl (CoNLL 2017).",
    ]),
    commands(sources, "fasttext"),
  );
}

const CONDITIONS = ["raw HTML text", "source crawl", "Trafilatura"] as const;

function publishedSteps(): string {
  const rows = Object.entries({ fr: LAIPPALA_2020.french, sv: LAIPPALA_2020.swedish }).flatMap(
    ([language, conditions]) => {
      const raw: Accepted = conditions["raw HTML text"];
      return CONDITIONS.map((condition) => {
        const { words, lines }: Accepted = conditions[condition];
        // The source crawl is another text of the page, not a part of the raw one, so it has no loss.
        const hasLoss = condition === "Trafilatura";
        return [
          `${language}: ${condition}`,
          formatPercent(words.accepted / (words.accepted + words.rejected)),
          hasLoss ? formatPercent(1 - words.accepted / raw.words.accepted) : NONE,
          "share" in lines
            ? `about ${Math.round(100 * lines.share)} %`
            : formatPercent(lines.accepted / (lines.accepted + lines.rejected)),
          hasLoss && "accepted" in lines && "accepted" in raw.lines
            ? formatPercent(1 - lines.accepted / raw.lines.accepted)
            : NONE,
        ];
      });
    },
  );
  return table(["published", "words: clean", "lost", "lines: clean", "lost"], rows);
}

const STEPS = {
  canola: ["raw", "trafilatura", "readability", "readability+text", "page"],
  "l3s-gn1": ["raw", "trafilatura", "readability", "readability+text", "page"],
  cleaneval: ["raw", "trafilatura", "readability", "readability+text", "page"],
  "wcxb-heldout": ["raw", "trafilatura", "readability", "readability+text", "page"],
  "zh-handmade": ["raw", "trafilatura", "readability", "readability+text", "page"],
  "turku-tq-dev": ["raw", "rules", "text", "text-crawl"],
} as const;

function measuredSteps(sources: Sources): string {
  const rows = Object.entries(STEPS).flatMap(([corpus, systems]) =>
    systems.map((system) => {
      const share = (measure: string): string => {
        const figure = benchFigureAt(sources, corpus, system, measure);
        return figure === undefined ? NOT_MEASURED : formatPercent(figure.value);
      };
      const interval = formatInterval(benchFigureAt(sources, corpus, system, "wordCleanliness") ?? {});
      return [
        `${corpus}: ${system}`,
        `${share("wordCleanliness")}${interval === "" ? "" : ` (${interval})`}`,
        share("wordLoss"),
        share("lineCleanliness"),
        share("lineLoss"),
      ];
    }),
  );
  return table(["here", "words: clean", "lost", "lines: clean", "lost"], rows);
}

/**
 * Returns the accuracy of a system trained on one language and tested on another, from the list that `cross_lingual.py`
 * writes; undefined when not measured.
 */
export function findCrossed(
  sources: Sources,
  system: "fasttext" | "text",
  trained: string,
  tested: string,
): Figure | undefined {
  const found = entryWith(sources, "fasttext", ["crossLingual"], { system, trained, tested });
  if (found === undefined) return undefined;
  const at = (...path: string[]) => numberAt(sources, "fasttext", "crossLingual", found, ...path);
  return withBounds(at("accuracy"), at("interval", "0"), at("interval", "1"));
}

function withBounds(
  value: number | undefined,
  low: number | undefined,
  high: number | undefined,
): Figure | undefined {
  if (value === undefined) return undefined;
  return low === undefined || high === undefined ? { value } : { value, low, high };
}

/** Returns the share of the label that most dev lines of the language have. */
export function majorityOf(sources: Sources, language: string): number | undefined {
  const content = numberAt(sources, "fasttext", "dev", language, "share");
  return content === undefined ? undefined : Math.max(content, 1 - content);
}

function classifiers(sources: Sources): string {
  const all = (language: string): string => {
    const at = (...path: string[]) => numberAt(sources, "fasttext", "dev", language, ...path);
    return show(
      withBounds(at("accuracy"), at("intervals", "accuracy", "0"), at("intervals", "accuracy", "1")),
    );
  };
  const crossed = (system: "fasttext" | "text", trained: string, tested: string): string =>
    show(findCrossed(sources, system, trained, tested));
  const rows = [
    [
      "majority",
      ...LANGUAGES.map((one) => printed(LAIPPALA_2020.majority[one])),
      ...LANGUAGES.map((one) => formatScore(majorityOf(sources, one))),
    ],
    [
      "fastText, the language alone",
      ...LANGUAGES.map((one) => printed(LAIPPALA_2020.fastText[one])),
      ...LANGUAGES.map((one) => crossed("fasttext", one, one)),
    ],
    ["fastText, six languages", NONE, NONE, ...LANGUAGES.map(all)],
    [
      "fastText itself (0.9.2), six languages",
      NONE,
      NONE,
      ...LANGUAGES.map((one) => show(figureAt(sources, "fasttext", "fastTextItself", "byLanguage", one))),
    ],
    ["mBERT, the language alone", ...LANGUAGES.map((one) => printed(LAIPPALA_2020.mBert[one])), NONE, NONE],
    ["text, the language alone", NONE, NONE, ...LANGUAGES.map((one) => crossed("text", one, one))],
    ...CROSSED.map(([trained, tested]) => crossedRow(sources, trained, tested)),
  ];
  const lines = LANGUAGES.map((one) => showCount(numberAt(sources, "fasttext", "dev", one, "lines")));
  return table(
    ["", "published: fr", "sv", `here: fr (${lines[0] ?? ""} lines)`, `sv (${lines[1] ?? ""} lines)`],
    rows,
  );
}

/** Puts the figure into the column of the language that it was measured on. */
function crossedRow(sources: Sources, trained: "fr" | "sv", tested: "fr" | "sv"): string[] {
  const crossed = (system: "fasttext" | "text"): string =>
    show(findCrossed(sources, system, trained, tested));
  const place = (cell: string): string[] => (tested === "fr" ? [cell, NONE] : [NONE, cell]);
  const published = LAIPPALA_2020.mBertCrossed[trained === "fr" ? "fr → sv" : "sv → fr"];
  const here = `fastText ${crossed("fasttext")}, text ${crossed("text")}`;
  return [
    `trained on ${trained}, used on ${tested}`,
    ...place(`mBERT ${printed(published)}`),
    ...place(here),
  ];
}
