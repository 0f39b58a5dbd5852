/** Renders the full report as Markdown, with tables laid out as formatters do. */
import { describeAudit } from "./audit.js";
import {
  allColumns,
  findMeasure,
  furtherColumns,
  groupMeasures,
  mainColumns,
  type Column,
} from "./tables/columns.js";
import { placeSystems, type Placed } from "./conditions.js";
import { addInterval, formatCount, formatDifference, formatNumberOf, formatP } from "./format.js";
import { GROUPING_TITLES, groupColumn, listGroupings, listGroups } from "./tables/group-rows.js";
import { codeBlock, escape, layOut } from "./markdown-table.js";
import { tabulateTypes } from "./tables/page-types.js";
import { summarize } from "./summary.js";
import { speedCells } from "./tables/speed-cells.js";
import type { CorpusScores, Results } from "./results.js";

/** Returns the full report. Ends with a line break. */
export function formatMarkdown(results: Results): string {
  const { cpu, cores, node, platform } = results.machine;
  const parts = [
    `# Benchmark of ${results.date.slice(0, 10)}`,
    codeBlock(results.command),
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
  const measures = groupMeasures(corpus);
  const further = furtherColumns(corpus);
  const count = formatNumberOf(corpus.documents, corpus.unit === "pages" ? "page" : "text");
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
    ...(further.length === 0
      ? []
      : ["### Its own evaluation, empty pages, page types", tableOf(placed, further)]),
    ...measures.flatMap((measure) =>
      listGroupings(corpus).flatMap((grouping) => [
        `### By ${escape(GROUPING_TITLES[grouping] ?? grouping)} (${findMeasure(measure).title})`,
        tableOf(
          placed.filter(({ system }) => system.groups[grouping] !== undefined),
          listGroups(corpus, grouping).map(([group, documents]) =>
            groupColumn({ grouping, group, documents, measure }),
          ),
        ),
      ]),
    ),
    ...tabulateTypes(corpus).flatMap(({ system, heads, rows }) => [
      `### What ${escape(system)} takes pages for`,
      layOut(heads, rows),
    ]),
    ...describeVersus(placed),
    "### All measures",
    tableOf(placed, allColumns(corpus)),
  ];
}

/** Compares each system with the reference, on the documents that both answered. */
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
    ...columns.map((column) => addInterval(column.text(system), column.interval?.(system) ?? "")),
  ]);
  return layOut(["system", ...columns.map(({ title }) => title)], rows);
}

function describeSpeed({ speed }: Results): string[] {
  if (speed === undefined) return [];
  const rows = speed.rows.map((row) => [row.system, ...speedCells(row)]);
  const heads = ["system", "pages/s", "mean ms", "p50 ms", "p99 ms", "p99 ÷ mean"];
  heads.push("max ms", "start-up ms", "memory above start");
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
      : ["Not available:", list(results.unavailable.map(({ name, why }) => [name, why] as const))]),
  ];
}
