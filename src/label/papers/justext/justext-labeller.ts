/**
 * Labels the lines of a page or text by jusText's algorithm (the labeller `justext`). Plain text has no links and
 * headings, so only length, stop words and neighbours decide there.
 */
import type { Document, LabelledLine, Line } from "../../../document.js";
import type { Focus, Labeller, LabellerOptions } from "../../labeller.js";
import { isSolid, labelEach, labelLine } from "../../label-line.js";
import {
  asksForStopWords,
  classify,
  linkDensity,
  MAX_LINK_DENSITY,
  STOP_WORDS_LOW,
  type FirstClass,
  type Judged,
  type Paragraph,
} from "./classify.js";
import { chooseLanguage, readWords, stopShare } from "./stop-lists.js";

/**
 * The bands of scores for lines of each first class: from and to for boilerplate, then from and to for content.
 * `marginOf` places a line within its band. Scores are points on a scale and not probabilities.
 */
const BANDS: Readonly<Record<FirstClass, readonly [number, number, number, number]>> = {
  bad: [0.02, 0.2, 0.5, 0.5],
  short: [0.22, 0.28, 0.52, 0.58],
  "near-good": [0.32, 0.45, 0.6, 0.74],
  good: [0.48, 0.49, 0.8, 0.98],
};
/** balanced: jusText's verdict; precision: lines good by themselves; recall: all but the bad or short ones it drops. */
const CUTS: Readonly<Record<Focus, number>> = { precision: 0.76, balanced: 0.5, recall: 0.3 };

/** The note on a document for which no stop words were counted. */
export const NOTE_NO_LIST =
  "justext has no stop words for this text: only length, links and neighbours decided";

export function createJustextLabeller({ focus, cut: given }: LabellerOptions): Labeller {
  const cut = given ?? CUTS[focus];
  return {
    name: "justext",
    label: (batch) => Promise.resolve(batch.map((document) => labelDocument(document, cut))),
    close: () => Promise.resolve(),
  };
}

function labelDocument(document: Document, cut: number): Document<LabelledLine> {
  const solid = document.lines.filter(isSolid);
  const { paragraphs, hasList } = readParagraphs(solid, document.meta.lang);
  const judged = classify(paragraphs);
  const lines = labelEach(document.lines, (line, at) => {
    const verdict = judged[at];
    const paragraph = paragraphs[at];
    if (verdict === undefined || paragraph === undefined) throw new Error("a line has no verdict");
    return labelLine(line, scoreOf(verdict, paragraph), cut, verdict.why);
  });
  const notes = hasList ? document.notes : [...document.notes, NOTE_NO_LIST];
  return { ...document, notes, lines };
}

/** Reads the facts about lines for the rules. `hasList` is false when stop words matter but no list fits. */
export function readParagraphs(
  lines: readonly Line[],
  stated?: string,
): { readonly paragraphs: readonly Paragraph[]; readonly hasList: boolean } {
  const bare = lines.map(describeLine);
  const asking = bare.map((one, at) =>
    asksForStopWords(one) ? readWords(lines[at]?.text ?? "") : undefined,
  );
  const words = asking.filter((one) => one !== undefined);
  const language = chooseLanguage(words, stated);
  const paragraphs = bare.map((one, at) => {
    const own = asking[at];
    if (own === undefined || language === undefined) return { ...one, stopShare: 1 };
    return { ...one, stopShare: stopShare(own, language) };
  });
  return { paragraphs, hasList: words.length === 0 || language !== undefined };
}

const HEADING = /(?:^|>)h[1-6](?![\w-])/;
const CHOICE = /(?:^|>)select(?![\w-])/;

function describeLine({ text, block, path, linkChars }: Line): Omit<Paragraph, "stopShare"> {
  return {
    length: text.length,
    linkChars,
    isHeading: HEADING.test(block) || HEADING.test(path),
    // "&copy" is the text of a page that escapes the sign twice.
    hasCopyright: text.includes("©") || text.includes("&copy"),
    isChoice: CHOICE.test(path),
  };
}

function scoreOf({ first, isContent, why }: Judged, paragraph: Paragraph): number {
  const [from, to, contentFrom, contentTo] = BANDS[first];
  const margin = marginOf(first, why, paragraph);
  return isContent ? contentFrom + margin * (contentTo - contentFrom) : from + margin * (to - from);
}

/** Returns how near to content a line is within its class, from 0 to 1. */
function marginOf(first: FirstClass, why: string, paragraph: Paragraph): number {
  const { stopShare: share } = paragraph;
  if (first === "short") return Math.min(1, paragraph.length / 70);
  if (first !== "bad") return Math.min(1, (share - STOP_WORDS_LOW) / (1 - STOP_WORDS_LOW));
  if (why === "justext-few-stop-words") return Math.min(1, share / STOP_WORDS_LOW);
  if (why === "justext-link-density")
    return 1 - Math.min(1, (linkDensity(paragraph) - MAX_LINK_DENSITY) / (1 - MAX_LINK_DENSITY));
  return 0;
}
