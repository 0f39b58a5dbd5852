/** Makes documents for the tests of the filters and judges them. */
import type { BlockTag, Document, LabelledLine } from "../../src/document.js";
import type { FilterOptions } from "../../src/filter/options.js";
import { DEFAULTS } from "../../src/options/options.js";
import { openFilters } from "../../src/filter/document-filters.js";
import type { Outcome } from "../../src/outcome.js";

export interface LineParts {
  readonly text: string;
  readonly label?: LabelledLine["label"];
  readonly score?: number;
  readonly block?: BlockTag;
  readonly breakBefore?: LabelledLine["breakBefore"];
}

/** Makes a labelled document; a string is a content line in its own block. */
export function makeDocument(
  lines: readonly (string | LineParts)[],
  { id = "doc", lang }: { readonly id?: string; readonly lang?: string } = {},
): Document<LabelledLine> {
  return {
    id,
    url: "",
    source: "text",
    meta: lang === undefined ? {} : { lang },
    notes: [],
    lines: lines.map((line) => ({
      block: "p",
      path: "",
      linkChars: 0,
      breakBefore: "block",
      score: 0.9,
      label: "content",
      ...(typeof line === "string" ? { text: line } : line),
    })),
  };
}

/** Returns the outcomes of documents that are judged one after another. */
export async function judgeAll(
  documents: readonly Document<LabelledLine>[],
  options: Partial<FilterOptions>,
): Promise<Outcome<Document<LabelledLine>>[]> {
  const run = (await openFilters({ ...DEFAULTS, ...options })).start();
  try {
    return documents.map((document) => run.judge(document).outcome);
  } finally {
    run.close();
  }
}

/** Returns "kept", or the reason and the detail. */
export function tell(outcome: Outcome<unknown> | undefined): string {
  if (outcome === undefined) return "nothing";
  return outcome.ok ? "kept" : `${outcome.reason}: ${outcome.detail ?? ""}`;
}

/** Makes words of an invented language, all different, so that nothing repeats. */
export function makeWords(count: number, first = 0): string[] {
  const letters = "abcdefghijklmnopqrstuvwxyz";
  return Array.from({ length: count }, (_, number) => {
    const value = number + first;
    return `w${letters.charAt(value % 26)}${letters.charAt(Math.floor(value / 26) % 26)}${letters.charAt(Math.floor(value / 676) % 26)}`;
  });
}
