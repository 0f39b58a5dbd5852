/** Lays out the results for structure, metadata or units as tables of text, which every report prints. */
import { ITEM_KINDS, type ItemKind } from "../../metrics/items/kinds.js";
import { formatCount, formatMeasured, formatMs, formatPercent, formatScore, NONE } from "../format.js";
import type { Measured } from "../results.js";
import { countFailures } from "../tables/columns.js";
import type { CorpusItems, ItemResults, ItemScore, SystemItems } from "./item-results.js";

export interface ItemTable {
  readonly title: string;
  readonly heads: readonly string[];
  /** The first cell is the system's name. */
  readonly rows: readonly (readonly string[])[];
  readonly note?: string;
}

export function tabulateItems({ subject }: ItemResults, corpus: CorpusItems): ItemTable[] {
  const kinds = ITEM_KINDS[subject].filter(({ name }) => countWanted(corpus, name) > 0);
  if (subject === "units")
    return [tabulateTorn(corpus, kinds), tabulateWhole(corpus), ...tabulateFailures(corpus)];
  return subject === "metadata"
    ? [tabulateRight(corpus, kinds), tabulateAnswers(corpus, kinds), ...tabulateFailures(corpus)]
    : [
        tabulateF1(corpus, kinds),
        tabulateParts(corpus, kinds),
        tabulateKept(corpus, kinds),
        ...tabulatePageTypes(corpus),
        ...tabulateFailures(corpus),
      ];
}

/** Shows the share of right answers among all pages whose gold states the field; a missing answer counts as wrong. */
function tabulateRight(corpus: CorpusItems, kinds: readonly ItemKind[]): ItemTable {
  const rows = corpus.systems.map((system) => [
    system.system,
    ...kinds.map(({ name }) => {
      const score = system.overall[name];
      // A system that never answers does not support this field.
      if (score === undefined || score.found === 0) return NONE;
      return `${formatMeasured(score.recall)}${leansOn(corpus, system, name) ? " *" : ""}`;
    }),
  ]);
  const leans = corpus.systems.some((system) => kinds.some(({ name }) => leansOn(corpus, system, name)));
  return {
    title: "right, of all pages whose gold states the field",
    heads: ["system", ...kinds.map((kind) => headOf(corpus, kind))],
    rows,
    ...(leans ? { note: "* the gold was made with this system, or this system was made for the gold" } : {}),
  };
}

function tabulateAnswers(corpus: CorpusItems, kinds: readonly ItemKind[]): ItemTable {
  return {
    title: "answered / right where answered",
    heads: ["system", ...kinds.map(({ title }) => title)],
    rows: corpus.systems.map((system) => [
      system.system,
      ...kinds.map(({ name }) => {
        const score = system.overall[name];
        if (score === undefined || score.wanted === 0) return NONE;
        return `${formatPercent(score.found / score.wanted)} / ${formatScore(score.precision.value)}`;
      }),
    ]),
  };
}

function tabulateF1(corpus: CorpusItems, kinds: readonly ItemKind[]): ItemTable {
  return {
    title: "F1",
    heads: ["system", "mean of kinds", ...kinds.map((kind) => headOf(corpus, kind)), "ms/page"],
    rows: corpus.systems.map((system) => [
      system.system,
      formatMeasured(system.mean),
      ...kinds.map(({ name }) => formatMeasured(system.overall[name]?.f1)),
      formatMs(system.cpuMs),
    ]),
    note: "mean: over the kinds with at least ten elements in the gold, without heading + level and code verbatim",
  };
}

function tabulateParts(corpus: CorpusItems, kinds: readonly ItemKind[]): ItemTable {
  const part = (score: ItemScore | undefined): string =>
    `${formatScore(score?.precision.value)} / ${formatScore(score?.recall.value)}`;
  return {
    title: "precision / recall",
    heads: ["system", ...kinds.map(({ title }) => title)],
    rows: corpus.systems.map((system) => [
      system.system,
      ...kinds.map(({ name }) => part(system.overall[name])),
    ]),
  };
}

/** Shows how often a system keeps an element whose words it returns; lost text is measured by lines instead. */
function tabulateKept(corpus: CorpusItems, kinds: readonly ItemKind[]): ItemTable {
  return {
    title: "words in the output / of these, kept as such",
    heads: ["system", ...kinds.map(({ title }) => title)],
    rows: corpus.systems.map(({ system, overall }) => [
      system,
      ...kinds.map(({ name }) => {
        const { right = 0, wanted = 0, present = 0 } = overall[name] ?? {};
        if (wanted === 0) return NONE;
        const came = Math.max(present, right);
        return `${formatScore(came / wanted)} / ${formatScore(came === 0 ? null : right / came)}`;
      }),
    ]),
  };
}

/**
 * Shows, for each kind, the share of units that a system keeps only in part, among units that are whole or not at all
 * main content.
 */
function tabulateTorn(corpus: CorpusItems, kinds: readonly ItemKind[]): ItemTable {
  const parts = kinds.filter(({ name, isSecond }) => isSecond !== true || name === "unit");
  return {
    title: "torn units",
    heads: ["system", ...parts.map((kind) => headOf(corpus, kind))],
    rows: corpus.systems.map(({ system, overall }) => [
      system,
      ...parts.map(({ name, isSecond }) => {
        const torn = lossOf(overall[name]);
        return isSecond === true ? formatMeasured(torn) : formatScore(torn?.value);
      }),
    ]),
    note: "torn: between .1 and .9 of its letters are in the output",
  };
}

/**
 * Shows units kept or left out whole, because a system that keeps or drops everything tears no unit; and lost headings.
 */
function tabulateWhole(corpus: CorpusItems): ItemTable {
  return {
    title: "whole units kept whole, other units left out, headings lost from kept sections",
    heads: [
      "system",
      `kept whole (${formatCount(countWanted(corpus, "whole"))})`,
      `left out (${formatCount(countWanted(corpus, "out"))})`,
      "headings lost",
      "of kept sections",
      "ms/page",
    ],
    rows: corpus.systems.map(({ system, overall, cpuMs }) => [
      system,
      formatScore(overall["whole"]?.recall.value),
      formatScore(overall["out"]?.recall.value),
      formatMeasured(lossOf(overall["heading"])),
      formatCount(overall["heading"]?.wanted ?? 0),
      formatMs(cpuMs),
    ]),
  };
}

/** Returns the share that is not right, with its interval. */
function lossOf(score: ItemScore | undefined): Measured | undefined {
  if (score === undefined) return undefined;
  const { value, low, high } = score.recall;
  const rest = (share: number): number => 1 - share;
  return {
    value: value === null ? null : rest(value),
    ...(high === undefined ? {} : { low: rest(high) }),
    ...(low === undefined ? {} : { high: rest(low) }),
  };
}

function tabulatePageTypes(corpus: CorpusItems): ItemTable[] {
  const types = [...new Set(corpus.systems.flatMap(({ pageTypes }) => Object.keys(pageTypes)))].sort();
  if (types.length < 2) return [];
  const pages = (type: string): number => corpus.systems[0]?.pageTypes[type]?.documents ?? 0;
  return [
    {
      title: "mean F1 of kinds, by page type",
      heads: ["system", ...types.map((type) => `${type} (${formatCount(pages(type))})`)],
      rows: corpus.systems.map(({ system, pageTypes }) => [
        system,
        ...types.map((type) => formatScore(pageTypes[type]?.mean)),
      ]),
      note: "without intervals, because a type has few pages",
    },
  ];
}

/** Shows the failures; a page on which a system failed counts as one where it found nothing. */
function tabulateFailures(corpus: CorpusItems): ItemTable[] {
  const failing = corpus.systems.filter((system) => countFailures(system) > 0);
  if (failing.length === 0) return [];
  return [
    {
      title: "failures, which count as pages where nothing was found",
      heads: ["system", "crash", "time-out", "missing", "reject", "pages"],
      rows: failing.map(({ system, failures, documents }) => [
        system,
        ...[failures.crash, failures.timeout, failures.missing, failures.reject, documents].map(formatCount),
      ]),
    },
  ];
}

function countWanted(corpus: CorpusItems, name: string): number {
  return Math.max(0, ...corpus.systems.map(({ overall }) => overall[name]?.wanted ?? 0));
}

function headOf(corpus: CorpusItems, { name, title }: ItemKind): string {
  return `${title} (${formatCount(countWanted(corpus, name))})`;
}

function leansOn({ leanings }: CorpusItems, { system }: SystemItems, field: string): boolean {
  const fields: readonly string[] = leanings[system] ?? [];
  return fields.includes(field);
}
