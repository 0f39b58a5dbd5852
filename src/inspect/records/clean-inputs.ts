/** Cleans inputs that are not plain files of scored records, and stores the results with their sources in a file. */
import { open } from "node:fs/promises";
import { openInputs, type InputOptions } from "../../acquire/inputs.js";
import { chooseFormat } from "../../acquire/kind.js";
import type { Page } from "../../document.js";
import { DEFAULTS, type CleanOptions } from "../../options/options.js";
import type { Outcome } from "../../outcome.js";
import { decodePage } from "../../parse/charset.js";
import { createPipeline, type TaggedPage } from "../../pipeline.js";
import { VERSION } from "../../version.js";
import { toRecord } from "../../write/document-record.js";
import type { Catalog } from "./catalog.js";
import { addRecord } from "./index-records.js";
import { SOURCE_FIELD } from "./stored.js";

export interface CleanJob {
  readonly inputs: readonly string[];
  readonly options: CleanOptions;
  readonly proxy?: InputOptions["proxy"];
  /** Path of the file for the records. */
  readonly path: string;
  readonly signal: AbortSignal;
}

/** Adds each document to the catalog until that is full. The file at `path` must not exist yet. */
export async function cleanInputs(
  { inputs, options, proxy, path, signal }: CleanJob,
  catalog: Catalog,
): Promise<void> {
  const { maxBytes = DEFAULTS.maxBytes, timeoutMs = DEFAULTS.timeoutMs } = options;
  const pipeline = await createPipeline({ ...options, keepBoilerplate: true, structure: "keep" });
  const file = await open(path, "wx", 0o600);
  try {
    const source = openInputs(inputs, { version: VERSION, maxBytes, timeoutMs, ...(proxy && { proxy }) });
    let start = 0;
    let number = 0;
    for await (const { outcome, tag } of pipeline.run(tagSources(source.pages(signal)), signal)) {
      if (!outcome.ok) {
        catalog.addDamage(
          `${outcome.id}: ${outcome.reason}${outcome.detail === undefined ? "" : ` (${outcome.detail})`}`,
        );
        continue;
      }
      const record = toRecord(outcome.value, { lines: "all", fingerprint: pipeline.fingerprint });
      // JSON leaves out undefined fields: a missing source, and data that the input record carried along.
      const line = Buffer.from(JSON.stringify({ ...record, carried: undefined, [SOURCE_FIELD]: tag }));
      await file.appendFile(line);
      await file.appendFile("\n");
      number += 1;
      if (!addRecord(line, { path, start, number }, catalog)) return;
      start += line.length + 1;
    }
  } finally {
    await file.close();
    await pipeline.close();
  }
}

/** Yields each page with its decoded source, if the source can be shown. */
async function* tagSources(
  pages: AsyncIterable<Outcome<Page>>,
): AsyncGenerator<TaggedPage<string | undefined>> {
  for await (const page of pages) yield { page, tag: page.ok ? sourceOf(page.value) : undefined };
}

function sourceOf({ content }: Page): string | undefined {
  if (content.kind === "html") return content.html;
  if (content.kind !== "bytes") return undefined;
  const { bytes, contentType, format } = content;
  if ((format ?? chooseFormat(bytes, contentType)) !== "html") return undefined;
  return decodePage(bytes, contentType).text;
}
