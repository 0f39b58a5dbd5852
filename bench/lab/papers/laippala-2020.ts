/** Reports on Laippala et al. 2020: how clean texts are after each step, what is lost, and how lines are classified. */
import { cite, code, commands, differences, section, table, tellMissing, printed } from "./parts.js";
import { LAIPPALA_2020, PAPERS, type Accepted } from "./published.js";
import { figureAt, findCorpus, findSystem, NOT_MEASURED, show, showCount, type Sources } from "./sources.js";
import { measuredOf } from "./from-bench.js";
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
  const rows = Object.entries(STEPS).flatMap(([name, systems]) => {
    const corpus = findCorpus(sources, name);
    return systems.map((system) => {
      const scores = findSystem(corpus, system);
      const share = (measure: string): string => {
        const figure = measuredOf(scores, measure);
        return figure === undefined ? NOT_MEASURED : formatPercent(figure.value);
      };
      const interval = formatInterval(measuredOf(scores, "wordCleanliness") ?? {});
      return [
        `${name}: ${system}`,
        `${share("wordCleanliness")}${interval === "" ? "" : ` (${interval})`}`,
        share("wordLoss"),
        share("lineCleanliness"),
        share("lineLoss"),
      ];
    });
  });
  return table(["here", "words: clean", "lost", "lines: clean", "lost"], rows);
}

/**
 * Shows the figure for training on one language and testing on another, from the list that `cross_lingual.py` writes.
 */
function crossedAt(sources: Sources, system: string, trained: string, tested: string): string {
  return show(findCrossed(sources, system, trained, tested));
}

/** Returns the accuracy of a system trained on one language and tested on another; undefined when not measured. */
export function findCrossed(sources: Sources, system: string, trained: string, tested: string) {
  const found = crossings(sources).findIndex(
    (row) => row["system"] === system && row["trained"] === trained && row["tested"] === tested,
  );
  if (found < 0) return undefined;
  const at = (...path: string[]) => figureAt(sources, "fasttext", "crossLingual", String(found), ...path);
  const [value, low, high] = [at("accuracy"), at("interval", "0"), at("interval", "1")];
  if (value === undefined || low === undefined || high === undefined) return value;
  return { value: value.value, low: low.value, high: high.value };
}

function crossings(sources: Sources): readonly Readonly<Record<string, unknown>>[] {
  const file = sources.files.fasttext;
  if (typeof file !== "object" || file === null || !("crossLingual" in file)) return [];
  // A list of plain objects, whose values are compared before they are used.
  return Array.isArray(file.crossLingual) ? (file.crossLingual as Readonly<Record<string, unknown>>[]) : [];
}

function classifiers(sources: Sources): string {
  const all = (language: string): string => {
    const at = (...path: string[]) => figureAt(sources, "fasttext", "dev", language, ...path)?.value;
    const [value, low, high] = [
      at("accuracy"),
      at("intervals", "accuracy", "0"),
      at("intervals", "accuracy", "1"),
    ];
    return show(
      value === undefined || low === undefined || high === undefined ? undefined : { value, low, high },
    );
  };
  const rows = [
    [
      "majority",
      ...LANGUAGES.map((one) => printed(LAIPPALA_2020.majority[one])),
      ...LANGUAGES.map((one) => majority(sources, one)),
    ],
    [
      "fastText, the language alone",
      ...LANGUAGES.map((one) => printed(LAIPPALA_2020.fastText[one])),
      ...LANGUAGES.map((one) => crossedAt(sources, "fasttext", one, one)),
    ],
    ["fastText, six languages", NONE, NONE, ...LANGUAGES.map(all)],
    [
      "fastText itself (0.9.2), six languages",
      NONE,
      NONE,
      ...LANGUAGES.map((one) => show(figureAt(sources, "fasttext", "fastTextItself", "byLanguage", one))),
    ],
    ["mBERT, the language alone", ...LANGUAGES.map((one) => printed(LAIPPALA_2020.mBert[one])), NONE, NONE],
    ["text, the language alone", NONE, NONE, ...LANGUAGES.map((one) => crossedAt(sources, "text", one, one))],
    ...CROSSED.map(([trained, tested]) => crossedRow(sources, trained, tested)),
  ];
  const lines = LANGUAGES.map((one) => showCount(figureAt(sources, "fasttext", "dev", one, "lines")?.value));
  return table(
    ["", "published: fr", "sv", `here: fr (${lines[0] ?? ""} lines)`, `sv (${lines[1] ?? ""} lines)`],
    rows,
  );
}

function majority(sources: Sources, language: string): string {
  const share = figureAt(sources, "fasttext", "dev", language, "share")?.value;
  return share === undefined ? NOT_MEASURED : formatScore(Math.max(share, 1 - share));
}

/** Puts the figure into the column of the language that it was measured on. */
function crossedRow(sources: Sources, trained: "fr" | "sv", tested: "fr" | "sv"): string[] {
  const place = (cell: string): string[] => (tested === "fr" ? [cell, NONE] : [NONE, cell]);
  const published = LAIPPALA_2020.mBertCrossed[trained === "fr" ? "fr → sv" : "sv → fr"];
  const here = `fastText ${crossedAt(sources, "fasttext", trained, tested)}, text ${crossedAt(sources, "text", trained, tested)}`;
  return [
    `trained on ${trained}, used on ${tested}`,
    ...place(`mBERT ${printed(published)}`),
    ...place(here),
  ];
}
