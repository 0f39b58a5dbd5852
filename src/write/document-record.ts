/** Makes the record of a labelled document: what JSON Lines hold and what the library returns. */
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
  /** As `Line.text`. */
  readonly text: string;
  readonly label: Label;
  /** P(main content), calibrated, 0..1, three decimals. */
  readonly score: number;
  /** The boilerplate score 1 − `score` in ten letters, a (0.0 to 0.1) to j. */
  readonly grade: string;
  readonly block: BlockTag;
  /** The element path, "body>main#content>article.post>p"; "" for plain text. */
  readonly path: string;
  /** UTF-16 code units of `text` that are inside a link. */
  readonly linkChars: number;
  /** What separates the line from the one before: a mere line break, or the boundary of a block. */
  readonly breakBefore: Line["breakBefore"];
  /** Offsets [start, end) in UTF-16 code units into the decoded source. */
  readonly span?: readonly [number, number];
  /** What parts of the line are, links too, outer ones first; where that was asked for. */
  readonly spans?: readonly InlineSpan[];
  /** On the lines of readers' comments. */
  readonly kind?: "comment";
  /** The name of the rule that decided, where a rule did and not the score. */
  readonly why?: string;
  /** What the labeller gave the line, where `score` came from elsewhere. */
  readonly ownScore?: number;
  /** Of records with all lines, what else writers and another cut need; each as in `Line`. */
  readonly leftOutBy?: string;
  readonly continuesItem?: true;
  readonly number?: number;
  readonly holder?: number;
}

/** What the page is as a whole, where its labeller says so. */
export interface PageRecord {
  readonly type: PageType;
  /** P(the page is of this type). */
  readonly probability: number;
  /** P(the page has main content). */
  readonly contentProbability: number;
  /** The score from which a line of this page is content. */
  readonly cut: number;
  /** Of records with all lines: what the cut is under each focus, and whether lines above it are content at all. */
  readonly cuts?: Cuts;
  readonly hasContent?: boolean;
}

/** In what condition a text is, where its labeller says so. */
export interface ConditionRecord {
  readonly name: TextCondition;
  readonly probability: number;
  /** Whether fewer than eight of ten such tellings are right; lines are scored as in a mixture of the conditions. */
  readonly doubtful: boolean;
  /** The score from which a line of this text is content. */
  readonly cut: number;
  /** Of records with all lines: what the cut is under each focus. */
  readonly cuts?: Cuts;
}

/** What kind of text `text` is, where that was asked for: registers of CORE, as probabilities, calibrated, three decimals. */
export interface RegisterRecord {
  /** Those that are likely enough, main ones first; none where the text does not tell. */
  readonly found: readonly (Register | Subregister)[];
  readonly main: Readonly<Record<Register, number>>;
  /** Registers inside of the main ones. */
  readonly sub: Readonly<Record<Subregister, number>>;
  /** P(a machine wrote or translated the text). */
  readonly machine: number;
}

/** A document as the library returns it, and but for its type of `carried` as files hold it. Plain values: it survives JSON and structuredClone. */
export interface DocumentRecord {
  readonly id: string;
  /** "" where there is none. */
  readonly url: string;
  /** As the page or its record states it; so `lang`, a BCP 47 tag (identified, where that was asked), and `meta`. */
  readonly title?: string;
  readonly lang?: string;
  /** `date` is ISO 8601: a date, or date and time. */
  readonly meta: Omit<Metadata, "title" | "lang">;
  /** The content lines, one a line; a blank line where a new block begins. */
  readonly text: string;
  /** Of `text`. */
  readonly words: number;
  /** The mean score of the content lines, each weighted by its length in characters; 0 where there is none. */
  readonly score: number;
  /** What the lines were made from. */
  readonly source: PageFormat;
  readonly page?: PageRecord;
  readonly condition?: ConditionRecord;
  readonly registers?: RegisterRecord;
  readonly lines?: readonly LineRecord[];
  /** Of records with all lines and their spans: the elements that hold lines together, and what links are relative to. */
  readonly holders?: readonly Holder[];
  readonly base?: string;
  /** Of records with all lines, what the labeller `page` reads besides them; each as in `Document`. */
  readonly statedTitle?: string;
  readonly clues?: readonly string[];
  /** What the reader should know: a charset that lied, a cap that bit, an extractor that found nothing. */
  readonly notes: readonly string[];
  /**
   * The same fingerprint means the same code, options and models, and so the same text. Of lines that were cut again it is
   * that of the run that cut them and, behind a "+", of the run that scored them.
   */
  readonly fingerprint: string;
  /** The other fields of the record that the page came in; a number that JavaScript cannot hold is a string. */
  readonly carried?: Carried;
}

export type Carried = Readonly<Record<string, unknown>>;

/** A document as files hold it. */
export type StoredRecord = Omit<DocumentRecord, "carried"> & {
  /** The document in the format that was asked for besides its text. */
  readonly formatted?: string;
  /** It stays the text that it was. */
  readonly carried?: CarriedJson;
};

/** A document as the library returns it. */
export function toPlainRecord(...args: Parameters<typeof toRecord>): DocumentRecord {
  const { carried, ...record } = toRecord(...args);
  // It was written as an object.
  return carried === undefined ? record : { ...record, carried: parsePlainJson(carried) as Carried };
}

/** `words` is the number of words of its text, where they have been counted before. */
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

/** What matters most comes first. */
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

/** Without what only joins it with others. */
function withoutPlace(span: InlineSpan): InlineSpan {
  if (span.holder === undefined && span.follows === undefined) return span;
  const bare: Writable<InlineSpan> = { ...span };
  delete bare.holder;
  delete bare.follows;
  return bare;
}

/** Without the holders that they are in, where the record does not have them. */
function listSpans({ links = [], spans = [] }: Line, isAll: boolean): InlineSpan[] {
  const all = [
    ...links.map((link): InlineSpan => ({ kind: "link", ...link })),
    ...(isAll ? spans : spans.map(withoutPlace)),
  ];
  return all.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** Field by field: spreads of what may be there take longer than the rest of a page's record. */
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

/** What another cut, and the writers of its lines, need besides. */
function addEvidence(record: Writable<LineRecord>, line: LabelledLine): void {
  const { ownScore, leftOutBy, continuesItem, number, holder } = line;
  if (ownScore !== undefined) record.ownScore = ownScore;
  if (leftOutBy !== undefined) record.leftOutBy = leftOutBy;
  if (continuesItem !== undefined) record.continuesItem = continuesItem;
  if (number !== undefined) record.number = number;
  if (holder !== undefined) record.holder = holder;
}
