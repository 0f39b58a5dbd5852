/**
 * Lays out results as the short tables of `bench/RESULTS.md`: each corpus by its headline and its own measure, and each
 * step.
 */
import { findMeasure, findOwnHeadline, formatMeasure } from "./tables/columns.js";
import { findHeadline, findSteps, standingOf, type Placed } from "./conditions.js";
import { formatMeasured, formatMs, formatPercent, formatScore, NONE, shorten } from "./format.js";
import { listGroups } from "./tables/group-rows.js";
import { codeBlock, escape, layOut } from "./markdown-table.js";
import { meanCost } from "./tables/speed-cells.js";
import { OUR_PREFIX } from "../systems/ours.js";
import type { CorpusScores, Results, SystemScores } from "./results.js";

/**
 * Returns the headline of raw, our systems and the rivals on each corpus, the measures of the corpora's own
 * evaluations, pages without main content, and how clean each step is and what it loses. Leaves out stored outputs and
 * combinations named `ours:…`. Ends with a line break.
 */
export function formatResultsTables(results: Results): string {
  const parts = [
    escape(
      `Measured on ${results.date.slice(0, 10)} with version ${results.version}; the figures are line F1 of main content, or the measure ` +
        "named; pages on which a system fails count as nothing returned, but 4-gram F1 and ROUGE leave them out.",
    ),
    listRivals(results),
    ...(["pages", "lines"] as const).map((unit) =>
      headlineTable(
        results,
        results.corpora.filter((corpus) => corpus.unit === unit),
      ),
    ),
    ...titled("By the measure that the corpus's own evaluation publishes:", ownTable(results)),
    ...results.corpora.flatMap((corpus) => titled(describeTypes(corpus), typeTable(results, corpus))),
    ...titled(
      "Pages without main content on which a system gives no text, and false alarms among all other pages:",
      nothingTable(results),
    ),
    "How clean each step is, and what it loses (shares of words, with our extractor and labeller that do best on the corpus):",
    stepTable(results),
    codeBlock(results.command),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** Lists the rivals with their versions; `bench/systems/README.md` has their calls and options. */
function listRivals({ systems }: Results): string {
  const rivals = systems.filter(({ group }) => group === "rival");
  const named = rivals.map(({ name, describe }) => ({
    name,
    version: /^[\w.]+(?=:)/.exec(describe)?.[0] ?? "",
  }));
  // The modes of one program have the same version.
  const programs = named.filter(
    ({ name, version }) =>
      !named.some((other) => name.startsWith(`${other.name}-`) && other.version === version),
  );
  if (programs.length === 0) return "";
  const list = programs.map(({ name, version }) => `${escape(name)} ${version}`.trim()).join(", ");
  return `Rivals: ${list}; calls and options are in \`bench/systems/README.md\`.`;
}

/** Returns the title and the table; empty if the table is empty. */
function titled(title: string, table: string): readonly string[] {
  return table === "" ? [] : [title, table];
}

/** Returns the systems that the tables show and that at least one of the corpora has. */
function listSystems(results: Results, corpora: readonly CorpusScores[]): string[] {
  return results.systems
    .filter(({ name, group }) => group !== "stored" && !name.startsWith(OUR_PREFIX))
    .map(({ name }) => name)
    .filter((name) => corpora.some((corpus) => findSystem(corpus, name) !== undefined));
}

function findSystem({ systems }: CorpusScores, name: string): SystemScores | undefined {
  return systems.find(({ system }) => system === name);
}

function headlineTable(results: Results, corpora: readonly CorpusScores[]): string {
  if (corpora.length === 0) return "";
  const heads = corpora.map((corpus) => {
    const headline = findHeadline(corpus);
    return headline === "lineF1" ? corpus.corpus : nameColumn(corpus, headline);
  });
  const rows = listSystems(results, corpora).map((name) => [
    name,
    ...corpora.map((corpus) => {
      const system = findSystem(corpus, name);
      return system === undefined ? NONE : formatScore(standingOf(system, findHeadline(corpus))?.value);
    }),
    formatMs(meanCost(corpora, name)),
  ]);
  return layOut(["system", ...heads, "CPU ms/page"], rows);
}

function nameColumn({ corpus }: CorpusScores, measure: string): string {
  return `${corpus} (${findMeasure(measure).title})`;
}

/** Shows the corpora whose own measure is not already their headline. */
function ownTable(results: Results): string {
  const owned = results.corpora.flatMap((corpus) => {
    const own = findOwnHeadline(corpus);
    return own === undefined || own === findHeadline(corpus) ? [] : [{ corpus, own }];
  });
  if (owned.length === 0) return "";
  const names = listSystems(
    results,
    owned.map(({ corpus }) => corpus),
  );
  const rows = names.map((name) => [
    name,
    ...owned.map(({ corpus, own }) => formatMeasured(findSystem(corpus, name)?.overall[own])),
  ]);
  return layOut(["system", ...owned.map(({ corpus, own }) => nameColumn(corpus, own))], rows);
}

function describeTypes(corpus: CorpusScores): string {
  const own = findOwnHeadline(corpus);
  return own === undefined ? "" : `By page type, ${findMeasure(own).title} of ${corpus.corpus}:`;
}

/** Shows scores by page type; empty if the corpus has fewer than two types or no own measure. */
function typeTable(results: Results, corpus: CorpusScores): string {
  const own = findOwnHeadline(corpus);
  const types = listGroups(corpus, "pageType");
  if (own === undefined || types.length < 2) return "";
  const rows = listSystems(results, [corpus]).map((name) => [
    name,
    ...types.map(([type]) =>
      formatScore(findSystem(corpus, name)?.groups["pageType"]?.[type]?.scores[own]?.value),
    ),
  ]);
  return layOut(["system", ...types.map(([type, documents]) => `${shorten(type, 32)} (${documents})`)], rows);
}

function nothingTable(results: Results): string {
  const corpora = results.corpora.filter(({ systems }) =>
    systems.some(({ nothing }) => (nothing?.emptyPages ?? 0) > 0),
  );
  if (corpora.length === 0) return "";
  const cell = (system: SystemScores | undefined): string =>
    system?.nothing === undefined
      ? NONE
      : `${system.nothing.emptySaid} of ${system.nothing.emptyPages}; ${formatPercent(system.overall["falseAlarms"]?.value)}`;
  const rows = listSystems(results, corpora).map((name) => [
    name,
    ...corpora.map((corpus) => cell(findSystem(corpus, name))),
  ]);
  return layOut(["system", ...corpora.map(({ corpus }) => corpus)], rows);
}

function stepTable(results: Results): string {
  const shares = (placed: Placed | undefined): string[] =>
    ["wordCleanliness", "wordLoss"].map((name) => formatMeasure(name, placed?.system.overall[name]?.value));
  const rows = results.corpora.flatMap((corpus) => {
    const { raw, extracted, labelled } = findSteps(results, corpus);
    const row = [...shares(raw).slice(0, 1), ...shares(extracted), ...shares(labelled)];
    return row.every((cell) => cell === NONE) ? [] : [[corpus.corpus, ...row]];
  });
  const heads = ["corpus", "raw: clean", "extracted: clean", "lost", "labelled: clean", "lost"];
  return layOut(heads, rows);
}
