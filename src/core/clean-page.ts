/** Turns one page that was read into what is told of it: labelled, kept where it has content, put into its form. */
import { judgePayload } from "../acquire/page-bytes.js";
import type { ScoredDocument, Document, LabelledLine, Page, PageContent } from "../document.js";
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
import type { Writable } from "../writable.js";
import { addCarried } from "./carried.js";
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

/** A page that is through with reading. */
export interface ReadPage {
  readonly outcome: Outcome<Document>;
  /** Time that reading took, in all tries. */
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
  /** Whether lines that bring scores are labelled anew; so they are where a labeller, a model or a condition is named. */
  readonly rescore: boolean;
  readonly modelDir?: string;
  readonly condition: ConditionOption;
  readonly keepBoilerplate: boolean;
  readonly wants: Wanted;
  /** Lines that are cut again lose the structure that nobody asks for. */
  readonly structure: StructureOption;
  /** Makes the form in which a document is wanted, of which `words` are counted. */
  readonly format?: (document: Document<LabelledLine>, words: number) => string;
  readonly labeller?: LabellerName;
  /** For the whole document; what reading it took is a part of it. */
  readonly timeoutMs: number;
  readonly startLimit: StartLimit;
}

/**
 * Judges the bytes of an archive's page before they are read, where nothing has looked at them yet: in the process that
 * cleans the page, since many of them can do it at once.
 */
export function judgeUnseen(page: Page): Outcome<Page> {
  const { content } = page;
  if (content.kind !== "bytes" || content.isUnseen !== true) return accept(page);
  const judged = judgePayload(page, content);
  return judged.ok ? accept({ ...page, content: judged.value.content }) : judged;
}

/** Bytes, or UTF-16 code units of what is already decoded: a bound is wanted, not a count. */
export function sizeOf(content: PageContent): number {
  if (content.kind === "bytes") return content.bytes.byteLength;
  if (content.kind === "html") return content.html.length;
  if (content.kind === "text") return content.text.length;
  if (content.kind === "lines") return content.lines.reduce((sum, line) => sum + line.length, 0);
  if (content.kind === "record") return content.line.byteLength;
  return content.scored.lines.reduce((sum, { text }) => sum + text.length, 0);
}

/** Why a page is not even read, where it has more than it may. */
export function refuseLarge(page: Page, { maxBytes }: PageLimits): Reject | undefined {
  // A record is judged by the page in it, once it is read.
  if (page.content.kind === "record") return undefined;
  const size = sizeOf(page.content);
  return size > maxBytes ? reject(page, "acquire", "too-large", `${size} bytes`) : undefined;
}

/** Labels what was read of the page; whatever that holds is an outcome. */
export async function cleanRead(page: Page, read: ReadPage, tools: CleanTools): Promise<Cleaned> {
  const { outcome, ms } = read;
  if (!outcome.ok) return { outcome, ms };
  const { labeller, timeoutMs } = tools;
  // Not every process stops what it reads; what is said of the page is the same in all.
  if (ms > timeoutMs) return { outcome: reject(page, "extract", "timeout", `${timeoutMs} ms`), ms };
  if (labeller !== undefined && labellerNeeds[labeller].page === true && outcome.value.source === "text")
    return { outcome: reject(page, "label", "needs-page", `labeller ${labeller}`), ms };
  const begun = performance.now();
  const { choice, comments, startLimit } = tools;
  try {
    const document = addLanguage(outcome.value, page.lang);
    const start = (): ReturnType<StartLimit> => startLimit(timeoutMs - ms, timeoutMs);
    const { id, url, content } = page;
    const labelled = await (content.kind === "scored" && keepsScores(page, tools)
      ? cutAgain({ id, url, ...toStructure(content.scored, tools) }, tools)
      : labelDocument(document, { choice, comments, startLimit: start }));
    const kept = blameScripts(keepDocument(labelled, tools), document);
    const told = kept.ok ? await tellRegisters(kept.value, choice) : kept;
    return finish(page, labelled, told, ms + performance.now() - begun, tools);
  } catch (error) {
    if (!(error instanceof TookTooLong)) throw error;
    return { outcome: reject(page, "label", "timeout", error.message), ms: ms + performance.now() - begun };
  }
}

/** Without what a run before has kept, of structure and images, and this one does not ask for. */
function toStructure(scored: ScoredDocument, { structure }: Pick<CleanTools, "structure">): ScoredDocument {
  if (structure === "keep" || scored.holders === undefined) return scored;
  if (structure === "words") return { ...scored, lines: scored.lines.map(withoutImages) };
  const others: Writable<ScoredDocument> = { ...scored, lines: scored.lines.map(withoutStructure) };
  delete others.holders;
  delete others.base;
  return others;
}

/** An image makes figures and cells of its own, which would be empty without it. */
function withoutImages(line: LabelledLine): LabelledLine {
  const spans = line.spans?.filter(({ kind }) => kind !== "image");
  if (spans?.length === line.spans?.length) return line;
  const bare: Writable<LabelledLine> = { ...line };
  if (spans === undefined || spans.length === 0) delete bare.spans;
  else bare.spans = spans;
  return bare;
}

function withoutStructure(line: LabelledLine): LabelledLine {
  const bare: Writable<LabelledLine> = { ...line };
  delete bare.holder;
  delete bare.spans;
  delete bare.links;
  return bare;
}

/** Whether a page is only cut again: it brings scores, and nobody is named who labels (a labeller, a model, a condition). */
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
  { wants, format }: CleanTools,
): Cleaned {
  const counts = countLabels(labelled);
  const { lang } = labelled.meta;
  if (!kept.ok) return { outcome: kept, ms, counts, ...(lang === undefined ? {} : { lang }) };
  const document = addCarried(kept.value, page.carried);
  if (format === undefined)
    return { outcome: accept(wants === "text" ? dropBoilerplate(document) : document), ms, counts };
  const formatted = format(document, counts.words);
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
