/**
 * Reads rows from the lines of a table (RFC 4180, or with tabs or semicolons); a quote that is never closed costs only
 * its own line.
 */

export interface TextLine {
  /** Counted from 1. */
  readonly number: number;
  /** Without its line break; undefined if the line cannot be read, then `problem` says why. */
  readonly text: string | undefined;
  readonly problem?: string;
}

export type Row =
  | { readonly line: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly problem: string };

/** The most lines and characters of a row with line breaks inside quotes. */
const MAX_ROW_LINES = 100;
const MAX_ROW = 4 << 20;

/**
 * Reads rows line by line. `delimiter` is "" for a table of one column, whose cells may hold anything. Libraries are
 * not used, because after a stray quote they read everything up to the end of the file as one cell.
 */
export async function* readRows(lines: AsyncIterable<TextLine>, delimiter: string): AsyncGenerator<Row> {
  const source = lines[Symbol.asyncIterator]();
  const ahead: TextLine[] = [];
  const has = async (count: number): Promise<boolean> => {
    while (ahead.length < count) {
      const step = await source.next();
      if (step.done === true) return false;
      ahead.push(step.value);
    }
    return true;
  };
  try {
    while (await has(1)) {
      const { row, used } = await takeRow(ahead, has, delimiter);
      ahead.splice(0, used);
      if (row !== undefined) yield row;
    }
  } finally {
    await source.return?.();
  }
}

/** Takes the row that begins with the first line; `row` is undefined if that line is blank. */
async function takeRow(
  ahead: readonly TextLine[],
  has: (count: number) => Promise<boolean>,
  delimiter: string,
): Promise<{ readonly row: Row | undefined; readonly used: number }> {
  const [first] = ahead;
  const line = first?.number ?? 0;
  if (first?.text === undefined) return { row: { line, problem: first?.problem ?? "unreadable" }, used: 1 };
  if (first.text.trim() === "") return { row: undefined, used: 1 };
  const cut = createCut(delimiter);
  let length = 0;
  let used = 0;
  for (;;) {
    const text = ahead[used]?.text ?? "";
    length += text.length;
    const state = cut.add(text);
    used += 1;
    if (state === "whole") return { row: { line, cells: cut.cells() }, used };
    const goesOn = state === "open" && used < MAX_ROW_LINES && length < MAX_ROW && (await has(used + 1));
    if (!goesOn || ahead[used]?.text === undefined) break;
  }
  // Tables with tabs mostly have no quoting: there a quote is an ordinary character.
  if (delimiter === "\t") return { row: { line, cells: first.text.split("\t") }, used: 1 };
  return { row: { line, problem: "an unclosed quote" }, used: 1 };
}

interface Cut {
  /** Returns "open" if the next line belongs to the row too, and "broken" if this line does not belong to it. */
  add(line: string): "whole" | "open" | "broken";
  cells(): readonly string[];
}

function createCut(delimiter: string): Cut {
  const cells: string[] = [];
  let cell = "";
  let isQuoted = false;
  let lines = 0;
  /** Adds the rest of a cell after its quotes, and stores the cell. Returns where the next cell begins, or -1. */
  const close = (line: string, at: number): number => {
    const found = delimiter === "" ? -1 : line.indexOf(delimiter, at);
    const end = found === -1 ? line.length : found;
    cells.push(cell + line.slice(at, end));
    cell = "";
    return found === -1 ? -1 : found + delimiter.length;
  };
  return {
    cells: () => cells,
    add(line) {
      lines += 1;
      let at = 0;
      while (at !== -1) {
        if (!isQuoted) {
          const quote = /^ *"/.exec(line.slice(at, at + 80))?.[0].length;
          if (quote === undefined) {
            at = close(line, at);
            continue;
          }
          isQuoted = true;
          at += quote;
        }
        const end = line.indexOf('"', at);
        cell += line.slice(at, end === -1 ? line.length : end);
        if (end === -1) {
          cell += "\n";
          return "open";
        }
        at = end + 1;
        if (line[at] === '"') {
          cell += '"';
          at += 1;
          continue;
        }
        isQuoted = false;
        const next = close(line, at);
        // Text after the closing quote of a cell from an earlier line shows that the quote was never closed.
        if (lines > 1 && !isEmptyTail(line, at, next, delimiter)) return "broken";
        at = next;
      }
      return "whole";
    },
  };
}

/** Checks whether there are only spaces between a closing quote and the next cell. */
function isEmptyTail(line: string, at: number, next: number, delimiter: string): boolean {
  return line.slice(at, next === -1 ? line.length : next - delimiter.length).trim() === "";
}

/** Guesses the delimiter from the first line: the most frequent one outside of quotes; "" if it has no delimiter. */
export function guessDelimiter(line: string): string {
  const plain = line.replace(/"(?:[^"]|"")*"/g, "");
  let best = "";
  let most = 0;
  for (const delimiter of [",", "\t", ";"]) {
    const count = plain.split(delimiter).length - 1;
    if (count > most) [best, most] = [delimiter, count];
  }
  return best;
}
