/**
 * Decides by what is counted of paragraphs which of them are content: jusText's algorithm (Pomikálek 2011, "Removing boilerplate and
 * duplicate content from web corpora", chapter 3; the constants are its published defaults).
 *
 * First each paragraph by itself, then with its neighbours: content and boilerplate come in blocks.
 */

/** What the rules see of a paragraph. */
export interface Paragraph {
  /** Characters. */
  readonly length: number;
  /** Characters inside links. */
  readonly linkChars: number;
  /** Share of its words that are stop words; 1 where the language is not known. */
  readonly stopShare: number;
  readonly isHeading: boolean;
  readonly hasCopyright: boolean;
  readonly isChoice: boolean;
}

/** The words of the thesis for what a paragraph is by itself. */
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
/** Characters between a heading and the content that it heads. */
const MAX_HEADING_DISTANCE = 200;

interface FirstRule {
  readonly why: string;
  readonly test: (paragraph: Paragraph) => boolean;
  readonly first: FirstClass;
}

/** The first rule that fits says what a paragraph is by itself. */
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

export function linkDensity({ linkChars, length }: Paragraph): number {
  return length === 0 ? 0 : linkChars / length;
}

/** Whether the share of stop words can matter: only paragraphs that are long and not linked are asked for it. */
export function asksForStopWords(paragraph: Omit<Paragraph, "stopShare">): boolean {
  return firstRule({ ...paragraph, stopShare: 0 }) === FIRST_RULES.at(-1);
}

function firstRule(paragraph: Paragraph): FirstRule | undefined {
  return FIRST_RULES.find(({ test }) => test(paragraph));
}

/** A paragraph while its neighbours are asked. */
interface Open {
  readonly rule: FirstRule;
  now: FirstClass;
  why: string;
}

/** Judges the paragraphs of a page, in their order. Its time grows with their number alone. */
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

/** A short heading right before content waits with the near-good for its neighbours. */
function raiseShortHeadings(open: readonly Open[], paragraphs: readonly Paragraph[]): void {
  for (const [at, one] of open.entries())
    if (one.now === "short" && paragraphs[at]?.isHeading === true && headsContent(open, paragraphs, at)) {
      one.now = "near-good";
      one.why = "justext-heading";
    }
}

/** Short paragraphs go with what is decided around them; all at once, so that none counts as a neighbour. */
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

/** A near-good paragraph is content unless both sides are boilerplate; the side before is settled by then. */
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

/** A heading that only its neighbours made boilerplate is content right before content. */
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
    // A paragraph of nothing must not make the way endless.
    distance += Math.max(1, paragraphs[at]?.length ?? 0);
  }
  return false;
}

const isDecided = (now: FirstClass): boolean => now === "good" || now === "bad";
const isLong = (now: FirstClass): boolean => now !== "short";

/** For each paragraph the class of the next one before it (step 1) or after it (step -1) that fits; beyond the ends all is bad. */
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
