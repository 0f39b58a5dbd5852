/** Writes labelled documents as Markdown (CommonMark, with GitHub's tables). */
import type { Document, LabelledLine, Line } from "../document.js";
import { countLists, grade, isContent, isItem, showLines, type ShownLine } from "./shown-lines.js";
import { createResolver } from "./targets.js";
import { createJoinedWriter } from "./text.js";
import type { Format, FormatOptions } from "./writer.js";

type Links = FormatOptions["links"];

/** Where a link leads, as it is written down; absent where links are dropped. */
type Resolve = ((href: string) => string) | undefined;

export const MARKDOWN = {
  title: "Markdown",
  extension: ".md",
  otherExtensions: [".markdown"],
  hasRecords: false,
  gzip: "block",
  format,
  create: (sink, options) => createJoinedWriter("markdown", sink, { ...options, format }),
} satisfies Format;

function format(doc: Document<LabelledLine>, { lines, links }: FormatOptions): string {
  return lines === "all" ? formatAnnotatedMarkdown(doc, links) : formatMarkdown(doc, links);
}

/** The content lines as Markdown: headings, nested lists, tables, quotes, fenced code; links on request. */
export function formatMarkdown(doc: Document<LabelledLine>, links: Links = "drop"): string {
  const resolve = links === "keep" ? createResolver(doc) : undefined;
  return joinBlocks(showLines(doc.lines, isContent), (lines) => formatBlock(lines, resolve));
}

/** All lines: content as above with its score behind it, boilerplate inside comments that a renderer hides. */
export function formatAnnotatedMarkdown(doc: Document<LabelledLine>, links: Links = "drop"): string {
  const resolve = links === "keep" ? createResolver(doc) : undefined;
  const shown = showLines(doc.lines, () => true).map((entry) => ({ ...entry, gap: "block" as const }));
  return joinBlocks(shown, ([line]) => {
    if (line === undefined) return "";
    const verdict = [line.score.toFixed(3), grade(line.score), line.label, line.why]
      .filter(Boolean)
      .join(" ");
    if (isContent(line)) return `${formatBlock([line], resolve)}\n<!-- ${verdict} -->`;
    return `<!-- ${verdict}: ${line.text.replaceAll("-->", "--&gt;")} -->`;
  });
}

function joinBlocks(
  shown: readonly ShownLine<LabelledLine>[],
  format: (lines: readonly LabelledLine[]) => string,
): string {
  const parts: string[] = [];
  const containers = createContainers();
  let before: Line | undefined;
  for (const { gap, lines } of groupBlocks(shown)) {
    const [first] = lines;
    if (first === undefined) continue;
    if (before !== undefined) parts.push(separate(before, first, gap));
    const { start, further } = containers.enter(first);
    // A blank line in a quote keeps its bar, or the quote would end there.
    const blank = further.trimEnd();
    parts.push(
      start,
      format(lines).replace(/\n(?=(\n?))/g, (_, next) => `\n${next === "" ? further : blank}`),
    );
    before = lines.at(-1);
  }
  return parts.length === 0 ? "" : `${parts.join("")}\n`;
}

/** A run of lines that Markdown writes as one thing: a table, a code block, or a line by itself. */
interface Block {
  readonly gap: ShownLine["gap"];
  readonly lines: readonly LabelledLine[];
}

function groupBlocks(shown: readonly ShownLine<LabelledLine>[]): Block[] {
  const blocks: { gap: ShownLine["gap"]; lines: LabelledLine[] }[] = [];
  for (const { line, gap } of shown) {
    const open = blocks.at(-1);
    const before = open?.lines.at(-1);
    const joinsTable = gap === "line" && line.block === "tr" && before?.block === "tr";
    if (open !== undefined && (joinsTable || (gap === "none" && before?.block === "pre")))
      open.lines.push(line);
    else blocks.push({ gap, lines: [line] });
  }
  return blocks;
}

/** Items of a list follow each other closely; a line break inside a paragraph is a hard one; a blank line parts all else. */
function separate(before: Line, line: Line, gap: ShownLine["gap"]): string {
  if (gap === "block" || before.block !== line.block) return "\n\n";
  if (isItem(line)) return "\n";
  // Behind an inner list, the outer item goes on with a paragraph of its own.
  if (line.block === "li") return isAsDeep(before, line) ? "  \n" : "\n\n";
  return line.block === "tr" || line.block === "pre" || isHeading(line) ? "\n\n" : "  \n";
}

function isHeading(line: Line): boolean {
  return /^h[1-6]$/.test(line.block);
}

function formatBlock(lines: readonly LabelledLine[], resolve: Resolve): string {
  const [line] = lines;
  if (line === undefined) return "";
  if (line.block === "tr") return formatTable(lines);
  if (line.block === "pre") return formatCode(lines);
  const text = formatInline(line, resolve);
  if (isHeading(line)) return `${"#".repeat(Number(line.block.slice(1)))} ${text}`;
  return text;
}

function isAsDeep(a: Line, b: Line): boolean {
  return countLists(a.path) === countLists(b.path);
}

/** A fence longer than any run of backticks inside (CommonMark 0.31, 4.5). */
function formatCode(lines: readonly LabelledLine[]): string {
  const code = lines
    .map((line) => line.text)
    .join("")
    .trimEnd();
  let longest = 2;
  for (const [run] of code.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${code}\n${fence}`;
}

/**
 * The first row serves as the header, because GitHub's tables must have one, and it is as wide as the widest row,
 * because a renderer drops what goes beyond. Shorter rows are filled up by the renderer: here that would be quadratic.
 */
function formatTable(rows: readonly LabelledLine[]): string {
  const cells = rows.map((row) =>
    row.text.split("\t").map((cell) => formatCell(cell).replaceAll("|", "\\|")),
  );
  const width = cells.reduce((most, row) => Math.max(most, row.length), 0);
  const header = cells[0] ?? [];
  header.push(...Array<string>(width - header.length).fill(""));
  const lines = cells.map((row) => `| ${row.join(" | ")} |`);
  lines.splice(1, 0, `|${" --- |".repeat(width)}`);
  return lines.join("\n");
}

/** Text has no space at its start: what has is code, and keeps it as code only. */
function formatCell(cell: string): string {
  if (!/^ {2}.*[^ ]/.test(cell)) return escapeText(cell);
  const longest = cell.match(/`+/g)?.reduce((most, run) => Math.max(most, run.length), 0) ?? 0;
  const fence = "`".repeat(longest + 1);
  return `${fence}${cell}${cell.endsWith("`") ? " " : ""}${fence}`;
}

function formatInline(line: Line, resolve: Resolve): string {
  let text = "";
  let at = 0;
  if (resolve !== undefined)
    for (const { start, end, href } of line.links ?? []) {
      text += escapeText(line.text.slice(at, start));
      text += formatLink(line.text.slice(start, end), resolve(href));
      at = end;
    }
  text += escapeText(line.text.slice(at));
  return isItem(line) || !/^[#>+\-=\d]/.test(text) ? text : escapeStart(text);
}

function formatLink(label: string, href: string): string {
  const target = href.replace(/[\s<>()\\]/g, (character) =>
    encodeURIComponent(character).replace(/[()]/g, escapeByte),
  );
  return `[${escapeText(label).replaceAll("]", "\\]")}](${target})`;
}

function escapeByte(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Characters that would start emphasis, code, a tag or an escape inside a line. */
function escapeText(text: string): string {
  return text.replace(/[\\`*<[]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\$&");
}

/** Characters that would start a heading, a quote, a list or an underline at the start of a line. */
function escapeStart(text: string): string {
  return text
    .replace(/^(#{1,6}(?=\s|$)|>|[+-](?=\s|$)|=+\s*$|-+\s*$)/, "\\$1")
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, "$1\\$2");
}

interface Containers {
  /** What comes before the first line of a block, and before each further one. */
  enter(line: Line): { readonly start: string; readonly further: string };
}

/**
 * Follows the lists and quotes that lines lie in, in page order, and says what comes before each line: markers of items,
 * indentation, the bars of quotes. Markdown indents what belongs to an item as far as the item's text.
 */
function createContainers(): Containers {
  // How far the text of the open item of each list is indented against the list, the outermost first.
  const widths: number[] = [];
  return {
    enter(line) {
      const steps = containersOf(line.path);
      const lists = steps.filter((step) => step !== "blockquote");
      const isMarked = isItem(line) && lists.length > 0;
      // An item ends those of the lists inside of it, and any other line those of all lists that it is not in.
      widths.length = Math.min(widths.length, isMarked ? lists.length - 1 : lists.length);
      const outer = prefix(steps, widths);
      if (!isMarked) return { start: outer, further: outer };
      const marker = `${lists.at(-1) === "ol" ? `${String(numberOf(line))}.` : "-"} `;
      // The text of an outer item may be gone; the inner one then takes its place.
      while (widths.length < lists.length - 1) widths.push(0);
      widths.push(marker.length);
      return { start: `${outer}${marker}`, further: prefix(steps, widths) };
    },
  };
}

/** Markdown knows no number below zero. */
function numberOf({ number = 1 }: Line): number {
  return Math.max(0, number);
}

type Container = "ul" | "ol" | "blockquote";

function containersOf(path: string): readonly Container[] {
  // The pattern matches nothing but the three tags.
  return (path.match(/(?<=^|>)(?:[ou]l|blockquote)(?=[>.#[]|$)/g) ?? []) as Container[];
}

function prefix(steps: readonly Container[], widths: readonly number[]): string {
  let text = "";
  let list = 0;
  for (const step of steps) {
    if (step === "blockquote") text += "> ";
    else {
      text += " ".repeat(widths[list] ?? 0);
      list += 1;
    }
  }
  return text;
}
