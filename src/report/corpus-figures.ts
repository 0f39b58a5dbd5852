/** Gathers the figures of a corpus in one pass and bounded memory: what was kept, why, and what other cuts keep. */
import { cutAfter } from "../cut-after.js";
import { bareHostOf } from "../parse-url.js";
import { Clusters } from "./clusters.js";
import type { FilterRun } from "../filter/document-filters.js";
import { nameLanguage } from "../language/language-tag.js";
import type { Outcome } from "../outcome.js";
import { createRandom } from "../random.js";
import { countWords } from "../language/words.js";
import type { Writable } from "../writable.js";
import type { ReportedDocument, ReportedLine } from "./read-corpus.js";
import { createBest, createReservoir, type Best, type Reservoir } from "./sample.js";
import { addTally, countLine, Counts, createTally, Groups, type Tally } from "./tally.js";

/** The fields that documents are grouped by. */
export const GROUPINGS = ["language", "host", "page type", "condition", "register"] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Thresholds of the other cuts that the report shows. */
export const THRESHOLDS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9] as const;

/** Number of bars in a histogram of scores. */
export const BARS = 20;

/** Lines that are shown for each threshold, and the largest distance of their scores from it. */
const SHOWN_LINES = 10;
const NEAR = 0.05;

/** Number of least certain documents that are shown, and of their lines. */
const SHOWN_DOCUMENTS = 20;
const SHOWN_DOUBTS = 5;
/** Documents with fewer words are uncertain just because they are short. */
const FEWEST_WORDS = 50;
/** Most characters of a line that are shown. */
const MOST_SHOWN = 300;

const UNKNOWN = "unknown";
/** The group of texts without any certain register. */
const UNSURE = "none for certain";

export interface LineSample {
  readonly id: string;
  readonly text: string;
  readonly score: number;
  readonly isKept: boolean;
}

export interface DoubtfulDocument {
  readonly id: string;
  readonly url: string;
  readonly words: number;
  /** Mean of 1 − |2 × score − 1| over lines, weighted by words: 0 is certain, 1 is a guess. */
  readonly doubt: number;
  readonly lines: readonly LineSample[];
}

/** What a cut at a threshold would keep. */
export interface Kept {
  documents: number;
  words: number;
}

export interface CorpusFigures {
  readonly total: Tally;
  readonly rejects: number;
  readonly rejectReasons: Counts;
  readonly groups: Readonly<Record<Grouping, Groups>>;
  /** Histograms of scores from 0 to 1 in equal bars: words by the score of their line, documents by their own. */
  readonly lineScores: Float64Array;
  readonly documentScores: Float64Array;
  /** Whether any record held dropped lines, and whether any held scores of its lines. */
  readonly hasDropped: boolean;
  readonly hasScores: boolean;
  /** What each threshold would keep, in the order of `THRESHOLDS`. */
  readonly kept: readonly Kept[];
  readonly keptByLanguage: ReadonlyMap<string, readonly Kept[]>;
  readonly samples: readonly Reservoir<LineSample>[];
  readonly reasons: Counts;
  readonly doubtful: Best<DoubtfulDocument>;
  /** Documents that are near-copies of an earlier one, and their number. */
  readonly copies: Clusters;
  readonly copied: number;
  readonly fingerprints: Counts;
}

export interface Gathering {
  add(outcome: Outcome<ReportedDocument>): void;
  readonly figures: CorpusFigures;
}

/** Most languages that have their own table of thresholds. */
const MOST_LANGUAGES = 300;

/** `copies` finds near-duplicates; if undefined, they are not looked for. */
export function gatherFigures(seed: number, copies: FilterRun | undefined): Gathering {
  const figures = startFigures(seed);
  const { keptByLanguage } = figures;

  const addLine = (document: ReportedDocument, line: ReportedLine, words: number, tally: Tally): void => {
    const { text, isKept, score, why } = line;
    countLine(tally, isKept, words);
    if (!isKept) figures.hasDropped = true;
    if (why !== undefined) figures.reasons.add(why);
    if (score === undefined) return;
    figures.hasScores = true;
    add(figures.lineScores, score, words);
    for (const [at, threshold] of THRESHOLDS.entries())
      if (Math.abs(score - threshold) <= NEAR)
        figures.samples[at]?.offer(() => ({ id: document.id, text: shorten(text), score, isKept }));
  };

  return {
    figures,
    add(outcome) {
      if (!outcome.ok) {
        figures.rejects += 1;
        figures.rejectReasons.add(outcome.reason);
        return;
      }
      const document = outcome.value;
      const tally = createTally();
      tally.documents = 1;
      const words = document.lines.map(({ text }) => countWords(text));
      for (const [at, line] of document.lines.entries()) addLine(document, line, words[at] ?? 0, tally);
      addTally(figures.total, tally);
      const lang = nameLanguage(document.lang);
      figures.groups.language.add(lang, tally);
      figures.groups.host.add(bareHostOf(document.url) || UNKNOWN, tally);
      figures.groups["page type"].add(document.pageType ?? UNKNOWN, tally);
      figures.groups.condition.add(document.condition ?? UNKNOWN, tally);
      // A text with several registers counts in each of them.
      const registers = document.registers ?? [UNKNOWN];
      for (const name of registers.length === 0 ? [UNSURE] : registers)
        figures.groups.register.add(name, tally);
      figures.fingerprints.add(document.document.scoredBy ?? UNKNOWN);
      if (document.score !== undefined) add(figures.documentScores, document.score, 1);
      addThresholds(figures.kept, document.lines, words);
      let own = keptByLanguage.get(lang);
      if (own === undefined && keptByLanguage.size < MOST_LANGUAGES)
        keptByLanguage.set(lang, (own = emptyKept()));
      if (own !== undefined) addThresholds(own, document.lines, words);
      addDoubt(figures.doubtful, document, words);
      const first = copies?.judge(document.document).copyOf;
      if (first !== undefined) {
        figures.copied += 1;
        figures.copies.add(first, document.document.id);
      }
    },
  };
}

function emptyKept(): Kept[] {
  return THRESHOLDS.map(() => ({ documents: 0, words: 0 }));
}

function startFigures(seed: number): Writable<CorpusFigures> & { keptByLanguage: Map<string, Kept[]> } {
  const random = createRandom(seed);
  return {
    total: createTally(),
    rejects: 0,
    rejectReasons: new Counts(),
    groups: {
      language: new Groups(),
      host: new Groups(),
      "page type": new Groups(),
      condition: new Groups(),
      register: new Groups(),
    },
    lineScores: new Float64Array(BARS),
    documentScores: new Float64Array(BARS),
    hasDropped: false,
    hasScores: false,
    kept: emptyKept(),
    keptByLanguage: new Map<string, Kept[]>(),
    samples: THRESHOLDS.map(() => createReservoir<LineSample>(SHOWN_LINES, random)),
    reasons: new Counts(),
    doubtful: createBest<DoubtfulDocument>(SHOWN_DOCUMENTS),
    copies: new Clusters(),
    copied: 0,
    fingerprints: new Counts(),
  };
}

function add(bars: Float64Array, score: number, weight: number): void {
  const bar = Math.min(BARS - 1, Math.floor(score * BARS));
  bars[bar] = (bars[bar] ?? 0) + weight;
}

/** Adds what each threshold would keep of the document, going by scores alone. */
function addThresholds(
  kept: readonly Kept[],
  lines: readonly ReportedLine[],
  words: readonly number[],
): void {
  for (const [at, threshold] of THRESHOLDS.entries()) {
    const into = kept[at];
    if (into === undefined) continue;
    let left = 0;
    for (const [line, { score }] of lines.entries())
      if (score !== undefined && score >= threshold) left += words[line] ?? 0;
    into.words += left;
    if (left > 0) into.documents += 1;
  }
}

function addDoubt(
  doubtful: Best<DoubtfulDocument>,
  { id, url, lines }: ReportedDocument,
  words: readonly number[],
): void {
  let all = 0;
  let sum = 0;
  for (const [at, { score }] of lines.entries()) {
    if (score === undefined) continue;
    all += words[at] ?? 0;
    sum += (words[at] ?? 0) * doubtOf(score);
  }
  if (all < FEWEST_WORDS) return;
  const doubt = sum / all;
  doubtful.offer(doubt, () => {
    const worst = createBest<LineSample>(SHOWN_DOUBTS);
    for (const [at, { text, score, isKept }] of lines.entries())
      if (score !== undefined)
        worst.offer((words[at] ?? 0) * doubtOf(score), () => ({ id, text: shorten(text), score, isKept }));
    return { id, url, words: all, doubt, lines: worst.items };
  });
}

function doubtOf(score: number): number {
  return 1 - Math.abs(2 * score - 1);
}

function shorten(text: string): string {
  return text.length <= MOST_SHOWN ? text : `${cutAfter(text, MOST_SHOWN)}…`;
}
