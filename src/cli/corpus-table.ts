/** The figures of a run into the table that a person reads: a row for each language, as Register Oscar has it. */
import type { CorpusRow, Figures } from "../shard/figures.js";
import { sumRows } from "../shard/figures.js";

const HEAD = ["language", "texts", "kept", "content lines", "boilerplate lines", "words"];
/** Rows that fit on a screen; the other languages share one. */
const MOST_ROWS = 20;

/** Languages with most texts first. "" where nothing was labelled. */
export function formatCorpusTable({ languages }: Pick<Figures, "languages">): string {
  const sorted = Object.entries(languages).sort(
    ([a, one], [b, other]) => other.texts - one.texts || (a < b ? -1 : 1),
  );
  if (sorted.length === 0) return "";
  const shown = sorted.length > MOST_ROWS ? sorted.slice(0, MOST_ROWS - 1) : sorted;
  const others = sorted.slice(shown.length).map(([, row]) => row);
  const rows = [
    HEAD,
    ...shown.map(([name, row]) => toCells(name, row)),
    ...(others.length === 0 ? [] : [toCells(`${others.length} others`, sumRows(others))]),
    ...(sorted.length === 1 ? [] : [toCells("all", sumRows(Object.values(languages)))]),
  ];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  return rows
    .map((cells) => `  ${cells.map((cell, at) => pad(cell, widths[at] ?? 0, at)).join("  ")}\n`)
    .join("");
}

function toCells(name: string, row: CorpusRow): string[] {
  const { texts, keptTexts, contentLines, boilerplateLines, words } = row;
  return [name, ...[texts, keptTexts, contentLines, boilerplateLines, words].map(formatCount)];
}

function pad(cell: string, width: number, column: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}

/** The same on every machine, whatever its locale. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}
