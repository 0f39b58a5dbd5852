/** Renders results as tables for a terminal with 120 columns: one for each corpus, then the speed. */
import { describeAudit } from "./audit.js";
import { findHeadline, isLevel, placeSystems, standingOf } from "./conditions.js";
import { furtherColumns, mainColumns, type Column } from "./tables/columns.js";
import { alignCells, formatNumberOf, shorten, toOneLine, widthOf } from "./format.js";
import { speedCells } from "./tables/speed-cells.js";
import type { CorpusScores, Results } from "./results.js";

const WIDTH = 120;
const LONGEST_NAME = 28;

/** Column titles that are too wide for the terminal, split into two lines. */
const SHORT_TITLES: Readonly<Record<string, string>> = {
  "WCXB word P": "WCXB\nword P",
  "WCXB word R": "WCXB\nword R",
  "WCXB word F1": "WCXB\nword F1",
  "ROUGE-LSum (2023)": "ROUGE-LSum\n(2023)",
  "nothing here": "nothing\nhere",
  "false alarms": "false\nalarms",
  "page type": "page\ntype",
  "clean lines": "clean\nlines",
  "clean words": "clean\nwords",
  "lost lines": "lost\nlines",
  "lost words": "lost\nwords",
  "line F1": "line\nF1",
  "macro F1": "macro\nF1",
  "word F1 in place": "word\nF1",
  "ROUGE-LSum": "ROUGE\nLSum",
  "segment F1": "segm.\nF1",
  failed: "\nfailed",
  "ms/page": "ms/\npage",
};

/** Returns the tables. Ends with a line break. */
export function formatTerminal(results: Results): string {
  const parts = results.corpora.map((corpus) => formatCorpus(results, corpus));
  if (results.speed !== undefined) parts.push(formatSpeed(results.speed));
  for (const { name, audit } of results.systems) {
    const problems = audit === undefined ? "" : describeAudit(audit);
    if (problems !== "") parts.push(wrap(`${toOneLine(name)}: ${problems}`));
  }
  for (const [why, names] of groupByReason(results.unavailable))
    parts.push(wrap(`not run: ${names.join(", ")} (${why})`));
  return `${parts.join("\n\n")}\n`;
}

/** Groups systems by the reason why they did not run: without Python, a dozen rivals have the same one. */
function groupByReason(unavailable: Results["unavailable"]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { name, why } of unavailable) {
    const reason = toOneLine(why.startsWith(`${name}: `) ? why.slice(name.length + 2) : why);
    const names = groups.get(reason) ?? [];
    names.push(toOneLine(name));
    groups.set(reason, names);
  }
  return groups;
}

function formatCorpus(results: Results, corpus: CorpusScores): string {
  const columns = mainColumns(corpus);
  const headline = findHeadline(corpus);
  const placed = placeSystems(results, corpus);
  const standings = placed.map(({ system }) => standingOf(system, headline));
  const best = standings
    .filter((standing) => typeof standing?.value === "number")
    .sort((a, b) => (b?.value ?? 0) - (a?.value ?? 0))[0];
  const marks = standings.map((standing) =>
    standing !== undefined && standing === best ? "*" : isLevel(standing, best) ? "=" : " ",
  );
  const table = (shown: readonly Column[]): string[] => {
    const rows = placed.map(({ system }, index) => [
      `${marks[index] ?? " "} ${shorten(toOneLine(system.system), LONGEST_NAME)}`,
      ...shown.flatMap((column) =>
        cellsOf(column, withoutUnit(column.text(system)), column.interval?.(system)),
      ),
    ]);
    const heads = shown.flatMap((column) => {
      const title = SHORT_TITLES[column.title] ?? column.title;
      return cellsOf(column, title, "\n95 % interval");
    });
    return layOut(["\n  system", ...heads], rows);
  };
  const shares = columns.some(({ title }) => title.startsWith("clean")) ? "clean and lost in %   " : "";
  const sample = corpus.isSample ? ", a fixed sample" : "";
  const problems =
    corpus.problems.length > 0
      ? `, ${formatNumberOf(corpus.problems.length, "row")} of the gold not used`
      : "";
  const further = furtherColumns(corpus);
  const title = `${toOneLine(corpus.corpus)}: ${formatNumberOf(corpus.documents, "document")}${sample}${problems}`;
  const legend = `  ${shares}* best   = its interval overlaps that of the best`;
  return [title, ...table(columns), ...(further.length === 0 ? [] : table(further)), legend].join("\n");
}

/** Removes the unit: the line below the table says that shares are in %. */
function withoutUnit(text: string): string {
  return text.replace(/ %$/u, "");
}

function cellsOf(column: Column, text: string, interval: string | undefined): string[] {
  return column.interval === undefined ? [text] : [text, interval ?? ""];
}

function formatSpeed(speed: NonNullable<Results["speed"]>): string {
  const heads = [
    "\n  system",
    "pages/\ns",
    "mean\nms",
    "p50\nms",
    "p99\nms",
    "p99 ÷\nmean",
    "max\nms",
    "start\nms",
  ];
  heads.push("memory\nadded", "core-hours,\n2.5 bn pages", "\nratio", "\nfailed");
  const rows = speed.rows.map((row) => [
    `  ${shorten(toOneLine(row.system), LONGEST_NAME)}`,
    ...speedCells(row),
  ]);
  const time = speed.kind === "cpu" ? "CPU time" : "wall time";
  return [
    `speed on ${toOneLine(speed.pages)} (${time}; ratio to ${toOneLine(speed.reference)})`,
    ...layOut(heads, rows),
  ].join("\n");
}

/**
 * Lays out columns as wide as their widest cell, the first aligned left and the others right. Column titles may have
 * two lines.
 */
function layOut(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const split = heads.map((head) => (head.includes("\n") ? head : `\n${head}`).split("\n"));
  const lines = [split.map(([above = ""]) => above), split.map(([, below = ""]) => below), ...rows];
  const laidOut = alignCells(lines).map((line) => line.join("  "));
  const rule = "─".repeat(Math.min(WIDTH, widthOf(laidOut[0] ?? "")));
  return [...laidOut.slice(0, 2), rule, ...laidOut.slice(2)].map((line) => line.trimEnd());
}

function wrap(text: string): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && widthOf(line) + 1 + widthOf(word) > WIDTH) {
      lines.push(line);
      line = `  ${word}`;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join("\n");
}
