/**
 * Keeps tables of data that stand behind text that is kept, where the cut would leave all of their rows out.
 *
 * The network sees cells of a word or a number, as menus and lists of products have them. Of 2,891 pages with gold text, no
 * test split among them, 43 have 73 such tables: 46 are main content, 11 in part and 16 not, of which 7 are in atf, whose gold has
 * no tables. Lists, definitions and quotes that stand so are main content in less than half of the cases, and stay as they were cut.
 */
import type { LabelledLine } from "../../document.js";
import { isBlank, setLabel } from "../label-line.js";

const WHY_TABLE = "table-behind-text";

/** The score of such a row: the share of them that is main content, 556 of 808. */
const KEPT_SCORE = 0.688;
/** Elements around the table alone: a frame to scroll it in, and the figure that it is. */
const MOST_FRAMES = 2;
const FEWEST_ROWS = 2;
/** Share of its characters that are links. */
const MOST_LINKS = 0.2;

/** The same lines, some rows content; lines that a rule decided stay as they are. */
export function keepTables(lines: readonly LabelledLine[]): readonly LabelledLine[] {
  if (!lines.some(isDropped)) return lines;
  const shown = lines.filter(({ text }) => !isBlank(text));
  const tables = shown.map(tableOf);
  const kept = new Set<LabelledLine>();
  for (let at = 0, end = 0; at < shown.length; at = end) {
    const table = tables[at];
    for (end = at + 1; end < shown.length && tables[end] === table;) end += 1;
    const before = shown[at - 1];
    if (table === undefined || before === undefined || !isBehind(table, before)) continue;
    const rows = shown.slice(at, end);
    if (isData(rows)) for (const row of rows) kept.add(row);
  }
  if (kept.size === 0) return lines;
  return lines.map((line) => {
    if (!kept.has(line)) return line;
    const { score } = line;
    return { ...setLabel(line, { score: KEPT_SCORE, label: "content", why: WHY_TABLE }), ownScore: score };
  });
}

function isDropped({ block, label, why }: LabelledLine): boolean {
  return block === "tr" && label === "boilerplate" && why === undefined;
}

/** The path of the innermost table that a line is in. */
function tableOf({ path }: LabelledLine): string | undefined {
  return /^.*>table(?:[.#[][^>]*)?(?=>|$)/.exec(path)?.[0];
}

/** The text is kept, and stands beside the table or what is around it alone. */
function isBehind(table: string, { label, kind, path }: LabelledLine): boolean {
  if (label !== "content" || kind === "comment") return false;
  const around = path.slice(0, Math.max(0, path.lastIndexOf(">")));
  if (!table.startsWith(`${around}>`)) return false;
  return countSteps(table.slice(around.length)) <= MOST_FRAMES + 1;
}

function countSteps(path: string): number {
  return path.split(">").length - 1;
}

/** All of it is left out, and it has rows of several cells, and few links. */
function isData(rows: readonly LabelledLine[]): boolean {
  let chars = 0;
  let links = 0;
  let count = 0;
  for (const { text, linkChars, block, label, why, kind } of rows) {
    if (label === "content" || why !== undefined || kind === "comment") return false;
    chars += text.length;
    links += linkChars;
    if (block === "tr" && text.includes("\t")) count += 1;
  }
  return count >= FEWEST_ROWS && links <= MOST_LINKS * chars;
}
