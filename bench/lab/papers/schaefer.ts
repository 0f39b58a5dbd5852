/** Reports on Schäfer 2016 (texrex): a perceptron over 37 features of a block. */
import { cite, code, commands, differences, section, table, tellMissing, printed } from "./parts.js";
import { PAPERS, SCHAEFER } from "./published.js";
import {
  crossingOf,
  figureAt,
  keysAt,
  meanOf,
  numberAt,
  show,
  showCount,
  NOT_MEASURED,
  type Sources,
} from "./sources.js";
import { benchTable } from "./from-bench.js";
import { formatScore } from "../../report/format.js";

const SETS = ["canola", "wcxb", "waddle-zh", "waddle-ru"] as const;
const POOLED = ["pooled, on wcxb", "pooled, on waddle-zh", "pooled, on waddle-ru"] as const;
const SCORES = ["precision", "recall", "f1", "correct", "baseline", "pre"] as const;
const RANKED = 12;

export function schaefer(sources: Sources): string {
  return section(
    "Schäfer 2016: texrex's perceptron over blocks of a page",
    cite(PAPERS.schaefer),
    `Here: ${code("--labeller texrex")}, model \`texrex-1\`.`,
    tellMissing(sources, "texrex"),
    "Cross-validation at a threshold of one half, of the label _boilerplate_; PRE is the share of the errors of “all is boilerplate” that the system avoids:",
    crossValidated(sources),
    "Where precision = recall:",
    balanced(sources),
    "Features: the area under the ROC curve with each as the only input, and the share of right blocks that is lost when its values are " +
      `permuted (mean of all sets). The paper calls these most useful: ${SCHAEFER.best.join(", ")}.`,
    ranking(sources),
    verdictOnRanking(sources),
    crossing(sources),
    speed(sources),
    "Line F1 and word F1 of the returned text by `thresher bench`, compared with the labeller `page`:",
    benchTable(sources, "texrex", ["measured", "bench"], ["canola", "wcxb-heldout", "l3s-gn1", "cleaneval"]),
    differences(sources, "texrex"),
    commands(sources, "texrex"),
  );
}

function crossValidated(sources: Sources): string {
  const published = Object.entries(SCHAEFER.at5).map(([language, { blocks, ...scores }]) => [
    `published, ${language}`,
    showCount(blocks),
    ...SCORES.map((score) => printed(scores[score])),
  ]);
  const ours = [...SETS, ...POOLED].map((set) => [
    `here, ${set}`,
    showCount(numberAt(sources, "texrex", "measured", "cv", "results", set, "blocks")),
    ...SCORES.map((score) =>
      show(figureAt(sources, "texrex", "measured", "cv", "results", set, "at.5", score)),
    ),
  ]);
  return table(
    ["", "blocks", "precision", "recall", "F1", "correct", "baseline", "PRE"],
    [...published, ...ours],
  );
}

function balanced(sources: Sources): string {
  const published = Object.entries(SCHAEFER.balanced).map(([language, { threshold, f1, correct }]) => [
    `published, ${language}`,
    ...[threshold, f1, correct].map(printed),
  ]);
  const ours = SETS.map((set) => [
    `here, ${set}`,
    ...["threshold", "f1", "correct"].map((score) =>
      show(figureAt(sources, "texrex", "measured", "cv", "results", set, "balanced", score)),
    ),
  ]);
  return table(["", "threshold", "F1", "correct"], [...published, ...ours]);
}

interface Ranked {
  readonly feature: string;
  readonly area: number;
}

/** Sorts the features by their mean area over the sets, best first. */
function rankFeatures(sources: Sources): Ranked[] {
  const features = keysAt(sources, "texrex", "measured", "rank", "results", SETS[0]);
  const ranked = features.flatMap((feature): Ranked[] => {
    const area = meanOf(SETS.map((set) => rankAt(sources, set, feature, "aloneArea")));
    return area === undefined ? [] : [{ feature, area }];
  });
  return ranked.sort((a, b) => b.area - a.area);
}

function rankAt(sources: Sources, set: string, feature: string, ...path: string[]): number | undefined {
  return numberAt(sources, "texrex", "measured", "rank", "results", set, feature, ...path);
}

function ranking(sources: Sources): string {
  const rows = rankFeatures(sources)
    .slice(0, RANKED)
    .map(({ feature, area }) => [
      feature,
      formatScore(area),
      ...SETS.map((set) =>
        show(figureAt(sources, "texrex", "measured", "rank", "results", set, feature, "aloneArea")),
      ),
      formatScore(meanOf(SETS.map((set) => rankAt(sources, set, feature, "permuted", "mean")))),
    ]);
  return table(["feature", "mean area", ...SETS, "lost when permuted"], rows);
}

function verdictOnRanking(sources: Sources): string {
  const ranked = rankFeatures(sources).map(({ feature }) => feature);
  if (ranked.length === 0) return "";
  const places = SCHAEFER.best.map((feature) => `${feature} is number ${ranked.indexOf(feature) + 1}`);
  return `Here, of ${ranked.length} features, ${places.join(", ")}.`;
}

/** Compares the three languages that one rule annotated, so that only the language changes. */
function crossing(sources: Sources): string {
  const sets = ["waddle-zh", "waddle-ru"];
  const losses = sets.flatMap((tested) => {
    const home = numberAt(sources, "texrex", "measured", "cv", "results", tested, "at.5", "precision");
    return ["waddle-en", "waddle-zh", "waddle-ru"].flatMap((trained) => {
      const away = numberAt(sources, "texrex", ...crossingOf("pages", trained, tested, "precision"));
      return home === undefined || away === undefined || trained === tested ? [] : [home - away];
    });
  });
  const { least, most } = SCHAEFER.crossLoss;
  const here =
    losses.length === 0
      ? NOT_MEASURED
      : `${formatScore(Math.min(...losses))} to ${formatScore(Math.max(...losses))} between the news pages of waddle in en, zh and ru`;
  return (
    `Trained on one language and used on another: the paper loses ${printed(least)} to ${printed(most)} of precision; here ${here}. ` +
    "Where nearly all blocks are boilerplate, its precision is always high; see F1 of content in “One language on another”."
  );
}

function speed(sources: Sources): string {
  const { detector, whole, machine } = SCHAEFER.cpuMs;
  const all = numberAt(sources, "texrex", "measured", "speed", "all");
  const pages = numberAt(sources, "texrex", "measured", "speed", "pages");
  const published = `published: ${detector} CPU ms a page for the detector (${machine}), ${whole} with all of the cleaning`;
  if (all === undefined) return `Speed: ${NOT_MEASURED}; ${published}.`;
  const kept = all <= detector ? "within" : "above";
  return (
    `Speed: ${all.toFixed(2)} CPU ms a page after parsing, mean of ${showCount(pages)} whole pages, which is ${kept} the paper's figure; ${published}. ` +
    "“What each costs” has figures that include reading the page."
  );
}
