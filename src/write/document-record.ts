/** Builds the record of a labelled document, which JSON Lines files contain and the library returns. */
import type {
  BlockTag,
  CarriedJson,
  ConditionVerdict,
  Cuts,
  Document,
  Holder,
  InlineSpan,
  Label,
  LabelledLine,
  Line,
  Metadata,
  PageFormat,
  PageType,
  PageVerdict,
  Register,
  RegisterVerdict,
  Subregister,
  TextCondition,
} from "../document.js";
import { meanScore } from "../mean-score.js";
import { parsePlainJson } from "../json.js";
import { countWords } from "../language/words.js";
import type { Writable } from "../writable.js";
import { grade, isContent } from "./shown-lines.js";
import { formatText } from "./text.js";
import type { WriterOptions } from "./writer.js";

/** A line in the record of its document. */
export interface LineRecord {
  /** Like `Line.text`. */
  readonly text: string;
  readonly label: Label;
  /** P(main content), calibrated, 0..1, three decimals. */
  readonly score: number;
  /** The boilerplate score 1 − `score` in ten letters, a (0.0 to 0.1) to j. */
  readonly grade: string;
  readonly block: BlockTag;
  /** The element path, "body>main#content>article.post>p"; "" for plain text. */
  readonly path: string;
  /** UTF-16 code units of `text` that are inside links. */
  readonly linkChars: number;
  /** What separates the line from the one before: a line break, or the boundary of a block. */
  readonly breakBefore: Line["breakBefore"];
  /** Offsets [start, end) in UTF-16 code units into the decoded source. */
  readonly span?: readonly [number, number];
  /** The inline markup of the line, including links, outer spans first. Only set when it was requested. */
  readonly spans?: readonly InlineSpan[];
  /** Set on lines of user comments. */
  readonly kind?: "comment";
  /** The name of the rule that decided the label, if a rule did and not the score. */
  readonly why?: string;
  /** The labeller's own score, when `score` came from elsewhere. */
  readonly ownScore?: number;
  /** Only in records with all lines: what writers and a later run with another threshold need; each like in `Line`. */
  readonly leftOutBy?: string;
  readonly continuesItem?: true;
  readonly number?: number;
  readonly holder?: number;
}

/** The verdict on the whole page, if its labeller gives one. */
export interface PageRecord {
  readonly type: PageType;
  /** P(the page is of this type). */
  readonly probability: number;
  /** P(the page has main content). */
  readonly contentProbability: number;
  /** The score from which a line of this page counts as content. */
  readonly cut: number;
  /** Only in records with all lines: the value of `cut` under each focus, and whether any line above it is content. */
  readonly cuts?: Cuts;
  readonly hasContent?: boolean;
}

/** The condition of the text, if its labeller gives one. */
export interface ConditionRecord {
  readonly name: TextCondition;
  readonly probability: number;
  /**
   * Whether fewer than eight in ten predictions with this score are right; the lines are then scored by a mixture over
   * the conditions.
   */
  readonly doubtful: boolean;
  /** The score from which a line of this text counts as content. */
  readonly cut: number;
  /** Only in records with all lines: the value of `cut` under each focus. */
  readonly cuts?: Cuts;
}

/** The registers of `text` (CORE), only set when they were requested: calibrated probabilities with three decimals. */
export interface RegisterRecord {
  /** The registers that are likely enough, main ones first; empty when none of them is. */
  readonly found: readonly (Register | Subregister)[];
  readonly main: Readonly<Record<Register, number>>;
  /** Subregisters of the main registers. */
  readonly sub: Readonly<Record<Subregister, number>>;
  /** P(a machine wrote or translated the text). */
  readonly machine: number;
}

/**
 * A document as the library returns it. Files contain the same, except for the type of `carried`. Plain values: it
 * survives JSON and structuredClone.
 */
export interface DocumentRecord {
  readonly id: string;
  /** "" when it is unknown. */
  readonly url: string;
  /**
   * As the page or its record states it. The same holds for `lang`, a BCP 47 tag (or detected, if requested), and for
   * `meta`.
   */
  readonly title?: string;
  readonly lang?: string;
  /** `date` is ISO 8601: a date, or date and time. */
  readonly meta: Omit<Metadata, "title" | "lang">;
  /** The content lines, with a blank line before each new block. */
  readonly text: string;
  /** The number of words of `text`. */
  readonly words: number;
  /** The mean score of the content lines, weighted by their length in UTF-16 code units; 0 without content. */
  readonly score: number;
  /** The format that the lines were extracted from. */
  readonly source: PageFormat;
  readonly page?: PageRecord;
  readonly condition?: ConditionRecord;
  readonly registers?: RegisterRecord;
  readonly lines?: readonly LineRecord[];
  /** Only in records with all lines: the container elements around lines (with spans), and the base URL of links. */
  readonly holders?: readonly Holder[];
  readonly base?: string;
  /** Only in records with all lines: what else the labeller `page` reads; each like in `Document`. */
  readonly statedTitle?: string;
  readonly clues?: readonly string[];
  /** Notes on the result: a wrong charset declaration, a limit that was hit, an extractor that found nothing. */
  readonly notes: readonly string[];
  /**
   * Equal fingerprints mean the same code, options and models, and so the same text. If this run only applied new
   * thresholds, it is the fingerprint of this run, "+", and that of the run that scored the lines.
   */
  readonly fingerprint: string;
  /** The other fields of the record that the page came in. A number that JavaScript cannot hold exactly is a string. */
  readonly carried?: Carried;
}

/** The other fields of an input record, by name. */
export type Carried = Readonly<Record<string, unknown>>;

/** A document as it is written to files. */
export type StoredRecord = Omit<DocumentRecord, "carried"> & {
  /** The document in a second format, if requested. */
  readonly formatted?: string;
  /** The JSON text, unchanged. */
  readonly carried?: CarriedJson;
};

/** Builds the record that the library returns. */
export function toPlainRecord(...args: Parameters<typeof toRecord>): DocumentRecord {
  const { carried, ...record } = toRecord(...args);
  // It was written as a JSON object.
  return carried === undefined ? record : { ...record, carried: parsePlainJson(carried) as Carried };
}

/** Builds the record for files. `words` is the number of words of its text, if it has been counted before. */
export function toRecord(
  doc: Document<LabelledLine>,
  options: Pick<WriterOptions, "lines" | "fingerprint" | "formatted">,
  words?: number,
): StoredRecord {
  const { title, lang, ...meta } = doc.meta;
  const text = formatText(doc).trimEnd();
  const isAll = options.lines === "all";
  const { fingerprint } = options;
  return {
    id: doc.id,
    url: doc.url,
    ...(title === undefined ? {} : { title }),
    ...(lang === undefined ? {} : { lang }),
    meta,
    text,
    ...(options.formatted === undefined ? {} : { formatted: options.formatted }),
    words: words ?? countWords(text),
    score: scoreDocument(doc.lines),
    source: doc.source,
    ...(doc.verdict === undefined ? {} : { page: recordPage(doc.verdict, isAll) }),
    ...(doc.condition === undefined ? {} : { condition: recordCondition(doc.condition, isAll) }),
    ...(doc.registers === undefined ? {} : { registers: recordRegisters(doc.registers) }),
    ...(options.lines === "none" ? {} : { lines: recordLines(doc, isAll) }),
    ...(isAll && doc.holders !== undefined && { holders: doc.holders }),
    ...(isAll && doc.base !== undefined && { base: doc.base }),
    ...(isAll && doc.statedTitle !== undefined && { statedTitle: doc.statedTitle }),
    ...(isAll && doc.clues !== undefined && { clues: doc.clues }),
    notes: doc.notes,
    fingerprint: doc.scoredBy === undefined ? fingerprint : `${fingerprint}+${doc.scoredBy}`,
    ...(doc.carried === undefined ? {} : { carried: doc.carried }),
  };
}

function recordPage(verdict: PageVerdict, isAll: boolean): PageRecord {
  const { type, typeScore, score, cut, cuts, hasContent } = verdict;
  const record = { type, probability: typeScore, contentProbability: score, cut };
  return isAll && cuts !== undefined ? { ...record, cuts, hasContent } : record;
}

function recordCondition(verdict: ConditionVerdict, isAll: boolean): ConditionRecord {
  const { name, score, isDoubtful, cut, cuts } = verdict;
  const record = { name, probability: score, doubtful: isDoubtful, cut };
  return isAll && cuts !== undefined ? { ...record, cuts } : record;
}

/** Puts the most important fields first. */
function recordRegisters({ found, main, sub, machine }: RegisterVerdict): RegisterRecord {
  return { found, main, sub, machine };
}

function scoreDocument(lines: readonly LabelledLine[]): number {
  return Math.round((meanScore(lines) ?? 0) * 1000) / 1000;
}

function recordLines({ lines, holders }: Document<LabelledLine>, isAll: boolean): LineRecord[] {
  const isStructured = holders !== undefined;
  return (isAll ? lines : lines.filter(isContent)).map((line) => recordLine(line, { isAll, isStructured }));
}

/** Removes the fields that only relate a span to holders and other lines. */
function withoutPlace(span: InlineSpan): InlineSpan {
  if (span.holder === undefined && span.follows === undefined) return span;
  const bare: Writable<InlineSpan> = { ...span };
  delete bare.holder;
  delete bare.follows;
  return bare;
}

/** Lists links and spans of a line, without their holders if the record does not list holders. */
function listSpans({ links = [], spans = [] }: Line, isAll: boolean): InlineSpan[] {
  const all = [
    ...links.map((link): InlineSpan => ({ kind: "link", ...link })),
    ...(isAll ? spans : spans.map(withoutPlace)),
  ];
  return all.sort((a, b) => a.start - b.start || b.end - a.end);
}

/**
 * Builds the record field by field, because spreads of optional fields take longer than the rest of a page's record.
 */
function recordLine(
  line: LabelledLine,
  { isAll, isStructured }: { readonly isAll: boolean; readonly isStructured: boolean },
): LineRecord {
  const { text, label, score, block, path, linkChars, breakBefore, span, kind, why } = line;
  const record: Writable<LineRecord> = {
    text,
    label,
    score,
    grade: grade(score),
    block,
    path,
    linkChars,
    breakBefore,
  };
  if (span !== undefined) record.span = span;
  if (kind !== undefined) record.kind = kind;
  if (isStructured) record.spans = listSpans(line, isAll);
  if (why !== undefined) record.why = why;
  if (isAll) addEvidence(record, line);
  return record;
}

/** Adds what a later run with another threshold, and the writers of its lines, need. */
function addEvidence(record: Writable<LineRecord>, line: LabelledLine): void {
  const { ownScore, leftOutBy, continuesItem, number, holder } = line;
  if (ownScore !== undefined) record.ownScore = ownScore;
  if (leftOutBy !== undefined) record.leftOutBy = leftOutBy;
  if (continuesItem !== undefined) record.continuesItem = continuesItem;
  if (number !== undefined) record.number = number;
  if (holder !== undefined) record.holder = holder;
}
