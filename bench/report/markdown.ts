/** Results into Markdown: the full report, and the short tables of the README. Tables are laid out as prettier lays them out. */
import { describeAudit } from "./audit.js";
import { allColumns, findMeasure, formatMeasure, mainColumns, type Column } from "./columns.js";
import { findHeadline, findSteps, placeSystems, standingOf, type Placed } from "./conditions.js";
import {
  formatCount,
  formatDifference,
  formatMegabytes,
  formatMs,
  formatNumberOf,
  formatP,
  formatRatio,
  formatScore,
  NONE,
  toOneLine,
  widthOf,
} from "./format.js";
import { GROUPING_TITLES, groupColumn, listGroupings, listGroups } from "./groups.js";
import { summarize } from "./summary.js";
import type { CorpusScores, Results } from "../results.js";

type Row = readonly string[];

/** Ends with a line break. */
export function formatMarkdown(results: Results): string {
  const { cpu, cores, node, platform } = results.machine;
  const parts = [
    `# Benchmark of ${results.date.slice(0, 10)}`,
    `\`\`\`\n${toOneLine(results.command).replaceAll("`", "'")}\n\`\`\``,
    escape(
      `${results.date}, Thresher ${results.version}, ${cpu}, ${cores} cores, Node ${node}, ${platform}.`,
    ),
    "Clean: the share of what was returned that is main content. Lost: the share of the page's main content that is " +
      "missing. Corpora are never pooled: they disagree on what main content is.",
    ...results.corpora.flatMap((corpus) => describeCorpus(results, corpus)),
    ...describeSpeed(results),
    ...describeSystems(results),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function describeCorpus(results: Results, corpus: CorpusScores): string[] {
  const placed = placeSystems(results, corpus);
  const headline = findHeadline(corpus);
  const count = `${formatCount(corpus.documents)} ${corpus.unit === "pages" ? "pages" : "texts"}`;
  return [
    `## ${escape(corpus.corpus)}`,
    escape(`${count}${corpus.isSample ? ", a fixed sample" : ""}. Main content here: ${corpus.mainContent}`),
    escape(
      `Origin: ${corpus.origin}. Licence: ${corpus.licence}. Training: ${corpus.training}. Digest: ${corpus.digest}.`,
    ),
    corpus.problems.length === 0
      ? ""
      : `${formatNumberOf(corpus.problems.length, "row")} of the gold not used.`,
    escape(summarize(results, corpus).join(" ")),
    tableOf(placed, mainColumns(corpus)),
    ...listGroupings(corpus).flatMap((grouping) => [
      `### By ${escape(GROUPING_TITLES[grouping] ?? grouping)} (${findMeasure(headline).title})`,
      tableOf(
        placed.filter(({ system }) => system.groups[grouping] !== undefined),
        listGroups(corpus, grouping).map(([group, documents]) =>
          groupColumn({ grouping, group, documents, measure: headline }),
        ),
      ),
    ]),
    ...describeVersus(placed),
    "### All measures",
    tableOf(placed, allColumns(corpus)),
  ];
}

/** Each system against the reference, on the documents that both answered. */
function describeVersus(placed: readonly Placed[]): string[] {
  const rows = placed.flatMap(({ system: { system, versus } }) =>
    versus === undefined
      ? []
      : [
          [
            ...[system, versus.system, findMeasure(versus.measure).title, formatCount(versus.documents)],
            ...[formatDifference(versus), formatP(versus.p)],
          ],
        ],
  );
  if (rows.length === 0) return [];
  const heads = ["system", "against", "measure", "documents", "difference", "chance"];
  return ["### Paired tests", layOut(heads, rows)];
}

function tableOf(placed: readonly Placed[], columns: readonly Column[]): string {
  const rows = placed.map(({ system }) => [
    system.system,
    ...columns.map((column) => {
      const interval = column.interval?.(system) ?? "";
      return interval === "" ? column.text(system) : `${column.text(system)} (${interval})`;
    }),
  ]);
  return layOut(["system", ...columns.map(({ title }) => title)], rows);
}

function describeSpeed({ speed }: Results): string[] {
  if (speed === undefined) return [];
  const rows = speed.rows.map((row) => [
    row.system,
    row.pagesPerSecond < 10 ? row.pagesPerSecond.toFixed(1) : formatCount(row.pagesPerSecond),
    ...[row.ms.mean, row.ms.p50, row.ms.p99, row.ms.max, row.start?.wallMs].map(formatMs),
    formatMegabytes(row.peakBytesAboveStart),
    formatCount(row.coreHours),
    formatRatio(row.ratio),
    String(row.failures),
  ]);
  const heads = ["system", "pages/s", "mean ms", "p50 ms", "p99 ms", "max ms", "start-up ms", "memory"];
  return [
    "## Speed and memory",
    escape(
      `${speed.pages}; ${speed.kind === "cpu" ? "CPU time" : "wall-clock time"}, systems in turn. Ratio to ${speed.reference}; ` +
        "core-hours for 2.5 billion such pages.",
    ),
    layOut([...heads, "core-hours", "ratio", "failed"], rows),
  ];
}

function describeSystems(results: Results): string[] {
  const list = (items: readonly (readonly [string, string])[]): string =>
    items.map(([name, text]) => `- **${escape(name)}**: ${escape(text)}`).join("\n");
  return [
    "## Systems",
    list(
      results.systems.map(({ name, describe, audit }) => {
        const problems = audit === undefined ? "" : describeAudit(audit);
        return [name, problems === "" ? describe : `${describe}. ${problems}`] as const;
      }),
    ),
    ...(results.unavailable.length === 0
      ? []
      : ["Not to be had:", list(results.unavailable.map(({ name, why }) => [name, why] as const))]),
  ];
}

/**
 * The README's tables: the headline of raw, ours and the rivals on each corpus, and how clean each step is and what it
 * loses. Stored outputs and written-out combinations are left out. Ends with a line break.
 */
export function formatReadmeTable(results: Results): string {
  const units = (["pages", "lines"] as const).map((unit) =>
    results.corpora.filter((corpus) => corpus.unit === unit),
  );
  const tables = units
    .filter((corpora) => corpora.length > 0)
    .map((corpora) => headlineTable(results, corpora));
  const parts = [
    escape(
      `Measured on ${results.date.slice(0, 10)} with version ${results.version}; line F1 of main content, or the measure ` +
        "named; pages on which a system fails count as nothing returned.",
    ),
    ...tables,
    "How clean each step is, and what it loses (shares of words; the extractor and labeller of ours that do best there):",
    stepTable(results),
    `\`\`\`\n${toOneLine(results.command).replaceAll("`", "'")}\n\`\`\``,
  ];
  return `${parts.join("\n\n")}\n`;
}

function headlineTable(results: Results, corpora: readonly CorpusScores[]): string {
  const names = results.systems
    .filter(({ name, group }) => group !== "stored" && !name.startsWith("ours:"))
    .map(({ name }) => name)
    .filter((name) => corpora.some(({ systems }) => systems.some(({ system }) => system === name)));
  const heads = corpora.map((corpus) => {
    const headline = findHeadline(corpus);
    return headline === "lineF1" ? corpus.corpus : `${corpus.corpus} (${findMeasure(headline).title})`;
  });
  const rows = names.map((name) => [
    name,
    ...corpora.map((corpus) => {
      const system = corpus.systems.find((other) => other.system === name);
      return system === undefined ? NONE : formatScore(standingOf(system, findHeadline(corpus))?.value);
    }),
    formatMs(meanCost(corpora, name)),
  ]);
  return layOut(["system", ...heads, "CPU ms/page"], rows);
}

function meanCost(corpora: readonly CorpusScores[], name: string): number | null {
  const costs = corpora.flatMap(({ systems }) =>
    systems.flatMap(({ system, cost }) => (system === name && cost !== undefined ? [cost.cpuMs.mean] : [])),
  );
  return costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0) / costs.length;
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

/** A table with columns as wide as their widest cell; the first to the left, the rest to the right. */
function layOut(heads: Row, rows: readonly Row[]): string {
  const cells = [heads, ...rows].map((row) => row.map(escape));
  const widths = heads.map((_, column) => Math.max(3, ...cells.map((row) => widthOf(row[column] ?? ""))));
  const line = (row: Row): string =>
    `| ${row
      .map((cell, column) => {
        const space = " ".repeat((widths[column] ?? 0) - widthOf(cell));
        return column === 0 ? cell + space : space + cell;
      })
      .join(" | ")} |`;
  const rule = widths.map((width, column) =>
    column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`,
  );
  const [head = [], ...body] = cells;
  return [line(head), line(rule), ...body.map(line)].join("\n");
}

/** One line, in which nothing is Markdown or HTML. */
function escape(text: string): string {
  return toOneLine(text)
    .replace(/[\\`*_[\]|~]/g, "\\$&")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;");
}
