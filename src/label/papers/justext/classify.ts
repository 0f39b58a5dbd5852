/**
 * Decides which paragraphs are content by jusText's algorithm (Pomikálek 2011, "Removing boilerplate and duplicate
 * content from web corpora", chapter 3; the constants are its published defaults).
 *
 * It classifies each paragraph by itself, then by its neighbours, because content and boilerplate come in blocks.
 */

/** The facts about a paragraph that the rules use. */
export interface Paragraph {
  /** Characters. */
  readonly length: number;
  /** Characters inside links. */
  readonly linkChars: number;
  /** Share of its words that are stop words; 1 when the language is not known. */
  readonly stopShare: number;
  readonly isHeading: boolean;
  readonly hasCopyright: boolean;
  readonly isChoice: boolean;
}

/** The class of a paragraph by itself, in the words of the thesis. */
export type FirstClass = "good" | "near-good" | "short" | "bad";

export interface Judged {
  readonly first: FirstClass;
  readonly isContent: boolean;
  /** The rule that decided. */
  readonly why: string;
}

export const MAX_LINK_DENSITY = 0.2;
/** Characters. */
const LENGTH_LOW = 70;
const LENGTH_HIGH = 200;
export const STOP_WORDS_LOW = 0.3;
const STOP_WORDS_HIGH = 0.32;
/** The most characters between a heading and the content that it heads. */
const MAX_HEADING_DISTANCE = 200;

interface FirstRule {
  readonly why: string;
  readonly test: (paragraph: Paragraph) => boolean;
  readonly first: FirstClass;
}

/** The rules for a paragraph by itself, in order: the first that matches decides. */
export const FIRST_RULES: readonly FirstRule[] = [
  { why: "justext-link-density", test: (p) => linkDensity(p) > MAX_LINK_DENSITY, first: "bad" },
  { why: "justext-copyright", test: (p) => p.hasCopyright, first: "bad" },
  { why: "justext-choice", test: (p) => p.isChoice, first: "bad" },
  { why: "justext-short-with-links", test: (p) => p.length < LENGTH_LOW && p.linkChars > 0, first: "bad" },
  { why: "justext-short", test: (p) => p.length < LENGTH_LOW, first: "short" },
  {
    why: "justext-long",
    test: (p) => p.stopShare >= STOP_WORDS_HIGH && p.length > LENGTH_HIGH,
    first: "good",
  },
  { why: "justext-middling", test: (p) => p.stopShare >= STOP_WORDS_LOW, first: "near-good" },
  { why: "justext-few-stop-words", test: () => true, first: "bad" },
];

/** The share of a paragraph's characters that are inside links. */
export function linkDensity({ linkChars, length }: Paragraph): number {
  return length === 0 ? 0 : linkChars / length;
}

/** Checks whether the share of stop words can matter, as it does only for paragraphs that are long and not linked. */
export function asksForStopWords(paragraph: Omit<Paragraph, "stopShare">): boolean {
  return firstRule({ ...paragraph, stopShare: 0 }) === FIRST_RULES.at(-1);
}

function firstRule(paragraph: Paragraph): FirstRule | undefined {
  return FIRST_RULES.find(({ test }) => test(paragraph));
}

/** A paragraph while its class may still change by its neighbours. */
interface Open {
  readonly rule: FirstRule;
  now: FirstClass;
  why: string;
}

/** Judges the paragraphs of a page, in order, in linear time. */
export function classify(paragraphs: readonly Paragraph[]): Judged[] {
  const open = paragraphs.map((paragraph): Open => {
    const rule = firstRule(paragraph);
    if (rule === undefined) throw new Error("the last rule fits every paragraph");
    return { rule, now: rule.first, why: rule.why };
  });
  raiseShortHeadings(open, paragraphs);
  settleShort(open);
  settleNearGood(open);
  raiseHeadings(open, paragraphs);
  return open.map(({ rule, now, why }) => ({ first: rule.first, isContent: now === "good", why }));
}

/** Makes a short heading near-good if content follows within MAX_HEADING_DISTANCE. */
function raiseShortHeadings(open: readonly Open[], paragraphs: readonly Paragraph[]): void {
  for (const [at, one] of open.entries())
    if (one.now === "short" && paragraphs[at]?.isHeading === true && headsContent(open, paragraphs, at)) {
      one.now = "near-good";
      one.why = "justext-heading";
    }
}

/** Decides short paragraphs by the decided ones around them; all at once, so that they do not affect each other. */
function settleShort(open: readonly Open[]): void {
  const before = { decided: nearest(open, 1, isDecided), any: nearest(open, 1, isLong) };
  const after = { decided: nearest(open, -1, isDecided), any: nearest(open, -1, isLong) };
  const isNearGood = (sides: typeof before, at: number): boolean =>
    sides.decided[at] === "bad" && sides.any[at] === "near-good";
  const isGood = ({ decided }: typeof before, at: number): boolean => decided[at] === "good";
  const settled = open.map(({ now }, at): Pick<Open, "now" | "why"> | undefined => {
    if (now !== "short") return undefined;
    if (isGood(before, at) && isGood(after, at)) return { now: "good", why: "justext-short-between-good" };
    if (!isGood(before, at) && !isGood(after, at)) return { now: "bad", why: "justext-short-between-bad" };
    if (isNearGood(before, at) || isNearGood(after, at))
      return { now: "good", why: "justext-short-beside-near-good" };
    return { now: "bad", why: "justext-short-at-edge" };
  });
  for (const [at, one] of open.entries()) Object.assign(one, settled[at]);
}

/** Makes a near-good paragraph content unless both sides are boilerplate; the side before is already decided. */
function settleNearGood(open: readonly Open[]): void {
  const after = nearest(open, -1, isDecided);
  let before: FirstClass = "bad";
  for (const [at, one] of open.entries()) {
    if (one.now === "near-good") {
      const isAlone: boolean = before === "bad" && after[at] === "bad";
      one.now = isAlone ? "bad" : "good";
      if (isAlone) one.why = "justext-near-good-between-bad";
      else if (one.why !== "justext-heading") one.why = "justext-near-good";
    }
    before = one.now;
  }
}

/** Makes a heading content that only its neighbours made boilerplate, if content follows closely. */
function raiseHeadings(open: readonly Open[], paragraphs: readonly Paragraph[]): void {
  for (const [at, one] of open.entries()) {
    const wasBad = one.rule.first === "bad" || one.now !== "bad";
    if (wasBad || paragraphs[at]?.isHeading !== true || !headsContent(open, paragraphs, at)) continue;
    one.now = "good";
    one.why = "justext-heading";
  }
}

function headsContent(open: readonly Open[], paragraphs: readonly Paragraph[], heading: number): boolean {
  let distance = 0;
  for (let at = heading + 1; at < open.length && distance <= MAX_HEADING_DISTANCE; at += 1) {
    if (open[at]?.now === "good") return true;
    // Count empty paragraphs as 1, so that the distance always grows.
    distance += Math.max(1, paragraphs[at]?.length ?? 0);
  }
  return false;
}

const isDecided = (now: FirstClass): boolean => now === "good" || now === "bad";
const isLong = (now: FirstClass): boolean => now !== "short";

/** Returns for each paragraph the nearest class before (step 1) or after it (step -1) that fits, or "bad" if none. */
function nearest(
  open: readonly Open[],
  step: 1 | -1,
  fits: (now: FirstClass) => boolean,
): readonly FirstClass[] {
  const found = open.map((): FirstClass => "bad");
  let last: FirstClass = "bad";
  for (let n = 0; n < open.length; n += 1) {
    const at = step === 1 ? n : open.length - 1 - n;
    found[at] = last;
    const now = open[at]?.now ?? "bad";
    if (fits(now)) last = now;
  }
  return found;
}
