/** Reads from HTML which words are in a heading, list item, table cell, code, quote, link or emphasis. */
import { baseOf, linkTarget } from "./addresses.js";
import { classifyTable } from "./data-tables.js";
import type { ElementName, PageElement, ReadElements } from "./elements.js";
import {
  asElement,
  attributeOf,
  BLOCKS,
  hasChildren,
  parseHtml,
  SKIPPED,
  textOf,
  walkTree,
  type HtmlElement,
  type HtmlNode,
} from "./html-tree.js";
import { locateTokens } from "./token-offsets.js";
import { findTitles } from "./titles.js";

export interface ReadOptions {
  /**
   * The address that links are relative to if the HTML has no `<base>`: the page's address, or "" if it has no address.
   */
  readonly url: string;
  /** The page's address, if it differs from `url`. */
  readonly own?: string;
  /**
   * What the HTML was made from; "html" when absent. Markdown has no layout tables, so all of its tables count. Some
   * programs copy the page's line breaks into Markdown, so each newline in it ends a line.
   */
  readonly form?: "html" | "markdown";
}

const HEADING = /^h[1-6]$/;
const LISTS = new Set(["ul", "ol", "menu", "dir"]);
const STRONG = new Set(["strong", "b"]);
const EMPHASIS = new Set([...STRONG, "em", "i"]);
/** Elements that browsers show in italics or as code by default; Markdown has no other form for them. */
const LIKE_EMPHASIS = new Set(["cite", "dfn", "var"]);
const LIKE_CODE = new Set(["kbd", "samp", "tt"]);
/** The class names of icons, which sites draw in `i`; their text is for screen readers. */
const ICON = /(?:^|[\s_-])icons?(?:$|[\s_-])/i;
const CELLS = new Set(["td", "th"]);
/** Elements that are displayed separately from the words they touch: cells and footnote marks. */
const APART = new Set([...CELLS, "sup"]);

/** Reads every element of the page, whether it is main content or not. */
export function readHtml(html: string, { url, own = url, form = "html" }: ReadOptions): ReadElements {
  const root = parseHtml(html);
  const reading = new Reading(url, { own: baseOf(own), form });
  walkTree(root, {
    enter: (node) => reading.enter(node),
    leave: (node) => {
      reading.leave(node);
    },
  });
  return reading.finish(findTitles(root));
}

interface Open {
  readonly element: HtmlElement;
  readonly start: number;
  /** Ranges inside the element that do not belong to it: lists inside an item or a definition. */
  readonly holes: [number, number][];
  /** In a list of definitions: where the terms of the last definition start. */
  termStart?: number | undefined;
  isDefined?: boolean;
}

interface Found extends Pick<PageElement, "kind" | "isOptional" | "isStrong"> {
  readonly spans: readonly (readonly [number, number])[];
  /** Text added to the key before and after the element's words. */
  readonly before?: string;
  readonly behind?: string;
  /** Set if the key is the exact text instead of the words. */
  readonly isVerbatim?: true;
}

class Reading {
  private readonly parts: string[] = [];
  private length = 0;
  /** The offsets at which lines start. */
  private readonly breaks: number[] = [0];
  private linkEnd = -1;
  private codeEnd = -1;
  private readonly found: Found[] = [];
  private readonly blocks: { readonly element: HtmlElement; readonly span: readonly [number, number] }[] = [];
  private readonly open: Open[] = [];
  private readonly depths = new Map<string, number>();
  private readonly tables = new Map<HtmlElement, ReturnType<typeof classifyTable>>();
  private base: string;

  constructor(
    private readonly url: string,
    private readonly options: { readonly own: string; readonly form: "html" | "markdown" },
  ) {
    this.base = baseOf(url);
  }

  enter(node: HtmlNode): boolean {
    const text = textOf(node);
    if (text !== undefined) this.writeText(text);
    const element = asElement(node);
    if (element === undefined) return hasChildren(node);
    const { tagName } = element;
    if (tagName === "head") this.readBase(element);
    if (SKIPPED.has(tagName)) return false;
    if (BLOCKS.has(tagName)) this.endLine();
    // Words that are displayed separately must not run together.
    else if (APART.has(tagName) || this.touchesSame(tagName)) this.write(" ");
    this.depths.set(tagName, this.depthOf(tagName) + 1);
    this.open.push({ element, start: this.length, holes: [] });
    return true;
  }

  leave(node: HtmlNode): void {
    const element = asElement(node);
    const open = element === undefined ? undefined : this.open.pop();
    if (element === undefined || open === undefined) return;
    const { tagName } = element;
    this.depths.set(tagName, this.depthOf(tagName) - 1);
    this.take(open);
    if (BLOCKS.has(tagName)) this.blocks.push({ element, span: [open.start, this.length] });
    if (LISTS.has(tagName)) this.addHole([open.start, this.length]);
    if (BLOCKS.has(tagName)) this.endLine();
    else if (APART.has(tagName)) this.write(" ");
    else if (tagName === "a") this.linkEnd = this.length;
    else if (tagName === "code") this.codeEnd = this.length;
  }

  /** Whether a link or code directly follows another, which is displayed separately. */
  private touchesSame(tagName: string): boolean {
    if (tagName === "code") return this.codeEnd === this.length && !this.isInside(["pre"]);
    return tagName === "a" && this.linkEnd === this.length;
  }

  private addHole(hole: [number, number]): void {
    this.findOpen("li")?.holes.push(hole);
    const around = this.open.findLast(({ element: { tagName } }) => tagName === "li" || tagName === "dd");
    if (around?.element.tagName !== "dd") return;
    around.holes.push(hole);
    this.findOpen("dl")?.holes.push(hole);
  }

  private findOpen(tag: string): Open | undefined {
    return this.open.findLast(({ element }) => element.tagName === tag);
  }

  /** Converts character offsets to word offsets, and builds the keys of the elements that were found. */
  finish(titles: ReadonlySet<string>): ReadElements {
    const text = this.parts.join("");
    const offsets = [
      ...this.found.flatMap(({ spans }) => spans.flat()),
      ...this.blocks.flatMap(({ span }) => span),
    ];
    const located = locateTokens(text, [...offsets, ...this.breaks]);
    const found = joinEmphasis(this.found, text, new Set(this.breaks));
    const elements = found.flatMap((one) => toElement(one, text, located));
    const lines = this.breaks.map((start, index) =>
      located.tokens.slice(located.before(start), located.before(this.breaks[index + 1] ?? this.length)),
    );
    const blocks = this.blocks
      .map(({ element, span: [from, to] }) => ({
        element,
        range: [located.before(from), located.before(to)] as const,
      }))
      .filter(({ range: [from, to] }) => to > from);
    return { lines: lines.filter(({ length }) => length > 0), elements, blocks, titles, base: this.base };
  }

  private write(text: string): void {
    this.parts.push(text);
    this.length += text.length;
  }

  private writeText(text: string): void {
    if (this.options.form === "html" || this.isInside(["pre"])) {
      this.write(text);
      return;
    }
    for (const [index, line] of text.split("\n").entries()) {
      if (index > 0) this.endLine();
      this.write(line);
    }
  }

  private endLine(): void {
    if (this.breaks.at(-1) === this.length) return;
    this.write("\n");
    this.breaks.push(this.length);
  }

  /** Adds an element once for each line: Markdown writes markup around several lines around each of them. */
  private addLines([from, to]: readonly [number, number], found: Omit<Found, "spans">): void {
    let end = to;
    for (let at = this.breaks.length - 1; (this.breaks[at] ?? 0) > from; at -= 1) {
      const start = this.breaks[at] ?? from;
      if (start < end) this.found.push({ ...found, spans: [[start, end]] });
      end = Math.min(end, start);
    }
    this.found.push({ ...found, spans: [[from, end]] });
  }

  private depthOf(tag: string): number {
    return this.depths.get(tag) ?? 0;
  }

  private isInside(tags: Iterable<string>): boolean {
    for (const tag of tags) if (this.depthOf(tag) > 0) return true;
    return false;
  }

  private isInHeading(): boolean {
    return this.isInside(["h1", "h2", "h3", "h4", "h5", "h6"]);
  }

  private readBase(head: HtmlElement): void {
    const base = head.childNodes.map(asElement).find((child) => child?.tagName === "base");
    if (base !== undefined) this.base = baseOf(this.url, attributeOf(base, "href"));
  }

  private take({ element, start, holes }: Open): void {
    const { tagName } = element;
    const whole: readonly [number, number] = [start, this.length];
    const add = (kind: ElementName, more: Partial<Found> = {}): void => {
      this.found.push({ kind, spans: [whole], ...more });
    };
    if (HEADING.test(tagName)) {
      add("heading");
      add("heading-level", { before: `${tagName} ` });
    } else if (tagName === "li") add("item", { spans: withoutHoles(whole, holes) });
    else if (CELLS.has(tagName)) {
      const table = this.classifyTable();
      if (table !== "layout") add("cell", table === "headed" ? { isOptional: true } : {});
    } else if (tagName === "pre") {
      add("code");
      add("code-verbatim", { isVerbatim: true });
    } else if (tagName === "blockquote") {
      const isQuote = this.depthOf("blockquote") === 0 && !this.isAlert(element);
      if (isQuote) this.addLines(whole, { kind: "quote" });
    } else if (tagName === "a") this.takeLink(element, whole);
    else if (EMPHASIS.has(tagName)) {
      const isIcon = tagName === "i" && ICON.test(attributeOf(element, "class") ?? "");
      this.takeEmphasis(STRONG.has(tagName), whole, isIcon ? { isOptional: true } : {});
    } else if (tagName === "code" && !this.isInside(["code", "pre"])) add("inline-code");
    else if (LIKE_CODE.has(tagName) && !this.isInside(["code", "pre"]))
      add("inline-code", { isOptional: true });
    else this.takeLikeEmphasis(element, whole);
    if (tagName === "dt" || tagName === "dd") this.takeDefinition(tagName, whole, holes);
  }

  /** Elements that Markdown can only write as emphasis: styled text, terms, titles of folds, and the like. */
  private takeLikeEmphasis(element: HtmlElement, whole: readonly [number, number]): void {
    const { tagName } = element;
    const optional = { isOptional: true } as const;
    if (LIKE_EMPHASIS.has(tagName)) this.takeEmphasis(false, whole, optional);
    else if (tagName === "dt" || tagName === "summary") this.takeEmphasis(true, whole, optional);
    if (tagName !== "span" && tagName !== "font") return;
    const style = attributeOf(element, "style") ?? "";
    if (/font-weight\s*:\s*(?:bold|[6-9]00)/i.test(style)) this.takeEmphasis(true, whole, optional);
    if (/font-style\s*:\s*(?:italic|oblique)/i.test(style)) this.takeEmphasis(false, whole, optional);
  }

  /**
   * Markdown has no lists of definitions. Programs write terms and definitions as paragraphs, as items of their own, or
   * as items that hold both.
   */
  private takeDefinition(
    tagName: "dt" | "dd",
    whole: readonly [number, number],
    holes: readonly (readonly [number, number])[],
  ): void {
    const item = { kind: "item", isOptional: true } as const;
    this.found.push({ ...item, spans: withoutHoles(whole, holes) });
    const list = this.findOpen("dl");
    if (list === undefined) return;
    if (tagName === "dt") {
      if (list.termStart === undefined || list.isDefined === true) list.termStart = whole[0];
      list.isDefined = false;
    } else if (list.termStart !== undefined) {
      list.isDefined = true;
      this.found.push({ ...item, spans: withoutHoles([list.termStart, whole[1]], list.holes) });
    }
  }

  private takeLink(element: HtmlElement, whole: readonly [number, number]): void {
    const target = linkTarget(attributeOf(element, "href") ?? "", this.base, this.options.own);
    if (target !== undefined) this.addLines(whole, { kind: "link", behind: ` -> ${target}` });
  }

  /**
   * For `<b><strong>` only the outer element counts. Emphasis inside headings and table header cells, which are strong
   * anyway, and inside code does not count.
   */
  private takeEmphasis(
    isStrong: boolean,
    whole: readonly [number, number],
    more: Pick<Found, "isOptional"> = {},
  ): void {
    const same = isStrong ? STRONG : ["em", "i"];
    if (this.isInside(same) || this.isInHeading() || this.isInside(["th", "pre", "code"])) return;
    this.addLines(whole, { kind: "emphasis", before: isStrong ? "strong: " : "em: ", isStrong, ...more });
  }

  /**
   * Whether a block quote is an alert: GitHub shows "> [!NOTE]" as a box, not a quote. Other programs write it in lower
   * case, with a title after it.
   */
  private isAlert({ childNodes }: HtmlElement): boolean {
    const first = childNodes.map(asElement).find((child) => child !== undefined);
    const text = first?.tagName === "p" && first.childNodes[0] !== undefined && textOf(first.childNodes[0]);
    return this.options.form === "markdown" && /^\s*\[!\w+\]/.test(text || "");
  }

  private classifyTable(): ReturnType<typeof classifyTable> {
    if (this.options.form === "markdown") return "data";
    const table = this.findOpen("table")?.element;
    if (table === undefined) return "layout";
    const known = this.tables.get(table) ?? classifyTable(table);
    this.tables.set(table, known);
    return known;
  }
}

/**
 * Joins emphasis of one kind that only white space separates: a reader sees `<b>to</b> <b>you</b>` as one, and programs
 * may write it as one. Optional elements stay as they are.
 */
function joinEmphasis(found: readonly Found[], text: string, breaks: ReadonlySet<number>): Found[] {
  const isPart = ({ kind, isOptional }: Found): boolean => kind === "emphasis" && isOptional !== true;
  const joined = found.filter((one) => !isPart(one));
  for (const isStrong of [false, true]) {
    let last: Found | undefined;
    const parts = found.filter((one) => isPart(one) && one.isStrong === isStrong);
    for (const part of parts.toSorted((a, b) => startOf(a) - startOf(b))) {
      if (last !== undefined && isOnlySpace([endOf(last), startOf(part)], text, breaks)) {
        last = { ...last, spans: [[startOf(last), endOf(part)]] };
        joined.pop();
      } else last = part;
      joined.push(last);
    }
  }
  return joined;
}

function startOf({ spans }: Found): number {
  return spans[0]?.[0] ?? 0;
}

function endOf({ spans }: Found): number {
  return spans.at(-1)?.[1] ?? 0;
}

/** Whether nothing but white space of one line is between two offsets. */
function isOnlySpace(
  [from, to]: readonly [number, number],
  text: string,
  breaks: ReadonlySet<number>,
): boolean {
  for (let at = from; at <= to; at += 1) if (breaks.has(at)) return false;
  return from <= to && !/\S/.test(text.slice(from, to));
}

function withoutHoles(
  [start, end]: readonly [number, number],
  holes: readonly (readonly [number, number])[],
): [number, number][] {
  const spans: [number, number][] = [];
  let at = start;
  for (const [from, to] of holes) {
    if (from > at) spans.push([at, from]);
    at = Math.max(at, to);
  }
  if (end > at) spans.push([at, end]);
  return spans;
}

function verbatim(code: string): string {
  const lines = code
    .normalize("NFC")
    .replaceAll("\u00a0", " ")
    .split(/\r\n?|\n/);
  return lines
    .map((line) => line.trimEnd())
    .join("\n")
    .replace(/^\n+|\n+$/g, "");
}

/**
 * Returns the element, or an empty list if it has no words, or if it is code with only the line numbers of a separate
 * column.
 */
function toElement(
  { spans, before = "", behind = "", isVerbatim, ...facts }: Found,
  text: string,
  located: ReturnType<typeof locateTokens>,
): PageElement[] {
  const ranges = spans
    .map(([from, to]): [number, number] => [located.before(from), located.before(to)])
    .filter(([from, to]) => to > from);
  const words = ranges.map(([from, to]) => located.tokens.slice(from, to).join(" ")).join(" ");
  if (words === "" || (facts.kind.startsWith("code") && /^[\d ]*$/.test(words))) return [];
  const key =
    isVerbatim === true ? verbatim(spans.map(([from, to]) => text.slice(from, to)).join("")) : words;
  return [{ ...facts, key: `${before}${key}${behind}`, words, ranges }];
}
