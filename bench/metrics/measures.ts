/**
 * Lists the measures of a report, in order, with their titles, explanations and sources. Their names are the keys of
 * every `ScoreTable`.
 */

export interface Measure {
  readonly name: string;
  /** The column heading. */
  readonly title: string;
  /** One sentence, with the source of the measure. */
  readonly explanation: string;
  readonly better: "higher" | "lower";
  /** Whether the short tables show it; the long tables show all measures. */
  readonly isDefault: boolean;
  /** The kind of gold that the measure needs. */
  readonly needs: "lines" | "text" | "segments" | "types";
}

const LAIPPALA = "Laippala et al. 2020";

export const MEASURES = [
  {
    name: "wordCleanliness",
    title: "clean words",
    explanation: `Share of the returned words that are main content of the page (${LAIPPALA}; word precision).`,
    better: "higher",
    isDefault: true,
    needs: "lines",
  },
  {
    name: "wordLoss",
    title: "lost words",
    explanation: `Share of the page's main-content words that is not returned (${LAIPPALA}; 1 − word recall).`,
    better: "lower",
    isDefault: true,
    needs: "lines",
  },
  {
    name: "lineCleanliness",
    title: "clean lines",
    explanation: `Share of the returned lines that are main content (${LAIPPALA}; line precision).`,
    better: "higher",
    isDefault: true,
    needs: "lines",
  },
  {
    name: "lineLoss",
    title: "lost lines",
    explanation: `Share of the main-content lines that is not returned (${LAIPPALA}; 1 − line recall).`,
    better: "lower",
    isDefault: true,
    needs: "lines",
  },
  {
    name: "lineF1",
    title: "line F1",
    explanation:
      "Harmonic mean of line precision and recall of main content; a line is returned if half of its words are in place.",
    better: "higher",
    isDefault: true,
    needs: "lines",
  },
  {
    name: "lineF1WithFailures",
    title: "line F1, failures lost",
    explanation: "Line F1, with a page that the system failed on counted as nothing returned.",
    better: "higher",
    isDefault: false,
    needs: "lines",
  },
  {
    name: "wordLossWithFailures",
    title: "lost words, failures lost",
    explanation: "Lost words, with a page that the system failed on counted as nothing returned.",
    better: "lower",
    isDefault: false,
    needs: "lines",
  },
  {
    name: "lineAccuracy",
    title: "accuracy",
    explanation: "Share of lines with the right label.",
    better: "higher",
    isDefault: true,
    needs: "lines",
  },
  {
    name: "errorReduction",
    title: "error reduction",
    explanation:
      "Share of the errors of always choosing the more frequent label that the system avoids; negative if it makes more (Schäfer 2016).",
    better: "higher",
    isDefault: false,
    needs: "lines",
  },
  {
    name: "linePrecision",
    title: "line precision",
    explanation: "Share of the returned lines that are main content.",
    better: "higher",
    isDefault: false,
    needs: "lines",
  },
  {
    name: "lineRecall",
    title: "line recall",
    explanation: "Share of the main-content lines that is returned.",
    better: "higher",
    isDefault: false,
    needs: "lines",
  },
  {
    name: "boilerplatePrecision",
    title: "boilerplate precision",
    explanation: "Share of the lines left out that are boilerplate.",
    better: "higher",
    isDefault: false,
    needs: "lines",
  },
  {
    name: "boilerplateRecall",
    title: "boilerplate recall",
    explanation: "Share of the boilerplate lines that is left out.",
    better: "higher",
    isDefault: false,
    needs: "lines",
  },
  {
    name: "boilerplateF1",
    title: "boilerplate F1",
    explanation: "Harmonic mean of boilerplate precision and recall.",
    better: "higher",
    isDefault: false,
    needs: "lines",
  },
  {
    name: "macroF1",
    title: "macro F1",
    explanation: "Mean of line F1 and boilerplate F1 (as Wu & Chang 2022 report it).",
    better: "higher",
    isDefault: false,
    needs: "lines",
  },
  {
    name: "moved",
    title: "moved words",
    explanation: "Share of the returned words that are in a different order than on the page.",
    better: "lower",
    isDefault: false,
    needs: "lines",
  },
  {
    name: "wordPrecision",
    title: "word precision in place",
    explanation: "Share of the returned words that are in the gold text, each counted once and in its place.",
    better: "higher",
    isDefault: false,
    needs: "text",
  },
  {
    name: "wordRecall",
    title: "word recall in place",
    explanation: "Share of the gold text's words that is returned.",
    better: "higher",
    isDefault: false,
    needs: "text",
  },
  {
    name: "wordF1",
    title: "word F1 in place",
    explanation:
      "Harmonic mean of word precision and word recall in place, over all words of the corpus (not WCXB's: that is a mean of pages).",
    better: "higher",
    isDefault: true,
    needs: "text",
  },
  {
    name: "wordF1WithFailures",
    title: "word F1, failures lost",
    explanation: "Word F1 in place, with a page that the system failed on counted as nothing returned.",
    better: "higher",
    isDefault: false,
    needs: "text",
  },
  {
    name: "characterPrecision",
    title: "character precision",
    explanation: "Like word precision, but counted in characters of words.",
    better: "higher",
    isDefault: false,
    needs: "text",
  },
  {
    name: "characterRecall",
    title: "character recall",
    explanation: "Like word recall, but counted in characters of words.",
    better: "higher",
    isDefault: false,
    needs: "text",
  },
  {
    name: "characterF1",
    title: "character F1",
    explanation: "Like word F1, but counted in characters of words.",
    better: "higher",
    isDefault: false,
    needs: "text",
  },
  {
    name: "rougePrecision",
    title: "ROUGE-LSum P",
    explanation: "Mean ROUGE-LSum precision of a page (Lin 2004), on words of any script.",
    better: "higher",
    isDefault: false,
    needs: "text",
  },
  {
    name: "rougeRecall",
    title: "ROUGE-LSum R",
    explanation: "Mean ROUGE-LSum recall of a page (Lin 2004), on words of any script.",
    better: "higher",
    isDefault: false,
    needs: "text",
  },
  {
    name: "rougeF1",
    title: "ROUGE-LSum",
    explanation: "Mean ROUGE-LSum F1 of a page (Lin 2004), on words of any script.",
    better: "higher",
    isDefault: true,
    needs: "text",
  },
  {
    name: "rougeBevendorff",
    title: "ROUGE-LSum (2023)",
    explanation:
      "Mean ROUGE-LSum F1 with the tokens and sentences of Bevendorff et al. 2023, comparable with the published figures.",
    better: "higher",
    isDefault: false,
    needs: "text",
  },
  {
    name: "shinglePrecision",
    title: "4-gram P",
    explanation: "Mean 4-gram precision of a page (scrapinghub's article-extraction-benchmark).",
    better: "higher",
    isDefault: false,
    needs: "text",
  },
  {
    name: "shingleRecall",
    title: "4-gram R",
    explanation: "Mean 4-gram recall of a page (scrapinghub's article-extraction-benchmark).",
    better: "higher",
    isDefault: false,
    needs: "text",
  },
  {
    name: "shingleF1",
    title: "4-gram F1",
    explanation:
      "Harmonic mean of mean 4-gram precision and recall (scrapinghub's article-extraction-benchmark).",
    better: "higher",
    isDefault: false,
    needs: "text",
  },
  {
    name: "wcxbPrecision",
    title: "WCXB word P",
    explanation:
      "Mean bag-of-words precision of a page, as WCXB's own evaluation counts; a page that the system failed on counts 0.",
    better: "higher",
    isDefault: false,
    needs: "text",
  },
  {
    name: "wcxbRecall",
    title: "WCXB word R",
    explanation:
      "Mean bag-of-words recall of a page, as WCXB's own evaluation counts; a page that the system failed on counts 0.",
    better: "higher",
    isDefault: false,
    needs: "text",
  },
  {
    name: "wcxbF1",
    title: "WCXB word F1",
    explanation:
      "Mean bag-of-words F1 of a page, as WCXB's own evaluation counts; a page that the system failed on counts 0.",
    better: "higher",
    isDefault: false,
    needs: "text",
  },
  {
    name: "segmentPrecision",
    title: "segment P",
    explanation:
      "Of the snippets found in the output, the share that must appear (Trafilatura's evaluation; failed pages count as empty there).",
    better: "higher",
    isDefault: false,
    needs: "segments",
  },
  {
    name: "segmentRecall",
    title: "segment R",
    explanation:
      "Of the snippets that must appear, the share that does (Trafilatura's evaluation; failed pages count as empty there).",
    better: "higher",
    isDefault: false,
    needs: "segments",
  },
  {
    name: "segmentAccuracy",
    title: "segment accuracy",
    explanation: "Share of snippets on the right side (Trafilatura's evaluation).",
    better: "higher",
    isDefault: false,
    needs: "segments",
  },
  {
    name: "segmentF1",
    title: "segment F1",
    explanation:
      "Harmonic mean of segment precision and recall (Trafilatura's evaluation; failed pages count as empty there).",
    better: "higher",
    isDefault: true,
    needs: "segments",
  },
  {
    name: "nothingHere",
    title: "nothing here",
    explanation:
      "Share of the pages without main content for which the system gives no text; a failure is not an answer.",
    better: "higher",
    isDefault: false,
    needs: "text",
  },
  {
    name: "falseAlarms",
    title: "false alarms",
    explanation: "Share of the pages with main content for which the system gives no text.",
    better: "lower",
    isDefault: false,
    needs: "text",
  },
  {
    name: "pageType",
    title: "page type",
    explanation: "Share of the pages whose type the system names as the corpus does.",
    better: "higher",
    isDefault: false,
    needs: "types",
  },
] as const satisfies readonly Measure[];

export type MeasureName = (typeof MEASURES)[number]["name"];

/** The measures that can represent a corpus where only one fits: the first of these that has a value. */
export const HEADLINES = ["lineF1", "wordF1", "segmentF1"] as const satisfies readonly MeasureName[];
