/** Runs the filters over a stream of labelled documents, which are kept or become rejects; the entry of the folder. */
import type { Document, LabelledLine } from "../document.js";
import { accept, reject, type Outcome } from "../outcome.js";
import { createBudget } from "./duplicates/byte-store.js";
import { openDocumentMemory, traceDocument } from "./duplicates/document-memory.js";
import { openLineMemory } from "./duplicates/line-memory.js";
import { formatEntry, parseEntry, type Remembered } from "./duplicates/remembered.js";
import { createFilter, KEEP, type Filter, type Refusal, type Verdict } from "./filter.js";
import { viewKept, type Identify, type Kept } from "./kept-text.js";
import { checkLanguages, createLanguageFilter, openLanguageIdentifier, settleLanguage } from "./language.js";
import { dropsCopies, resolveLimits, resolveRegisters, type FilterOptions } from "./options.js";
import { createRegisterFilter } from "./registers.js";
import { measures } from "./registry.js";

/** The filters for one stream. The result depends on the documents kept before, so documents must come in order. */
export interface FilterRun {
  judge(document: Document<LabelledLine>): Judgement;
  /** Remembers a document that an earlier run over the same input kept. */
  recall(entry: string): void;
  close(): void;
}

interface Judgement {
  readonly outcome: Outcome<Document<LabelledLine>>;
  /** The language of the document, also if it was rejected. */
  readonly lang: string | undefined;
  /** For a duplicate, the id of the document that it is a copy of. */
  readonly copyOf?: string;
  /** The argument for `recall`; set for a kept document if duplicates are looked for. */
  readonly entry?: string;
}

interface DocumentFilters {
  /** The settings of the filters for the fingerprint; undefined if nothing is filtered. */
  readonly settings: Readonly<Record<string, unknown>> | undefined;
  /** Starts a stream with an empty memory. */
  start(): FilterRun;
}

const noLanguage: Identify = () => undefined;

/** Loads what the options need; their values must have been checked. Throws UsageError for an unknown language. */
export async function openFilters(options: FilterOptions): Promise<DocumentFilters> {
  const { languages, language, dedup, dedupLines } = options;
  const limits = resolveLimits(options);
  const registers = resolveRegisters(options);
  const asksLanguage = languages.length > 0 || language === "identified";
  const isNeeded = asksLanguage || limits.some(([name]) => measures[name].needsLanguage);
  const identifier = isNeeded ? await openLanguageIdentifier() : undefined;
  const identify = identifier?.identify ?? noLanguage;
  const filters: readonly Filter[] = [
    ...(languages.length === 0 || identifier === undefined
      ? []
      : [createLanguageFilter(checkLanguages(languages, identifier.languages), language)]),
    ...limits.map(([name, limit]) => createFilter(name, measures[name], limit)),
    ...(registers.length === 0 ? [] : [createRegisterFilter(registers)]),
  ];
  const isIdle = filters.length === 0 && !asksLanguage && !dropsCopies(options);
  return {
    settings: isIdle
      ? undefined
      : { limits, languages, language, dedup, dedupLines, ...(registers.length > 0 && { registers }) },
    start: () =>
      isIdle
        ? { judge: keepAll, recall: () => undefined, close: () => undefined }
        : startRun(options, { filters, identify, setsLanguage: asksLanguage }),
  };
}

interface Tools {
  readonly filters: readonly Filter[];
  readonly identify: Identify;
  readonly setsLanguage: boolean;
}

function startRun({ language, dedup, dedupLines, dedupMemoryBytes }: FilterOptions, tools: Tools): FilterRun {
  const { filters, identify, setsLanguage } = tools;
  const budget = createBudget(dedupMemoryBytes);
  const documents = dedup === "none" ? undefined : openDocumentMemory(dedup, budget);
  const lines = dedupLines === undefined ? undefined : openLineMemory(dedupLines, budget);
  const remember = ({ trace, lines: keys }: Remembered): void => {
    if (trace !== undefined) documents?.add(trace);
    if (keys !== undefined) lines?.add(keys);
  };
  return {
    judge(document) {
      const kept = viewKept(document, identify);
      const settle = (doc: Document<LabelledLine>): Document<LabelledLine> =>
        setsLanguage ? settleLanguage(doc, kept, language) : doc;
      const refuse = ({ reason, detail, of }: Refusal): Judgement => ({
        outcome: reject(document, "filter", reason, detail),
        lang: settle(document).meta.lang,
        ...(of === undefined ? {} : { copyOf: of }),
      });
      const verdict = judgeAll(filters, kept);
      if (!verdict.keep) return refuse(verdict);
      const trace = dedup === "none" ? undefined : traceDocument(kept, dedup);
      const copy = trace === undefined ? undefined : documents?.judge(trace);
      if (copy?.keep === false) return refuse(copy);
      const stripped = lines?.strip(document) ?? document;
      const left = stripped === document ? undefined : judgeStripped(filters, viewKept(stripped, identify));
      if (left?.keep === false) return refuse(left);
      // Only now is it certain that the document is kept; rejects are never remembered.
      const remembered: Remembered = {
        ...(trace === undefined ? {} : { trace }),
        ...(lines === undefined ? {} : { lines: lines.trace(document) }),
      };
      remember(remembered);
      const settled = settle(stripped);
      return {
        outcome: accept(settled),
        lang: settled.meta.lang,
        ...(documents === undefined && lines === undefined ? {} : { entry: formatEntry(remembered) }),
      };
    },
    recall(entry) {
      remember(parseEntry(entry));
    },
    close() {
      documents?.close();
      lines?.close();
    },
  };
}

function keepAll(document: Document<LabelledLine>): Judgement {
  return { outcome: accept(document), lang: document.meta.lang };
}

/** Returns the verdict of the first filter that rejects the document. */
function judgeAll(filters: readonly Filter[], kept: Kept): Verdict {
  for (const filter of filters) {
    const verdict = filter.judge(kept);
    if (!verdict.keep) return verdict;
  }
  return KEEP;
}

/** Judges what is left of a document without the lines that many documents share: it must pass the filters too. */
function judgeStripped(filters: readonly Filter[], kept: Kept): Verdict {
  if (kept.lines.length > 0) return judgeAll(filters, kept);
  return { keep: false, reason: "duplicate", detail: "every line occurs in many earlier documents" };
}
