/** Reads the records of a cleaned corpus one after another, with the fields that a report needs. */
import { openInputs, type InputOptions } from "../acquire/inputs.js";
import type { Document, LabelledLine, Page, PageContent } from "../document.js";
import { meanScore } from "../mean-score.js";
import { parseJson, toFields, toText, type Fields } from "../json.js";
import { UsageError, type Outcome } from "../outcome.js";

export interface ReportedDocument {
  readonly id: string;
  readonly url: string;
  readonly lang: string | undefined;
  readonly pageType: string | undefined;
  readonly condition: string | undefined;
  /** The registers that were found; undefined if the record has no registers. */
  readonly registers: readonly string[] | undefined;
  /** Mean score of the kept lines, if the record has it. */
  readonly score: number | undefined;
  /** All lines but blank ones, or only the content lines. If the record has no lines, the lines of its text, without scores. */
  readonly lines: readonly ReportedLine[];
  /** The document, as filters take it. */
  readonly document: Document<LabelledLine>;
}

export interface ReportedLine {
  readonly text: string;
  readonly isKept: boolean;
  /** Absent if the record has no lines. */
  readonly score?: number;
  readonly why?: string;
}

/** Throws UsageError for an input that holds pages instead of records. */
export async function* readCorpus(
  inputs: readonly string[],
  options: InputOptions,
  signal: AbortSignal,
): AsyncGenerator<Outcome<ReportedDocument>> {
  for await (const outcome of openInputs(inputs, options).pages(signal)) {
    signal.throwIfAborted();
    yield outcome.ok ? { ok: true, value: toReported(outcome.value) } : outcome;
  }
  // The inputs just end when the signal aborts, and half a corpus must not look like a whole one.
  signal.throwIfAborted();
}

function toReported(page: Page): ReportedDocument {
  const { id, url, content, lang } = page;
  const fields = toFields(page.carried === undefined ? undefined : parseJson(page.carried));
  if (content.kind === "scored") {
    const { verdict, condition, lines, meta, registers } = content.scored;
    return {
      ...{ id, url, lang: meta.lang ?? lang, pageType: verdict?.type, condition: condition?.name },
      registers: registers?.found,
      score: meanScore(lines),
      lines: lines
        .filter(({ text }) => text.trim() !== "")
        .map(({ text, label, score, why }) => ({
          ...{ text, isKept: label === "content", score },
          ...(why === undefined ? {} : { why }),
        })),
      document: { id, url, ...content.scored },
    };
  }
  const lines = readTexts(content, id)
    .filter((text) => text.trim() !== "")
    .map((text) => ({ text, isKept: true }));
  return {
    ...{ id, url, lang: lang ?? toText(fields["lang"]), lines },
    ...readVerdicts(fields),
    document: { id, url, source: "text", meta: {}, notes: [], lines: lines.map(toContent) },
  };
}

function readVerdicts(
  fields: Fields,
): Pick<ReportedDocument, "pageType" | "condition" | "registers" | "score"> {
  const { score } = fields;
  return {
    pageType: toText(toFields(fields["page"])["type"]),
    condition: toText(toFields(fields["condition"])["name"]),
    registers: readFound(fields["registers"]),
    score: typeof score === "number" ? score : undefined,
  };
}

function readFound(registers: unknown): readonly string[] | undefined {
  const { found } = toFields(registers);
  return Array.isArray(found) ? found.filter((name) => typeof name === "string") : undefined;
}

function readTexts(
  content: Exclude<PageContent, { readonly kind: "scored" }>,
  id: string,
): readonly string[] {
  if (content.kind === "lines") return content.lines;
  if (content.kind === "text") return content.text.split("\n");
  throw new UsageError(
    `${id} is a page, but a report needs records of clean text; clean it first (thresher INPUT --keep-boilerplate -o clean.jsonl)`,
  );
}

function toContent({ text }: ReportedLine): LabelledLine {
  return { text, block: "text", path: "", linkChars: 0, breakBefore: "line", score: 1, label: "content" };
}
