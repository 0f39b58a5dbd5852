/**
 * Writes the results for structure, metadata or units for a terminal, as Markdown, and as one HTML page without
 * scripts.
 */
import { alignCells, formatNumberOf, toOneLine, widthOf } from "../format.js";
import { codeBlock, escape, layOut } from "../markdown-table.js";
import { html, Html } from "../markup.js";
import { renderRows } from "../page/html-tables.js";
import { STYLE } from "../page/style.js";
import { tabulateItems, type ItemTable } from "./item-tables.js";
import type { CorpusItems, ItemResults } from "./item-results.js";

/** Returns the tables for a terminal. Ends with a line break. */
export function formatItemTerminal(results: ItemResults): string {
  const parts = results.corpora.flatMap((corpus) => [
    `${toOneLine(corpus.corpus)}: ${describeSize(corpus)}`,
    ...tabulateItems(results, corpus).map(formatTable),
  ]);
  for (const { name, why } of results.unavailable)
    parts.push(`not run: ${toOneLine(name)} (${toOneLine(why)})`);
  return `${parts.join("\n\n")}\n`;
}

function formatTable({ title, heads, rows, note }: ItemTable): string {
  const cells = [heads, ...rows].map((row) => row.map(toOneLine));
  const [head = "", ...body] = alignCells(cells).map((row) => row.join("  ").trimEnd());
  return [
    `  ${title}`,
    head,
    "─".repeat(widthOf(head)),
    ...body,
    ...(note === undefined ? [] : [`  ${note}`]),
  ].join("\n");
}

/** Returns the whole report as Markdown. Ends with a line break. */
export function formatItemMarkdown(results: ItemResults): string {
  const { cpu, cores, node, platform } = results.machine;
  const parts = [
    `# Benchmark of ${results.subject}, ${results.date.slice(0, 10)}`,
    codeBlock(results.command),
    escape(
      `${results.date}, Thresher ${results.version}, ${cpu}, ${cores} cores, Node ${node}, ${platform}.`,
    ),
    ...results.corpora.flatMap((corpus) => [
      `## ${escape(corpus.corpus)}`,
      escape(`${describeSize(corpus)}. ${corpus.mainContent}`),
      escape(
        `Origin: ${corpus.origin}. Licence: ${corpus.licence}. Training: ${corpus.training}. Digest: ${corpus.digest}.`,
      ),
      ...tabulateItems(results, corpus).flatMap(({ title, heads, rows, note = "" }) => [
        `### ${escape(title)}`,
        layOut(heads, rows),
        escape(note),
      ]),
    ]),
    "## Systems",
    results.systems.map(({ name, describe }) => `- **${escape(name)}**: ${escape(describe)}`).join("\n"),
    results.unavailable.map(({ name, why }) => `- not run: **${escape(name)}**: ${escape(why)}`).join("\n"),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** Returns only the tables, with their date, command and systems, for a page that explains them. */
export function formatItemTables(results: ItemResults): string {
  const versions = results.systems.map(({ name, describe }) => `${name} ${describe}`).join("; ");
  const parts = [
    codeBlock(results.command),
    escape(`${results.date.slice(0, 10)}, Thresher ${results.version}. ${versions}.`),
    ...results.corpora.flatMap((corpus) => [
      `### ${escape(`${corpus.corpus}: ${results.subject}`)}`,
      escape(`${describeSize(corpus)}. ${corpus.mainContent}`),
      ...tabulateItems(results, corpus).flatMap(({ title, heads, rows, note = "" }) => [
        `${escape(`${title.charAt(0).toUpperCase()}${title.slice(1)}`)}:`,
        layOut(heads, rows),
        escape(note),
      ]),
    ]),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function describeSize({ documents, isSample, problems, unusable }: CorpusItems): string {
  return [
    formatNumberOf(documents, "page"),
    ...(isSample ? ["a fixed sample"] : []),
    ...(problems.length > 0 ? [`${formatNumberOf(problems.length, "row")} of the gold not used`] : []),
    ...(unusable > 0 ? [`${formatNumberOf(unusable, "page")} without gold for this`] : []),
  ].join(", ");
}

export function renderItemPage(results: ItemResults): string {
  const page = html`<!doctype html>
    <html lang="en" id="top">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
        <meta name="color-scheme" content="light dark" />
        <title>Thresher benchmark of ${results.subject}, ${results.date.slice(0, 10)}</title>
        <style>
          ${new Html(STYLE)}
        </style>
      </head>
      <body>
        <header>
          <h1>Thresher benchmark of ${results.subject}</h1>
          <code class="command">${results.command}</code>
          <p class="note">${results.date} · Thresher ${results.version} · ${results.machine.cpu}</p>
        </header>
        <main>
          ${results.corpora.map((corpus) => renderCorpus(results, corpus))} ${renderSystems(results)}
        </main>
      </body>
    </html> `;
  return page.markup;
}

function renderCorpus(results: ItemResults, corpus: CorpusItems): Html {
  return html`<section>
    <h2>${corpus.corpus}</h2>
    <p class="note">${describeSize(corpus)}. ${corpus.mainContent} Training: ${corpus.training}.</p>
    ${tabulateItems(results, corpus).map(renderTable)} ${renderExamples(corpus)}
  </section> `;
}

function renderTable({ title, heads, rows, note }: ItemTable): Html {
  return html`${renderRows(title, heads, rows)}
    <p class="note">${title}${note === undefined ? "" : `; ${note}`}</p>`;
}

/** Lists examples of what each system missed and wrongly found, from some pages for each kind. */
function renderExamples(corpus: CorpusItems): Html[] {
  return corpus.systems.map(
    ({ system, examples }) =>
      html`<details>
        <summary>What ${system} missed, and what it found beyond the gold</summary>
        ${Object.entries(examples).map(
          ([kind, list]) =>
            html`<h4>${kind}</h4>
              <ul class="plain">
                ${list.map(
                  ({ id, missed, extra }) =>
                    html`<li>
                      <code>${id}</code> missed: ${missed.join(" ¶ ")}; not in the gold: ${extra.join(" ¶ ")}
                    </li> `,
                )}
              </ul> `,
        )}
      </details> `,
  );
}

function renderSystems({ systems, unavailable }: ItemResults): Html {
  return html`<section>
    <h2 id="systems">Systems</h2>
    <ul class="plain">
      ${systems.map(({ name, describe }) => html`<li><b>${name}</b> ${describe}</li> `)}
      ${unavailable.map(({ name, why }) => html`<li><b>${name}</b> was not run: ${why}</li> `)}
    </ul>
  </section>`;
}
