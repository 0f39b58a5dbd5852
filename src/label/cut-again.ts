/**
 * Cuts lines again that an earlier run has scored, as that run would have done with other options. A network runs only
 * for readers' comments that must be judged by their text.
 */
import type { Document, LabelledLine, ScoredDocument } from "../document.js";
import { settleComments, type CommentsOption } from "./comments.js";
import { labelOne } from "./label-document.js";
import {
  isBlank,
  isSolid,
  isTaken,
  labelBlank,
  labelByRule,
  mapPlaces,
  roundScore,
  setLabel,
  WHY_NOTHING_HERE,
  type Verdict,
} from "./label-line.js";
import type { Focus } from "./labeller.js";
import type { LabellerChoice } from "./labeller-choice.js";
import { WHY_SENTENCES } from "./long-lines.js";
import { keepElements } from "./page/keep-elements.js";
import { mayRescue, rescueLines } from "./rescue-lines.js";
import { duplicateCaps, WHY_DUPLICATE } from "./text/duplicates.js";
import { findLetterIndexes, WHY_LETTER_INDEX } from "./text/letter-index.js";

interface CutOptions {
  readonly choice: LabellerChoice;
  readonly focus: Focus;
  readonly cut?: number;
  readonly comments: CommentsOption;
}

/** The note on a document whose record has no cuts of its labeller: its labels stay, unless `comments` changes them. */
export const NOTE_CUT_KEPT = "cut-kept";

/** Returns false if a long line was judged by its sentences: records lack their scores, so it must be labelled anew. */
export function canCutAgain({ lines }: ScoredDocument): boolean {
  return lines.every(({ why }) => why !== WHY_SENTENCES);
}

/** Cuts a document again and settles its comments. Without a cut in `options` or the record, adds NOTE_CUT_KEPT. */
export async function cutAgain(
  document: Document<LabelledLine>,
  { choice, comments, ...options }: CutOptions,
): Promise<Document<LabelledLine>> {
  const judged = document.verdict ?? document.condition;
  const cut = options.cut ?? judged?.cuts?.[options.focus];
  const labelled =
    cut === undefined
      ? { ...document, notes: [...document.notes, NOTE_CUT_KEPT] }
      : cutDocument(document, cut, options);
  const judge = async (part: Document): Promise<Document<LabelledLine>> =>
    labelOne(part, await choice.ofText(), {});
  return settleComments({ document, labelled, comments, judge });
}

function cutDocument(
  document: Document<LabelledLine>,
  cut: number,
  options: { readonly focus: Focus; readonly cut?: number },
): Document<LabelledLine> {
  const { verdict, condition } = document;
  const own = document.lines.map(giveOwnScore);
  const areAllTaken = own.every(isTaken);
  const taken = areAllTaken ? own : own.filter(isTaken);
  let lines: readonly LabelledLine[];
  if (verdict !== undefined) {
    const ruled = taken.map((line) => cutLine(line, cut, verdict.hasContent));
    lines = mayRescue(options) ? keepElements(ruled, cut) : ruled;
  } else if (condition !== undefined) {
    const ruled = cutByRules(taken, cut);
    lines = mayRescue(options) ? rescueLines(ruled) : ruled;
  } else lines = taken.map((line) => cutAt(line, cut, line.why));
  return {
    ...document,
    ...(verdict && { verdict: { ...verdict, cut } }),
    ...(condition && { condition: { ...condition, cut } }),
    lines: areAllTaken
      ? lines
      : mapPlaces(own, isTaken, (line, at) =>
          at === undefined
            ? give(line, { score: line.score, label: "boilerplate", why: line.leftOutBy })
            : (lines[at] ?? line),
        ),
  };
}

function giveOwnScore(line: LabelledLine): LabelledLine {
  const { ownScore: score, label, why } = line;
  return score === undefined ? line : setLabel(line, { score, label, why });
}

/** Cuts a line like the labeller `page`. */
function cutLine(line: LabelledLine, cut: number, hasContent: boolean): LabelledLine {
  if (isBlank(line.text)) return labelBlank(line);
  const { score } = line;
  if (hasContent || score < cut) return cutAt(line, cut);
  return give(line, { score, label: "boilerplate", why: WHY_NOTHING_HERE });
}

function cutAt(line: LabelledLine, cut: number, why?: string): LabelledLine {
  const score = roundScore(line.score);
  return give(line, { score, label: score >= cut ? "content" : "boilerplate", why });
}

/** Returns the same object if the verdict is unchanged, as for most lines, to save allocations. */
function give(line: LabelledLine, verdict: Verdict): LabelledLine {
  const { score, label, why } = verdict;
  const isSame = line.score === score && line.label === label && line.why === why;
  return isSame ? line : setLabel(line, verdict);
}

/** Cuts lines like the labeller `text`. A score that equals the cap of a duplicate must come from that rule. */
function cutByRules(lines: readonly LabelledLine[], cut: number): readonly LabelledLine[] {
  const shown = lines.filter(isSolid);
  const indexes = findLetterIndexes(shown.map(({ text }) => text));
  const others = shown.filter((_line, at) => indexes[at] === 0);
  const caps = duplicateCaps(others.map(({ text }) => text));
  const rules = new Map<LabelledLine, string>();
  for (const [at, line] of shown.entries()) if (indexes[at] === 1) rules.set(line, WHY_LETTER_INDEX);
  for (const [at, line] of others.entries()) if (caps[at] === line.score) rules.set(line, WHY_DUPLICATE);
  return lines.map((line) => {
    if (isBlank(line.text)) return labelBlank(line);
    const why = rules.get(line);
    return why === undefined ? cutAt(line, cut) : labelByRule(line, line.score, cut, why);
  });
}
