/** Joins columns that make up one number: the sign of a currency before it, and "%" or ")" after it. */
import type { LabelledLine } from "../../../document.js";
import { cutLine } from "../inline.js";
import { widthOf } from "./empty-columns.js";
import type { TableCell } from "./row-cells.js";

interface Row {
  readonly cells: readonly TableCell[];
  readonly spread: readonly TableCell[];
  readonly aligns: readonly unknown[];
}

const CURRENCY = /^\p{Lu}{0,3}\p{Sc}$/u;
const BEHIND = /^(?:\)|\)?\s?%\)?)$/;
const NUMBER = /^(?:(?:\p{Lu}{0,3}\p{Sc})?[(+\-\u2212–]?\s?[\d.]|[-–—]$)/u;
/** The largest length of a cell that may be a sign, in characters. */
const MAX_SIGN = 4;
/** Wider tables are no tables of figures, and each pair of columns costs a look at each row. */
const MAX_COLUMNS = 100;

/**
 * Tables of figures, as in reports of companies, have the sign in a cell of its own, so that the digits of all rows are
 * aligned. Two columns are joined if no row has other text in both, and if all signs in front are the same.
 */
export function joinSigns<R extends Row>(rows: readonly R[], empty: TableCell): readonly R[] {
  let joined = rows;
  let column = 0;
  let most = widthOf(rows);
  if (most > MAX_COLUMNS) return rows;
  while (most > 2 && column + 1 < most) {
    const pairs = joined.map(({ cells }) => [cells[column], cells[column + 1]] as const);
    const cells = joinPairs(pairs, empty);
    if (cells === undefined) column += 1;
    else {
      joined = joined.map((row, at) => joinIn(row, column, cells[at] ?? empty));
      most -= 1;
    }
  }
  return joined;
}

type Pair = readonly [TableCell | undefined, TableCell | undefined];

/** The joined cells of two columns; undefined if the columns are not parts of one. */
function joinPairs(pairs: readonly Pair[], empty: TableCell): TableCell[] | undefined {
  if (!pairs.some(([left, right]) => holdsSign(left) || holdsSign(right))) return undefined;
  const signs = new Set<string>();
  const cells: TableCell[] = [];
  for (const [left = empty, right = empty] of pairs) {
    const [before, after] = [textOf(left), textOf(right)];
    if (before === "" || after === "") cells.push(before === "" ? right : left);
    else if (before === undefined || after === undefined) return undefined;
    else if (CURRENCY.test(before) && NUMBER.test(after)) {
      signs.add(before);
      cells.push(putBefore(right, before));
    } else if (NUMBER.test(before) && BEHIND.test(after)) {
      signs.add("");
      cells.push(putBehind(left, after));
    } else return undefined;
  }
  return signs.size === 1 ? cells : undefined;
}

function joinIn<R extends Row>(row: R, column: number, cell: TableCell): R {
  const { cells, spread, aligns } = row;
  const without = <T>(values: readonly T[], value: T): T[] =>
    values.length <= column ? [...values] : values.toSpliced(column, 2, value);
  const [left, right] = [spread[column], spread[column + 1]];
  return {
    ...row,
    cells: without(cells, cell),
    spread: without(spread, left !== undefined && textOf(left) !== "" ? left : (right ?? cell)),
    aligns: without(Array.from(aligns), aligns[column + 1] ?? aligns[column]),
  };
}

function holdsSign(cell: TableCell | undefined): boolean {
  if (cell === undefined) return false;
  const { lines, range = [0, lines[0]?.text.length ?? 0] } = cell;
  if (lines.length !== 1 || range[1] - range[0] > MAX_SIGN) return false;
  const text = textOf(cell) ?? "";
  return CURRENCY.test(text) || BEHIND.test(text);
}

/** The text of a cell of one line; undefined for a cell with more, or with a picture. */
function textOf({ lines, range, isNumber, below }: TableCell): string | undefined {
  const [line, other] = lines;
  if (other !== undefined || below !== undefined || isNumber === true) return undefined;
  if (line === undefined) return "";
  const text = line.text.slice(...(range ?? [])).trim();
  return text === "" && range === undefined ? undefined : text;
}

function putBefore(cell: TableCell, sign: string): TableCell {
  const { length } = sign;
  return change(
    cell,
    (text) => `${sign}${text}`,
    ({ start, end }) => [start === 0 ? 0 : start + length, end + length],
  );
}

function putBehind(cell: TableCell, sign: string): TableCell {
  const { length } = lineOf(cell).text;
  return change(
    cell,
    (text) => `${text}${sign}`,
    ({ start, end }) => [start, end === length ? end + sign.length : end],
  );
}

/** Changes the text of a cell, and moves its spans and links. */
function change(
  cell: TableCell,
  write: (text: string) => string,
  move: (range: { readonly start: number; readonly end: number }) => readonly [number, number],
): TableCell {
  const line = lineOf(cell);
  const text = write(line.text);
  const moved = <T extends { readonly start: number; readonly end: number }>(span: T): T => {
    const [start, end] = move(span);
    return { ...span, start, end };
  };
  const { spans, links } = line;
  const parts = { ...(spans && { spans: spans.map(moved) }), ...(links && { links: links.map(moved) }) };
  return { ...cell, lines: [{ ...line, text, ...parts }], range: [0, text.length] };
}

/** The only line of a cell, without the other cells of its row. */
function lineOf({ lines: [line], range }: TableCell): LabelledLine {
  if (line === undefined) throw new Error("a cell without a line has no number");
  return range === undefined ? line : cutLine(line, range);
}
