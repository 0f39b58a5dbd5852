/** A labelled document into the record of the interface: what JSONL holds and what the library returns. */
import type {
  Carried,
  ConditionVerdict,
  Document,
  LabelledLine,
  Line,
  PageType,
  PageVerdict,
  TextCondition,
} from "../document.js";
import { countWords } from "../words.js";
import { isContent } from "./blocks.js";
import { grade } from "./grade.js";
import { formatText } from "./text.js";
import type { WriterOptions } from "./writer.js";

export interface LineRecord {
  readonly text: string;
  readonly label: string;
  readonly score: number;
  readonly grade: string;
  readonly block: string;
  readonly path: string;
  readonly linkChars: number;
  readonly breakBefore: Line["breakBefore"];
  readonly span?: readonly [number, number];
  readonly kind?: "comment";
  readonly why?: string;
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
}

/** In what condition a text is, where its labeller says so. */
export interface ConditionRecord {
  readonly name: TextCondition;
  readonly probability: number;
  /** The score from which a line of this text is content. */
  readonly cut: number;
}

export interface DocumentRecord {
  readonly id: string;
  readonly url: string;
  readonly title?: string;
  readonly lang?: string;
  readonly meta: { readonly author?: string; readonly date?: string; readonly site?: string };
  readonly text: string;
  readonly words: number;
  /** The mean score of the content lines, each weighted by its length in characters; 0 where there is none. */
  readonly score: number;
  readonly source: string;
  readonly page?: PageRecord;
  readonly condition?: ConditionRecord;
  readonly lines?: readonly LineRecord[];
  readonly notes: readonly string[];
  readonly fingerprint: string;
  /** The other fields of the record that the page came in. */
  readonly carried?: Carried;
}

export function toRecord(
  doc: Document<LabelledLine>,
  options: Pick<WriterOptions, "lines" | "fingerprint">,
): DocumentRecord {
  const { title, lang, ...meta } = doc.meta;
  const text = formatText(doc).trimEnd();
  return {
    id: doc.id,
    url: doc.url,
    ...(title === undefined ? {} : { title }),
    ...(lang === undefined ? {} : { lang }),
    meta,
    text,
    words: countWords(text),
    score: scoreDocument(doc.lines),
    source: doc.source,
    ...(doc.verdict === undefined ? {} : { page: recordPage(doc.verdict) }),
    ...(doc.condition === undefined ? {} : { condition: recordCondition(doc.condition) }),
    ...(options.lines === "none" ? {} : { lines: recordLines(doc.lines, options.lines) }),
    notes: doc.notes,
    fingerprint: options.fingerprint,
    ...(doc.carried === undefined ? {} : { carried: doc.carried }),
  };
}

function recordPage({ type, typeScore, score, cut }: PageVerdict): PageRecord {
  return { type, probability: typeScore, contentProbability: score, cut };
}

function recordCondition({ name, score, cut }: ConditionVerdict): ConditionRecord {
  return { name, probability: score, cut };
}

function scoreDocument(lines: readonly LabelledLine[]): number {
  let weighted = 0;
  let characters = 0;
  for (const line of lines) {
    if (!isContent(line)) continue;
    weighted += line.score * line.text.length;
    characters += line.text.length;
  }
  return characters === 0 ? 0 : Math.round((weighted / characters) * 1000) / 1000;
}

function recordLines(lines: readonly LabelledLine[], which: "content" | "all"): LineRecord[] {
  return (which === "all" ? lines : lines.filter(isContent)).map(recordLine);
}

/** Field by field: spreads of what may be there take longer than the rest of a page's record. */
function recordLine(line: LabelledLine): LineRecord {
  const { text, label, score, block, path, linkChars, breakBefore, span, kind, why } = line;
  const record: { -readonly [K in keyof LineRecord]: LineRecord[K] } = {
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
  if (why !== undefined) record.why = why;
  return record;
}
