/** Turns one page that was read into a labelled document or a reject, in the output form that the caller wants. */
import { judgePayload } from "../acquire/page-bytes.js";
import type { Document, LabelledLine, Page, PageContent } from "../document.js";
import { mergeReservations } from "../document/reservations.js";
import type { LabellerChoice } from "../label/labeller-choice.js";
import type { CommentsOption } from "../label/comments.js";
import { canCutAgain, cutAgain } from "../label/cut-again.js";
import { keepDocument, labelDocument } from "../label/label-document.js";
import type { StructureOption } from "../extract/extractor.js";
import type { Focus } from "../label/labeller.js";
import { labellerNeeds, type LabellerName } from "../label/names.js";
import type { ConditionOption } from "../label/text/condition.js";
import { accept, reject, type Outcome, type Reject } from "../outcome.js";
import type { PageLimits, Wanted } from "../options/page-options.js";
import { addRegisters } from "../label/registers/register-judge.js";
import { TookTooLong, type StartLimit } from "../time/time-limit.js";
import { countWords } from "../language/words.js";
import { addCarried } from "./carried.js";
import { keepStructure } from "./kept-structure.js";
import { NOTE_ONLY } from "./read-scripts.js";

/** The result for one page, before documents are compared with each other. */
export interface Cleaned {
  readonly outcome: Outcome<Document<LabelledLine>>;
  /** Milliseconds that reading and labelling the page took. */
  readonly ms: number;
  /** Counts of lines with text by label; set for every labelled page, also if it has become a reject. */
  readonly counts?: LineCounts;
  /** The document in the wanted output form; `outcome` then has no lines. */
  readonly formatted?: string;
  /** The language that the page states; set only if the page was labelled and became a reject. */
  readonly lang?: string;
}

/** The result of reading a page. */
export interface ReadPage {
  readonly outcome: Outcome<Document>;
  /** Milliseconds that reading took, over all tries. */
  readonly ms: number;
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
  readonly focus: Focus;
  readonly cut?: number;
  /**
   * Whether lines that already have scores are labelled again; so they are if a labeller, model or condition is set.
   */
  readonly rescore: boolean;
  readonly modelDir?: string;
  readonly condition: ConditionOption;
  readonly keepBoilerplate: boolean;
  readonly wants: Wanted;
  /** Lines that are cut again lose the structure that this option does not keep. */
  readonly structure: StructureOption;
  /** Formats the document of a page in the wanted form; `words` is its word count. */
  readonly format?: (document: Document<LabelledLine>, page: Page, words: number) => string;
  readonly labeller?: LabellerName;
  /** Milliseconds for the whole document, including the time to read it. */
  readonly timeoutMs: number;
  readonly startLimit: StartLimit;
}

/**
 * Checks the bytes of an archived page that were not looked at yet, before they are read. This runs in the process that
 * cleans the page, so that many processes share the work.
 */
export function judgeUnseen(page: Page): Outcome<Page> {
  const { content } = page;
  if (content.kind !== "bytes" || content.isUnseen !== true) return accept(page);
  const judged = judgePayload(page, content);
  return judged.ok ? accept({ ...page, content: judged.value.content }) : judged;
}

/** Returns the size of a page: bytes, or UTF-16 code units if it is decoded already. The limit needs no exact count. */
export function sizeOf(content: PageContent): number {
  if (content.kind === "bytes") return content.bytes.byteLength;
  if (content.kind === "html") return content.html.length;
  if (content.kind === "text") return content.text.length;
  if (content.kind === "lines") return content.lines.reduce((sum, line) => sum + line.length, 0);
  if (content.kind === "record") return content.line.byteLength;
  return content.scored.lines.reduce((sum, { text }) => sum + text.length, 0);
}

/** Rejects a page that is larger than allowed, before it is read; undefined if it is not. */
export function refuseLarge(page: Page, { maxBytes }: PageLimits): Reject | undefined {
  // A record is checked by the size of the page in it, after it has been read.
  if (page.content.kind === "record") return undefined;
  const size = sizeOf(page.content);
  return size > maxBytes ? reject(page, "acquire", "too-large", `${size} bytes`) : undefined;
}

/** Labels a page that was read. Every problem of the page becomes a reject; only bugs are thrown. */
export async function cleanRead(page: Page, read: ReadPage, tools: CleanTools): Promise<Cleaned> {
  const { outcome, ms } = read;
  if (!outcome.ok) return { outcome, ms };
  const { labeller, timeoutMs } = tools;
  // Not every process can stop a slow read, so the check here gives the same outcome in all of them.
  if (ms > timeoutMs) return { outcome: reject(page, "extract", "timeout", `${timeoutMs} ms`), ms };
  if (labeller !== undefined && labellerNeeds[labeller].page === true && outcome.value.source === "text")
    return { outcome: reject(page, "label", "needs-page", `labeller ${labeller}`), ms };
  const begun = performance.now();
  const { choice, comments, startLimit } = tools;
  try {
    const document = addReservations(addLanguage(outcome.value, page.lang), page.reservations);
    const start = (): ReturnType<StartLimit> => startLimit(timeoutMs - ms, timeoutMs);
    const { id, url, content } = page;
    const labelled = await (content.kind === "scored" && keepsScores(page, tools)
      ? cutAgain({ id, url, ...keepStructure(content.scored, tools.structure) }, tools)
      : labelDocument(document, { choice, comments, startLimit: start }));
    const kept = blameScripts(keepDocument(labelled, tools), document);
    const told = kept.ok ? await tellRegisters(kept.value, choice) : kept;
    return finish(page, labelled, told, ms + performance.now() - begun, tools);
  } catch (error) {
    if (!(error instanceof TookTooLong)) throw error;
    return { outcome: reject(page, "label", "timeout", error.message), ms: ms + performance.now() - begun };
  }
}

/** Whether a page has scores and is only cut again: no labeller, model or condition is set, and `rescore` is off. */
export function keepsScores(
  { content }: Page,
  {
    rescore,
    labeller,
    modelDir,
    condition,
  }: Pick<CleanTools, "rescore" | "labeller" | "modelDir" | "condition">,
): boolean {
  const isRescored = rescore || labeller !== undefined || modelDir !== undefined || condition !== "auto";
  return content.kind === "scored" && !isRescored && canCutAgain(content.scored);
}

async function tellRegisters(
  document: Document<LabelledLine>,
  { registers }: LabellerChoice,
): Promise<Outcome<Document<LabelledLine>>> {
  return accept(registers === undefined ? document : await addRegisters(document, await registers()));
}

/** Names the scripts as the reason if a page that only scripts fill has no content: it may be a shell with a menu. */
function blameScripts(
  kept: Outcome<Document<LabelledLine>>,
  { notes }: Document,
): Outcome<Document<LabelledLine>> {
  if (kept.ok || kept.reason !== "no-content" || !notes.includes(NOTE_ONLY)) return kept;
  return { ...kept, reason: "script-only" };
}

/** Adds the language that the record states if the page itself states none. */
function addLanguage(document: Document, lang: string | undefined): Document {
  if (lang === undefined || document.meta.lang !== undefined) return document;
  return { ...document, meta: { ...document.meta, lang } };
}

/** Adds the uses that the server reserves to those that the page itself reserves. */
function addReservations(document: Document, reserved: readonly string[] | undefined): Document {
  const { reservations, from } = document.meta;
  const merged = reserved && mergeReservations(reservations, reserved);
  if (merged === undefined) return document;
  const origin = from && { from: { reservations: "http", ...from } };
  return { ...document, meta: { ...document.meta, reservations: merged, ...origin } };
}

/** Builds the result of a labelled page: adds what it carried along, and formats it if a form is wanted. */
function finish(
  page: Page,
  labelled: Document<LabelledLine>,
  kept: Outcome<Document<LabelledLine>>,
  ms: number,
  { wants, format }: CleanTools,
): Cleaned {
  const counts = countLabels(labelled);
  const { lang } = labelled.meta;
  if (!kept.ok) return { outcome: kept, ms, counts, ...(lang === undefined ? {} : { lang }) };
  const document = addCarried(kept.value, page.carried);
  if (format === undefined)
    return { outcome: accept(wants === "text" ? dropBoilerplate(document) : document), ms, counts };
  const formatted = format(document, page, counts.words);
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

/** Drops boilerplate lines. A block boundary before a dropped line moves to the next line, so the text is the same. */
function dropBoilerplate(document: Document<LabelledLine>): Document<LabelledLine> {
  const lines: LabelledLine[] = [];
  let isBlock = false;
  for (const line of document.lines) {
    isBlock ||= line.breakBefore === "block";
    if (line.label !== "content") continue;
    // Keeps all lines if a dropped line may separate two parts of a `pre`.
    if (line.block === "pre" && line.text.endsWith("\n")) return document;
    lines.push(isBlock && line.breakBefore === "line" ? { ...line, breakBefore: "block" } : line);
    isBlock = false;
  }
  return { ...document, lines };
}
