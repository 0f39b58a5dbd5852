/** Compares lines alone with lines in their order, for each encoder, to show how much the lines around a line help. */
import { join, section, table, tellMissing, printed } from "./parts.js";
import { LAIPPALA_2022, SALMELA } from "./published.js";
import { figureAt, gain, show, showPoints, type Figure, type SourceName, type Sources } from "./sources.js";

interface Pair {
  readonly encoder: string;
  readonly measured: string;
  readonly source: SourceName;
  readonly bag: readonly string[];
  readonly sequence: readonly string[];
}

const CRAWL = "turku-tq dev accuracy";
const textCrawl = (network: string): readonly string[] => ["sideBySide", "crawl", network, CRAWL];
const textPages = (network: string): readonly string[] => ["sideBySide", "pages", network, "wcxb dev F1"];
const stage = (set: string, way: string): readonly string[] => ["sets", set, "pooled", way, "accuracy"];
const leaf = (variant: string, set: string): readonly string[] => ["systems", variant, set, "macro"];

const PAIRS: readonly Pair[] = [
  ...["turku-tq dev", "canola", "l3s-gn1"].map((set): Pair => ({
    encoder: "transformer: multilingual-e5-small",
    measured: `${set}, accuracy`,
    source: "transformer",
    bag: stage(set, "bag"),
    sequence: stage(set, "sequence"),
  })),
  ...["LSTM", "convolutions"].map((network): Pair => ({
    encoder: `text: n-grams and columns, ${network}`,
    measured: "turku-tq dev, accuracy",
    source: "text",
    bag: textCrawl("bag of lines"),
    sequence: textCrawl(network),
  })),
  ...["LSTM", "convolutions"].map((network): Pair => ({
    encoder: `text: n-grams and columns, ${network}`,
    measured: "wcxb dev, raw pages, F1",
    source: "text",
    bag: textPages("bag of lines"),
    sequence: textPages(network),
  })),
  ...["boilernet", "multiboilernet"].flatMap((variant) =>
    [
      ["test", "CleanEval en, macro F1"],
      ["zh", "CleanEval zh, zero-shot, macro F1"],
    ].map(([set = "", measured = ""]): Pair => ({
      encoder: variant === "boilernet" ? "BoilerNet: tags and words" : "MultiBoilerNet: tags and vectors",
      measured,
      source: "boilernet",
      bag: leaf(`${variant} bag`, set),
      sequence: leaf(variant, set),
    })),
  ),
];

interface Compared {
  readonly pair: Pair;
  readonly bag: Figure | undefined;
  readonly sequence: Figure | undefined;
  readonly difference: number | undefined;
}

function compare(sources: Sources): Compared[] {
  return PAIRS.map((pair) => {
    const bag = figureAt(sources, pair.source, ...pair.bag);
    const sequence = figureAt(sources, pair.source, ...pair.sequence);
    return { pair, bag, sequence, difference: gain(sequence?.value, bag?.value) };
  });
}

export function context(sources: Sources): string {
  const compared = compare(sources);
  const published = SALMELA.pooled.sequence - SALMELA.pooled.bag;
  const rows = [
    [
      "XLM-R (Salmela 2022)",
      "published, all languages, accuracy",
      SALMELA.pooled.bag,
      SALMELA.pooled.sequence,
    ] as const,
    [
      "XLM-R (Laippala et al. 2022)",
      "published, accuracy",
      LAIPPALA_2022.bag,
      LAIPPALA_2022.sequence,
    ] as const,
  ].map(([encoder, measured, bag, sequence]) => [
    encoder,
    measured,
    printed(bag),
    printed(sequence),
    showPoints(sequence - bag),
  ]);
  const ours = compared.map(({ pair, bag, sequence, difference }) => [
    pair.encoder,
    pair.measured,
    show(bag),
    show(sequence),
    showPoints(difference),
  ]);
  return section(
    "Is context worth it? Bag of lines against sequence",
    tellMissing(sources, "transformer", "text", "boilernet"),
    table(["encoder", "measured on", "bag of lines", "sequence", "points"], [...rows, ...ours]),
    verdict(compared, published),
  );
}

function verdict(compared: readonly Compared[], published: number): string {
  const differences = compared.flatMap(({ difference }) => (difference === undefined ? [] : [difference]));
  const more = differences.filter((difference) => difference >= published).length;
  const some = differences.filter((difference) => difference > 0).length;
  const trained = compared.filter(
    ({ pair }) => pair.measured.startsWith("turku-tq") && pair.source === "text",
  );
  const same = trained.map(({ difference }) => showPoints(difference)).join(" and ");
  return join(
    `Published: ${showPoints(published)} points. Here: context helps in ${some} of the ${differences.length} comparisons that were ` +
      `measured, and by as much as published in ${more}. On the papers' task, with the encoder that \`text\` has: ${same}.`,
    "The first two systems are pre-trained on other text and see far more lines. BoilerNet's bag sees the tags around a line, which are also a kind of context.",
  );
}
