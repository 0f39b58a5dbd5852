/** A labelled document into the record of the interface: what JSONL holds and what the library returns. */
import type { Document, LabelledLine, Line } from "../document.js";
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
  readonly lines?: readonly LineRecord[];
  readonly notes: readonly string[];
  readonly fingerprint: string;
}

export function toRecord(doc: Document<LabelledLine>, options: Omit<WriterOptions, "links">): DocumentRecord {
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
    ...(options.lines === "none" ? {} : { lines: recordLines(doc.lines, options.lines) }),
    notes: doc.notes,
    fingerprint: options.fingerprint,
  };
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
  return (which === "all" ? lines : lines.filter(isContent)).map((line) => ({
    text: line.text,
    label: line.label,
    score: line.score,
    grade: grade(line.score),
    block: line.block,
    path: line.path,
    linkChars: line.linkChars,
    breakBefore: line.breakBefore,
    ...(line.span === undefined ? {} : { span: line.span }),
    ...(line.kind === undefined ? {} : { kind: line.kind }),
    ...(line.why === undefined ? {} : { why: line.why }),
  }));
}
