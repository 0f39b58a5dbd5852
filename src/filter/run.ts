/** Labelled documents into those that all filters keep, and rejects: the door of the room. */
import type { Document, LabelledLine } from "../document.js";
import { accept, reject, type Outcome } from "../outcome.js";
import { openLineMemory } from "./duplicates/lines.js";
import { openDocumentMemory } from "./duplicates/memory.js";
import { createBudget } from "./duplicates/store.js";
import { createFilter, type Filter, type Verdict } from "./filter.js";
import { viewKept, type Identify, type Kept } from "./kept.js";
import { createLanguageFilter, settleLanguage } from "./language-filter.js";
import { checkLanguages, openLanguageIdentifier } from "./language.js";
import { checkFilterOptions, resolveLimits, type FilterOptions } from "./options.js";
import { measures } from "./registry.js";

/** Judges one stream: what it keeps depends on what it kept before, so documents must come in order. */
export interface FilterRun {
  judge(document: Document<LabelledLine>): Outcome<Document<LabelledLine>>;
  close(): void;
}

export interface DocumentFilters {
  /** What the fingerprint has to know; undefined where nothing is filtered. */
  readonly settings: Readonly<Record<string, unknown>> | undefined;
  /** Begins a stream with an empty memory. */
  start(): FilterRun;
}

const noLanguage: Identify = () => undefined;

/** Checks the options and loads what they need. Throws UsageError when something does not fit. */
export async function openFilters(options: FilterOptions): Promise<DocumentFilters> {
  const { languages, language, dedup, dedupLines } = options;
  checkFilterOptions(options);
  const limits = resolveLimits(options);
  const asksLanguage = languages.length > 0 || language === "identified";
  const isNeeded = asksLanguage || limits.some(([name]) => measures[name].needsLanguage);
  const identifier = isNeeded ? await openLanguageIdentifier() : undefined;
  const identify = identifier?.identify ?? noLanguage;
  const filters: readonly Filter[] = [
    ...(languages.length === 0 || identifier === undefined
      ? []
      : [createLanguageFilter(checkLanguages(languages, identifier.languages))]),
    ...limits.map(([name, limit]) => createFilter(name, measures[name], limit)),
  ];
  const isIdle = filters.length === 0 && !asksLanguage && dedup === "none" && dedupLines === undefined;
  return {
    settings: isIdle ? undefined : { limits, languages, language, dedup, dedupLines },
    start: () =>
      isIdle
        ? { judge: accept, close: () => undefined }
        : startRun(options, { filters, identify, setsLanguage: asksLanguage }),
  };
}

interface Tools {
  readonly filters: readonly Filter[];
  readonly identify: Identify;
  readonly setsLanguage: boolean;
}

function startRun({ dedup, dedupLines, dedupMemoryBytes }: FilterOptions, tools: Tools): FilterRun {
  const { filters, identify, setsLanguage } = tools;
  const budget = createBudget(dedupMemoryBytes);
  const documents = dedup === "none" ? undefined : openDocumentMemory(dedup, budget);
  const lines = dedupLines === undefined ? undefined : openLineMemory(dedupLines, budget);
  return {
    judge(document) {
      const refuse = ({ reason, detail }: Verdict & { keep: false }): Outcome<Document<LabelledLine>> =>
        reject(document, "filter", reason, detail);
      const kept = viewKept(document, identify);
      const verdict = judgeAll(filters, kept);
      if (!verdict.keep) return refuse(verdict);
      const trace = documents?.trace(kept);
      const copy = trace === undefined ? undefined : documents?.judge(trace);
      if (copy?.keep === false) return refuse(copy);
      const stripped = lines?.strip(document) ?? document;
      const left = stripped === document ? undefined : judgeStripped(filters, viewKept(stripped, identify));
      if (left?.keep === false) return refuse(left);
      // Only now is it certain that the document stays: rejects are never remembered.
      if (trace !== undefined) documents?.add(trace);
      lines?.add(document);
      return accept(setsLanguage ? settleLanguage(stripped, kept) : stripped);
    },
    close() {
      documents?.close();
      lines?.close();
    },
  };
}

/** The first filter that rejects decides. */
function judgeAll(filters: readonly Filter[], kept: Kept): Verdict {
  for (const filter of filters) {
    const verdict = filter.judge(kept);
    if (!verdict.keep) return verdict;
  }
  return { keep: true };
}

/** What is left when the corpus's lines are gone has to pass as well. */
function judgeStripped(filters: readonly Filter[], kept: Kept): Verdict {
  if (kept.lines.length > 0) return judgeAll(filters, kept);
  return { keep: false, reason: "duplicate", detail: "every line stands in many documents before it" };
}
