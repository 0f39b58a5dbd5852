/** Results into the files that people read, beside the JSON. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { renderPage } from "./html.js";
import { formatMarkdown } from "./markdown.js";
import type { Results } from "../results.js";

export { ChartsMissing } from "./charts/plot.js";
export { renderPage } from "./html.js";
export { formatMarkdown } from "./markdown.js";
export { formatResultsTables } from "./results-tables.js";
export { formatTerminal } from "./terminal.js";

/**
 * Writes `<date>.md` and `<date>.html` (the date as ISO 8601, ":" as "-") and gives their paths. The
 * Markdown is written first: it stays where the HTML page fails with ChartsMissing.
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

/** A date that is a file name everywhere; whatever else a results file holds cannot lead out of the directory. */
function fileStem(date: string): string {
  return date.replace(/[^0-9A-Za-z.-]+/g, "-").replace(/^\.+/, "");
}
