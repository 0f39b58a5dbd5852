/** Writes the reports that people read, next to the JSON file. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { renderPage } from "./html.js";
import { formatMarkdown } from "./markdown.js";
import type { Results } from "./results.js";

/**
 * Writes `<date>.md` and `<date>.html` (the date in ISO 8601, with ":" replaced by "-") and returns their paths. Writes
 * the Markdown first, so that it remains if the HTML page fails with ChartsMissing.
 */
export async function writeReports(results: Results, directory: string): Promise<string[]> {
  const name = fileStem(results.date);
  await mkdir(directory, { recursive: true });
  const markdown = join(directory, `${name}.md`);
  await writeFile(markdown, formatMarkdown(results));
  const page = join(directory, `${name}.html`);
  await writeFile(page, await renderPage(results));
  return [markdown, page];
}

/** Returns the date as a valid file name on any system. No text in a results file can lead out of the directory. */
function fileStem(date: string): string {
  return date.replace(/[^0-9A-Za-z.-]+/g, "-").replace(/^\.+/, "");
}
