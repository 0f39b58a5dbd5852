/** Joins the text nodes of one block, in order, into the text of one line. */
import type { InlineSpan, Link } from "../../../document.js";
import type { TextNode } from "../../../document/tree.js";
import {
  createSpans,
  drawInSpans,
  extendSpans,
  followDrawn,
  takeSpans,
  type Mark,
  type Meaning,
  type Spans,
} from "../../structure/spans.js";
import { goesOnBehindBreak } from "./breaks.js";
import { isBlank, type Ink } from "./characters.js";
import { hasOwnQuotes, type Quotes } from "./quotes.js";
import { areApart, isSeam } from "./seams.js";

/** A link that is open around a text node. One object for one element, so that neighbours stay two links. */
export interface Target {
  readonly href: string;
}

/** The link and the span around a text node. */
export interface Around {
  readonly target: Target | undefined;
  readonly mark: Mark | undefined;
}

/** Offsets [start, end) into the decoded source. */
export type Span = readonly [number, number];

/** The text of a run when it ends. `span` is undefined if no text has a known place in the source. */
export interface RunText {
  readonly text: string;
  readonly links: readonly Link[];
  /** What parts of the text are; undefined if spans are not wanted or the text has no spans. */
  readonly spans: readonly InlineSpan[] | undefined;
  readonly span: Span | undefined;
}

/** The empty list that all lines without links share. */
export const NO_LINKS: readonly Link[] = Object.freeze([]);

export interface Run {
  /** Adds a text node, with the link and the span around it if there are any. */
  add(node: TextNode, ink: Ink, around: Around): void;
  /** Adds something here that is drawn without text. */
  draw(meaning: Meaning): void;
  /** Separates the text before from the text after. */
  space(): void;
  /** Like `space`, for a picture: punctuation that closes the text before the picture still follows without a space. */
  gap(): void;
  /**
   * Adds a mark that is not in the source: directly after the text before it, unless a formula begins with the mark,
   * and directly before the text after it, unless `side` is "end".
   */
  mark(mark: string, side: "inside" | "end", span: Mark | undefined): void;
  /** Opens a quote. Its marks are written only if text follows inside, and if the page has no marks of its own. */
  openQuote(quotes: Quotes, around: Around): void;
  closeQuote(): void;
  openRuby(): void;
  closeRuby(): void;
  /** Ends the run and starts the next; undefined when there is nothing to see. */
  take(): RunText | undefined;
}

interface OpenLink {
  readonly start: number;
  end: number;
  readonly href: string;
}

/** An open quote; "waiting" until it has text. */
interface Quote {
  readonly quotes: Quotes;
  readonly around: Around;
  readonly hasSpaceBefore: boolean;
  state: "waiting" | "marked" | "plain";
}

interface State {
  text: string;
  /** The last piece of the text, and the two before it. Reading them from `text` would copy all of it. */
  tail: string;
  second: string;
  third: string;
  /** The text node that was added last. */
  node: TextNode | undefined;
  /** Whether any text of the run leaves ink. */
  hasInk: boolean;
  /** White space that is drawn only if text follows. */
  hasSpace: boolean;
  /** Whether that white space is only a picture. */
  isPicture: boolean;
  /** Whether a whitespace node since the last text, with text before it, had a line break. */
  hasBreak: boolean;
  isParted: boolean;
  /** A ruby annotation is open without text; its parenthesis is written right before the first text in it. */
  isOpening: boolean;
  /** Open quotes, the innermost last. */
  readonly quotes: Quote[];
  /** The offset at which the last quotation mark ends. */
  quoteEnd: number;
  /** The next text follows the mark before it without a space. */
  isClose: boolean;
  /** The link that the text ends in. */
  target: Target | undefined;
  links: OpenLink[] | undefined;
  spans: Spans | undefined;
  /** Whether there was whitespace after the last thing that was drawn without text. */
  hasSpaceSince: boolean;
  start: number;
  end: number;
}

function startState(): State {
  return {
    text: "",
    tail: "",
    second: "",
    third: "",
    node: undefined,
    hasInk: false,
    hasSpace: false,
    isPicture: false,
    hasBreak: false,
    isParted: false,
    isOpening: false,
    quotes: [],
    quoteEnd: 0,
    isClose: false,
    target: undefined,
    links: undefined,
    spans: undefined,
    hasSpaceSince: false,
    start: -1,
    end: -1,
  };
}

/** Creates a run that collapses whitespace, as everywhere but in `pre`. */
export function createRun(): Run {
  const run = startState();
  return {
    add(node, ink, around) {
      addInk(run, node, ink, around);
      if (ink.text !== "") extendSpan(run, node, ink);
    },
    draw(meaning) {
      const place = { at: run.text.length, isBehindSpace: run.hasSpace };
      drawInSpans((run.spans ??= createSpans()), meaning, place);
      run.hasSpaceSince = false;
    },
    space() {
      run.hasSpace = true;
      run.isPicture = false;
      run.isParted = true;
    },
    gap() {
      run.isPicture ||= !run.hasSpace;
      run.hasSpace = true;
      run.isParted = true;
    },
    mark(mark, side, span) {
      // A mark at the start of a formula keeps the space before it, as text would.
      if (/^[√(]/.test(mark) && run.hasSpace && !run.isClose && run.text !== "")
        appendText(run, " ", undefined);
      addPiece(run, mark);
      if (span !== undefined) markText(run, span, mark);
      run.hasSpace = false;
      run.isClose = side === "inside";
    },
    openQuote(quotes, { target, mark }) {
      run.quotes.push({ quotes, around: { target, mark }, hasSpaceBefore: run.hasSpace, state: "waiting" });
      run.hasSpace = false;
    },
    closeQuote() {
      const quote = run.quotes.pop();
      if (quote?.state === "waiting") run.hasSpace ||= quote.hasSpaceBefore;
      if (quote?.state !== "marked" || run.text === "") return;
      addQuoteMark(run, quote.quotes.closing, quote.around);
      run.hasSpace = false;
    },
    openRuby() {
      if (run.isOpening) addPiece(run, "(");
      run.isOpening = true;
      run.hasSpace = false;
    },
    closeRuby() {
      // An empty annotation leaves no parentheses behind.
      if (!run.isOpening) addPiece(run, ")");
      run.isOpening = false;
      run.hasBreak = false;
      run.hasSpace = false;
    },
    take: () => takeText(run),
  };
}

function addInk(run: State, node: TextNode, ink: Ink, { target, mark }: Around): void {
  if (ink.hasJoiner) dropJoiners(run, ink);
  if (ink.text === "") {
    if (ink.hasSpaceBefore) {
      run.hasSpace = true;
      run.isPicture = false;
      run.hasSpaceSince = true;
      run.hasBreak ||= run.text !== "" && node.value.includes("\n");
    }
    return;
  }
  if (run.spans !== undefined) followDrawn(run.spans, run.hasSpaceSince || ink.hasSpaceBefore);
  const hasSpace = !run.isClose && isSpaced(run, node, ink, target);
  run.isClose = false;
  if (run.quotes.at(-1)?.state === "waiting") beginQuotes(run, ink, hasSpace);
  else if (run.isOpening) addPiece(run, "(");
  else if (hasSpace && run.text !== "") appendText(run, " ", target === run.target ? target : undefined);
  appendText(run, ink.text, target);
  if (mark !== undefined) markText(run, mark, ink.text);
  run.hasInk ||= !ink.isBlank;
  run.hasSpace = ink.hasSpaceAfter;
  run.isPicture = false;
  run.hasBreak = false;
  run.isParted = false;
  run.isOpening = false;
  run.target = target;
  run.node = node;
}

/** A letter, digit or punctuation of a script in which no letters join. */
const UNJOINED = "[\\0-\\u05ff\\u2000-\\u200b\\u2010-\\u206f]";
const JOINERS_AT_END = new RegExp(`(?<=${UNJOINED})[\\u200c\\u200d]+$`);
const JOINERS_AT_START = new RegExp(`^[\\u200c\\u200d]+(?=${UNJOINED}|$)`);
const UNJOINED_END = new RegExp(`(?:^|${UNJOINED})$`);

/** Drops joiners that have nothing to join: editors of Webflow leave them in paragraphs. */
function dropJoiners(run: State, ink: Ink): void {
  const text = ink.text.replace(JOINERS_AT_END, "");
  ink.text = UNJOINED_END.test(run.tail) ? text.replace(JOINERS_AT_START, "") : text;
}

/** Punctuation that closes what is before it, and no smiley: ";)". */
const CLOSING = /^(?:[,.;:!?](?![^\s"'”’»)\]])|[)\]](?!\S*[([])|[、。，．；：！？）」』】])/u;

/** Checks whether there is a space before a text: whitespace in the source, or a gap that a reader sees. */
function isSpaced(run: State, node: TextNode, ink: Ink, target: Target | undefined): boolean {
  const { text } = ink;
  if (run.isPicture && !ink.hasSpaceBefore && CLOSING.test(text)) return false;
  const isInSource = run.hasSpace || ink.hasSpaceBefore;
  if (isInSource && (run.isParted || !goesOnBehindBreak(run, node, text))) return true;
  if (target !== undefined && run.target !== undefined && target !== run.target)
    return areApart(run, node, { text, isSameTarget: target.href === run.target.href });
  return !isInSource && isApart(run, node, text);
}

/** Writes the opening marks of quotes that waited for text, unless the page writes its own. */
function beginQuotes(run: State, ink: Ink, isParted: boolean): void {
  const waiting = run.quotes.filter(({ state }) => state === "waiting");
  const hasSpace = waiting.some(({ hasSpaceBefore }) => hasSpaceBefore) || (isParted && !ink.hasSpaceBefore);
  const before = run.quoteEnd === run.text.length ? "" : `${run.tail}${hasSpace ? " " : ""}`;
  const isPlain = hasOwnQuotes(before, ink.text);
  if (hasSpace && run.text !== "") appendText(run, " ", undefined);
  for (const quote of waiting) {
    quote.state = isPlain ? "plain" : "marked";
    if (!isPlain) addQuoteMark(run, quote.quotes.opening, quote.around);
  }
}

function addQuoteMark(run: State, text: string, { target, mark }: Around): void {
  appendText(run, text, target);
  run.quoteEnd = run.text.length;
  run.target = target;
  if (mark !== undefined) markText(run, mark, text);
}

/** Extends a span over the text that was added last. */
function markText(run: State, mark: Mark, { length }: string): void {
  const end = run.text.length;
  extendSpans((run.spans ??= createSpans()), mark, [end - length, end]);
}

function isApart({ node, tail, second, third }: State, next: TextNode, text: string): boolean {
  if (node === undefined || node.parent === next.parent) return false;
  return isSeam({ node, tail, lead: third.slice(-1) + second.slice(-2) }, next, text);
}

function takeText(run: State): RunText | undefined {
  if (run.isOpening) addPiece(run, "(");
  const { text, links, spans, start, end } = run;
  run.spans = undefined;
  run.hasSpace = false;
  run.hasBreak = false;
  run.isParted = false;
  run.isOpening = false;
  run.isClose = false;
  if (text === "") return undefined;
  // The parentheses of ruby leave ink, too, but `hasInk` does not count them.
  const isVisible = run.hasInk || !isBlank(text);
  run.text = "";
  run.quoteEnd = 0;
  run.tail = "";
  run.second = "";
  run.third = "";
  run.node = undefined;
  run.hasInk = false;
  run.target = undefined;
  run.links = undefined;
  run.start = -1;
  run.end = -1;
  if (!isVisible) return undefined;
  return {
    text,
    links: links ?? NO_LINKS,
    spans: spans && takeSpans(spans),
    span: start < 0 ? undefined : [start, end],
  };
}

/** Adds text and extends its link. */
function appendText(run: State, text: string, target: Target | undefined): void {
  const start = run.text.length;
  addPiece(run, text);
  if (target === undefined) return;
  const end = run.text.length;
  const links = (run.links ??= []);
  const last = links.at(-1);
  if (last?.end === start && run.target === target) last.end = end;
  else links.push({ start, end, href: target.href });
}

function addPiece(run: State, piece: string): void {
  run.text += piece;
  run.third = run.second;
  run.second = run.tail;
  run.tail = piece;
}

/**
 * Extends the source span by a node. A node without a character reference has one source character for each of its own
 * (see `parse/standard-tree.ts`).
 */
function extendSpan(run: State, node: TextNode, ink: Ink): void {
  if (node.start < 0) return;
  const isExact = node.end - node.start === node.value.length;
  const start = isExact ? node.start + ink.start : node.start;
  const end = isExact ? node.start + ink.end : node.end;
  // Misplaced text has another place in the source than in the tree, so the span covers all of its parts.
  run.start = run.start < 0 ? start : Math.min(run.start, start);
  run.end = Math.max(run.end, end);
}
