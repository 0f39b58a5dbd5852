/** Exports annotations as gold: the lines of each marked document with the annotator's labels. */
import type { Mark } from "../app/wire.js";
import type { Annotations, Marks } from "./annotations.js";
import type { Catalog } from "../records/catalog.js";
import type { Entry } from "../records/entry.js";
import { readStored } from "../records/stored.js";
import { isContentMark } from "./agreement.js";

export interface ExportOptions {
  readonly annotator: string;
  /** The label of readers' comments in this gold; they have `cls` "comment" in any case. */
  readonly comments: "content" | "boilerplate";
  /** Whether to leave out partly marked documents; otherwise their unmarked lines get no label. */
  readonly only: "done" | "begun";
  /** Whether to include the source of pages if it is available: the benchmark gives it to extractors. */
  readonly source: "with" | "without";
}

/** Yields one JSON object per document, for `thresher bench --corpus`, `thresher features` and training. */
export async function* exportGold(
  catalog: Catalog,
  annotations: Annotations,
  options: ExportOptions,
): AsyncGenerator<string> {
  for (const entry of catalog.all()) {
    const marks = annotations.marksOf(options.annotator, entry.key, entry.digest);
    if (marks.size === 0 || (options.only === "done" && marks.size < entry.lines)) continue;
    yield `${JSON.stringify(await toGold(entry, marks, options))}\n`;
  }
}

async function toGold(entry: Entry, marks: Marks, options: ExportOptions): Promise<object> {
  const { document, html } = await readStored(entry);
  const { lang, title } = document.meta;
  return {
    id: entry.key,
    lang: lang ?? "",
    source: entry.host,
    ...(entry.url === "" ? {} : { url: entry.url }),
    ...(title === undefined ? {} : { title }),
    ...(document.verdict === undefined ? {} : { pageType: document.verdict.type }),
    annotator: options.annotator,
    ...(options.source === "with" && html !== undefined ? { html } : {}),
    lines: document.lines.map(({ text, block, path, linkChars, breakBefore, span }, at) => ({
      text,
      ...toLabel(marks.get(at), options),
      ...{ block, path, linkChars, breakBefore },
      ...(span === undefined ? {} : { span }),
    })),
  };
}

function toLabel(
  mark: Mark | undefined,
  { comments }: ExportOptions,
): { readonly label: 0 | 1 | null; readonly cls?: string } {
  if (mark === undefined) return { label: null };
  if (mark === "comment") return { label: comments === "content" ? 1 : 0, cls: mark };
  const isContent = isContentMark(mark);
  if (isContent === undefined) return { label: null };
  return { label: isContent ? 1 : 0, ...(mark === "title" ? { cls: mark } : {}) };
}
