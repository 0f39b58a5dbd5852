/** Compares the `justext` labeller with jusText on one page: how often they agree, and where they differ. */
import { alignText } from "../../../metrics/align/align.js";
import type { Internals, Judged, Paragraph, PlainLine } from "./justext-internals.js";

/** The answer of bench/lab/gate/justext/paragraphs.py for one page. */
export interface Reply {
  readonly id: string;
  readonly error?: string;
  /** The name of jusText's stop list for the language, if it has one. */
  readonly list?: string | null;
  readonly paragraphs?: readonly TheirParagraph[];
  /** The text that jusText takes as content. */
  readonly text?: string;
  /** The words of the stop list; only in the first reply that uses the list. */
  readonly words?: readonly string[];
}

export interface TheirParagraph {
  readonly text: string;
  readonly linkChars: number;
  readonly stopShare: number;
  readonly isHeading: boolean;
  readonly path: string;
  readonly first: "good" | "neargood" | "short" | "bad";
  readonly last: "good" | "bad";
}

/** Counts of compared lines and words, of those that agree, and of each kind of difference. */
export interface Agreement {
  all: number;
  same: number;
  words: number;
  sameWords: number;
  readonly differences: Map<string, number>;
}

export function startAgreement(): Agreement {
  return { all: 0, same: 0, words: 0, sameWords: 0, differences: new Map() };
}

/** What is compared, from our algorithm on jusText's input to our labeller as it is used. */
export const FIGURES = {
  classes: "jusText's paragraphs and stop list: the class of a paragraph by itself",
  paragraphs: "jusText's paragraphs and stop list: content or boilerplate",
  ownLists: "jusText's paragraphs, our stop words",
  ownLines: "our lines, jusText's stop list",
  labeller: "our lines, our stop words: the labeller as it is used",
} as const;
export type Figure = keyof typeof FIGURES;
export type Agreements = Readonly<Record<Figure, Agreement>>;

export interface ComparedPage {
  readonly reply: Reply;
  /** The words of jusText's stop list, each with the value 1; absent when jusText has no list for the language. */
  readonly list?: ReadonlyMap<string, number> | undefined;
  /** Our lines of the page, without blank ones. */
  readonly lines: readonly PlainLine[];
  readonly lang?: string | undefined;
}

/** Compares one page in all ways of `FIGURES`, and adds the counts to `into`. */
export function comparePage(page: ComparedPage, internals: Internals, into: Agreements): void {
  const { reply, list, lines, lang } = page;
  const theirs = reply.paragraphs ?? [];
  const stopShare = (text: string): number =>
    list === undefined ? 1 : internals.shareOf(internals.readWords(text, list), 1);
  const ownView = theirs.map((one): PlainLine & TheirParagraph => ({
    ...one,
    block: "div",
    path: toPath(one),
  }));

  const judged = internals.classify(theirs.map((one) => describe(one, stopShare(one.text))));
  for (const [at, one] of theirs.entries()) {
    const said = judged[at];
    if (said === undefined) continue;
    const isSame = said.first.replace("-", "") === one.first;
    note(into.classes, one.text, isSame, `${said.first} (${said.why}), jusText: ${one.first}`);
    compareLabels(into.paragraphs, one.text, said, one.last === "good");
  }

  const withOwnLists = internals.classify(internals.readParagraphs(ownView, lang).paragraphs);
  for (const [at, one] of theirs.entries())
    compareLabels(into.ownLists, one.text, withOwnLists[at], one.last === "good");

  const placed = alignText(
    lines.map(({ text }) => text),
    reply.text ?? "",
  ).predicted;
  const { paragraphs } = internals.readParagraphs(lines, lang);
  const withTheirList = paragraphs.map((one, at) => ({
    ...one,
    stopShare: stopShare(lines[at]?.text ?? ""),
  }));
  const ways = { ownLines: internals.classify(withTheirList), labeller: internals.classify(paragraphs) };
  for (const [at, { text }] of lines.entries()) {
    const theirLabel = placed[at];
    // A line without a word cannot be found in a text.
    if (theirLabel === null || theirLabel === undefined) continue;
    compareLabels(into.ownLines, text, ways.ownLines[at], theirLabel === 1);
    compareLabels(into.labeller, text, ways.labeller[at], theirLabel === 1);
  }
}

/** jusText joins the tags of a path with dots; our paths join them with `>`, and a dot has another meaning there. */
function toPath({ path }: TheirParagraph): string {
  return path.split(".").join(">");
}

function describe(one: TheirParagraph, stopShare: number): Paragraph {
  return {
    length: one.text.length,
    linkChars: one.linkChars,
    stopShare,
    isHeading: one.isHeading,
    hasCopyright: one.text.includes("©") || one.text.includes("&copy"),
    isChoice: one.path.split(".").includes("select"),
  };
}

function compareLabels(into: Agreement, text: string, said: Judged | undefined, isContent: boolean): void {
  if (said === undefined) throw new Error("a line has no verdict");
  const where = said.isContent ? "content here" : "boilerplate here";
  note(into, text, said.isContent === isContent, `${where}: ${said.why}`);
}

function note(into: Agreement, text: string, isSame: boolean, difference: string): void {
  const words = text.split(/\s+/).filter((word) => word !== "").length;
  into.all += 1;
  into.words += words;
  if (isSame) {
    into.same += 1;
    into.sameWords += words;
  } else into.differences.set(difference, (into.differences.get(difference) ?? 0) + 1);
}
