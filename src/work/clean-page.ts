/** Turns one page that was read into what is told of it: labelled, kept where it has content, put into its form. */
import { judgePayload } from "../acquire/page-bytes.js";
import type { CarriedJson, Document, LabelledLine, Metadata, Page } from "../document.js";
import { formatJson, parseJson, toFields, type Fields } from "../json.js";
import type { LabellerChoice } from "../label/labeller-choice.js";
import type { CommentsOption } from "../label/comments.js";
import { keepDocument, labelDocument } from "../label/label-document.js";
import { addRegisters } from "../label/registers/register-judge.js";
import { labellers, type LabellerName } from "../label/registry.js";
import type { Wanted } from "../options.js";
import { accept, reject, type Outcome } from "../outcome.js";
import { startTimeLimit, TookTooLong, type TimeLimit } from "../time-limit.js";
import { countWords } from "../words.js";
import { formatDocument, type Form } from "../write/registry.js";
import type { ReadPage } from "./guard.js";
import { NOTE_ONLY } from "./read-scripts.js";

/** What became of a page, before documents are compared with each other. */
export interface Cleaned {
  readonly outcome: Outcome<Document<LabelledLine>>;
  /** Time that the page itself took to be read and labelled. */
  readonly ms: number;
  /** Of a page that was labelled, whether its document stays or not: lines with text, by the label that they got. */
  readonly counts?: LineCounts;
  /** The document in the form that was asked for; then it comes without lines. */
  readonly formatted?: string;
  /** The language that a page states which was labelled and yet is no document. */
  readonly lang?: string;
}

export interface LineCounts {
  readonly contentLines: number;
  readonly boilerplateLines: number;
  /** Words of the content lines. */
  readonly words: number;
}

export interface CleanTools {
  readonly choice: LabellerChoice;
  readonly comments: CommentsOption;
  readonly keepBoilerplate: boolean;
  readonly wants: Wanted;
  readonly form?: Form;
  readonly labeller?: LabellerName;
  /** For the whole document; what reading it took is a part of it. */
  readonly timeoutMs: number;
}

/**
 * Judges the bytes of an archive's page before they are read, where nothing has looked at them yet: in the process that
 * cleans the page, since many of them can do it at once.
 */
export function judgeUnseen(page: Page): Outcome<Page> {
  const { content } = page;
  return content.kind === "bytes" && content.isUnseen === true ? judgePayload(page, content) : accept(page);
}

/** Labels what was read of the page; whatever that holds is an outcome. */
export async function cleanRead(page: Page, read: ReadPage, tools: CleanTools): Promise<Cleaned> {
  const { outcome, ms } = read;
  if (!outcome.ok) return { outcome, ms };
  const { labeller, timeoutMs } = tools;
  // Not every process stops what it reads; what is said of the page is the same in all.
  if (ms > timeoutMs) return { outcome: reject(page, "extract", "timeout", `${timeoutMs} ms`), ms };
  if (labeller !== undefined && labellers[labeller].needs?.page === true && outcome.value.source === "text")
    return { outcome: reject(page, "label", "needs-page", `labeller ${labeller}`), ms };
  const start = performance.now();
  const startLimit = (): TimeLimit => startTimeLimit(timeoutMs - ms, timeoutMs);
  try {
    const document = addLanguage(outcome.value, page.lang);
    const labelled = await labelDocument(document, { ...tools, startLimit });
    const kept = blameScripts(keepDocument(labelled, tools), document);
    const told = kept.ok ? await tellRegisters(kept.value, tools.choice) : kept;
    return finish(page, labelled, told, ms + performance.now() - start, tools);
  } catch (error) {
    if (!(error instanceof TookTooLong)) throw error;
    return { outcome: reject(page, "label", "timeout", error.message), ms: ms + performance.now() - start };
  }
}

async function tellRegisters(
  document: Document<LabelledLine>,
  { registers }: LabellerChoice,
): Promise<Outcome<Document<LabelledLine>>> {
  return accept(registers === undefined ? document : await addRegisters(document, await registers()));
}

/** A shell that shows a menu and no content would show it if its scripts ran. */
function blameScripts(
  kept: Outcome<Document<LabelledLine>>,
  { notes }: Document,
): Outcome<Document<LabelledLine>> {
  if (kept.ok || kept.reason !== "no-content" || !notes.includes(NOTE_ONLY)) return kept;
  return { ...kept, reason: "script-only" };
}

/** What the record states counts where the page itself names no language. */
function addLanguage(document: Document, lang: string | undefined): Document {
  if (lang === undefined || document.meta.lang !== undefined) return document;
  return { ...document, meta: { ...document.meta, lang } };
}

/** What is kept of a labelled page, with what the page carried along, in the form that was asked for. */
function finish(
  page: Page,
  labelled: Document<LabelledLine>,
  kept: Outcome<Document<LabelledLine>>,
  ms: number,
  { wants, form }: CleanTools,
): Cleaned {
  const counts = countLabels(labelled);
  const { lang } = labelled.meta;
  if (!kept.ok) return { outcome: kept, ms, counts, ...(lang === undefined ? {} : { lang }) };
  const document = addCarried(kept.value, page.carried);
  if (form === undefined)
    return { outcome: accept(wants === "text" ? dropBoilerplate(document) : document), ms, counts };
  const formatted = formatDocument(document, form, counts.words);
  return { outcome: accept({ ...kept.value, meta: document.meta, lines: [] }), ms, counts, formatted };
}

export function countLabels({ lines }: Document<LabelledLine>): LineCounts {
  const counts = { contentLines: 0, boilerplateLines: 0, words: 0 };
  for (const { label, text } of lines) {
    if (text.trim() === "") continue;
    if (label === "content") {
      counts.contentLines += 1;
      counts.words += countWords(text);
    } else counts.boilerplateLines += 1;
  }
  return counts;
}

/** A block boundary that a dropped line brought stays, so that the text is the same. */
function dropBoilerplate(document: Document<LabelledLine>): Document<LabelledLine> {
  const lines: LabelledLine[] = [];
  let isBlock = false;
  for (const line of document.lines) {
    isBlock ||= line.breakBefore === "block";
    if (line.label !== "content") continue;
    // A dropped line between two parts of a `pre` keeps them apart.
    if (line.block === "pre" && line.text.endsWith("\n")) return document;
    lines.push(isBlock && line.breakBefore === "line" ? { ...line, breakBefore: "block" } : line);
    isBlock = false;
  }
  return { ...document, lines };
}

const NAMES = ["title", "lang", "author", "date", "site"] as const;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * What a record of ours says of the page that its text came from is said of the text again: no page is there to say it,
 * and a second pass would lose title and language. Other records mean by the same names what they like.
 */
export function addCarried(
  document: Document<LabelledLine>,
  carried: CarriedJson | undefined,
): Document<LabelledLine> {
  if (carried === undefined) return document;
  const fields = toFields(document.source === "html" ? undefined : parseJson(carried));
  if (!isOurs(fields)) return { ...document, carried };
  const { title, lang, meta, ...rest } = fields;
  const said: Fields = { ...toFields(meta), title, lang };
  const found: Mutable<Metadata> = { ...document.meta };
  for (const name of NAMES) {
    const value = said[name];
    if (typeof value === "string" && value !== "") found[name] ??= value;
  }
  return { ...document, meta: found, carried: formatJson(rest) };
}

function isOurs({ fingerprint, source, title, lang, meta }: Fields): boolean {
  const isText = (value: unknown): boolean => value === undefined || typeof value === "string";
  const isRecord = typeof fingerprint === "string" && (source === "html" || source === "text");
  return isRecord && isText(title) && isText(lang) && (meta === undefined || typeof meta === "object");
}
