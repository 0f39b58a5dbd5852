/** Renders columns and systems as HTML tables, each of which scrolls in its own box. */
import { html, type Html } from "../markup.js";
import { bestText, countFailures, describeFailures, findMeasure, type Column } from "../tables/columns.js";
import { placeSystems, type Condition, type Placed } from "../conditions.js";
import { formatCount, formatDifference, formatNumberOf, formatP, formatScore } from "../format.js";
import { GROUPING_TITLES, groupColumn, listGroups } from "../tables/group-rows.js";
import type { MeasureName } from "../../metrics/measures.js";
import type { TypeTable } from "../tables/page-types.js";
import type { CorpusScores, Results, SystemScores } from "../results.js";

/** Wraps a table in a focusable region, so that it can also be scrolled with the keyboard. */
export function scrollBox(label: string, table: Html): Html {
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0">${table}</div> `;
}

/** Renders a table with its caption, one row of column headings, and the rows below. */
function tableBox(label: string, heads: Html, rows: readonly Html[]): Html {
  return scrollBox(
    label,
    html`<table>
      <caption>
        ${label}
      </caption>
      <thead>
        <tr>
          ${heads}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>`,
  );
}

export function systemHead(name: string, condition: Condition): Html {
  return html`<th scope="row" class="name ${condition}"><span>${name}</span></th>`;
}

/** Renders one row for each system; the best value of a column is bold. */
export function renderSystems(label: string, columns: readonly Column[], placed: readonly Placed[]): Html {
  const systems = placed.map(({ system }) => system);
  const raw = new Set(placed.filter(({ condition }) => condition === "raw").map(({ system }) => system));
  const best = columns.map((column) => bestText(column, systems, (system) => !raw.has(system)));
  return tableBox(
    label,
    html`<th scope="col" class="name">system</th>
      ${columns.map(({ title, explanation }) => html`<th scope="col" title="${explanation}">${title}</th>`)}`,
    placed.map(
      ({ system, condition }) =>
        html`<tr>
          ${systemHead(system.system, condition)}
          ${columns.map((column, index) => renderCell(column, system, raw.has(system) ? undefined : best[index]))}
        </tr> `,
    ),
  );
}

function renderCell(column: Column, system: SystemScores, best: string | undefined): Html {
  const text = column.text(system);
  const interval = column.interval?.(system) ?? "";
  const value = text === best ? html`<b>${text}</b>` : html`${text}`;
  return html`<td>${value}${interval !== "" && html`<small>${interval}</small>`}</td>`;
}

export interface GroupTable {
  readonly results: Results;
  readonly corpus: CorpusScores;
  readonly grouping: string;
  readonly measure: MeasureName;
}

/** Renders a table with a row for each system and a column for each group of one grouping. */
export function renderGroups({ results, corpus, grouping, measure }: GroupTable): Html {
  const placed = placeSystems(results, corpus).filter(({ system }) => system.groups[grouping] !== undefined);
  const groups = listGroups(corpus, grouping);
  const columns = groups.map(([group, documents]) => groupColumn({ grouping, group, documents, measure }));
  const label = `${corpus.corpus}: ${findMeasure(measure).title} by ${GROUPING_TITLES[grouping] ?? grouping}`;
  return renderSystems(label, columns, placed);
}

/** Renders a table with a row for each page type of the corpus and a column for each type that the system gave. */
export function renderTypes(corpus: string, { system, heads, rows }: TypeTable): Html {
  return renderRows(`${corpus}, what ${system} takes pages for`, heads, rows);
}

/** Renders a table of texts; the first cell of each row is its heading. */
export function renderRows(
  label: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): Html {
  return tableBox(
    label,
    html`${heads.map((head) => html`<th scope="col">${head}</th>`)}`,
    rows.map(
      ([name = "", ...cells]) =>
        html`<tr>
          <th scope="row" class="name"><span>${name}</span></th>
          ${cells.map((cell) => html`<td>${cell}</td>`)}
        </tr> `,
    ),
  );
}

/** Renders the accuracy by the position of a line, or by its length. */
export function renderBuckets(
  label: string,
  placed: readonly Placed[],
  bucketsOf: (
    system: SystemScores,
  ) => readonly { readonly bucket: string; readonly lines: number; readonly accuracy: number | null }[],
): Html {
  const withBuckets = placed.filter(({ system }) => bucketsOf(system).length > 0);
  const first = withBuckets[0];
  if (first === undefined) return html``;
  const columns = bucketsOf(first.system).map(({ bucket, lines }): Column => {
    const find = (system: SystemScores) => bucketsOf(system).find((other) => other.bucket === bucket);
    return {
      title: bucket,
      explanation: `${formatCount(lines)} lines`,
      better: "higher",
      value: (system) => find(system)?.accuracy ?? null,
      text: (system) => formatScore(find(system)?.accuracy),
    };
  });
  return renderSystems(label, columns, withBuckets);
}

/** Compares each system with the reference: the difference on the documents that both answered. */
export function renderVersus(corpus: string, placed: readonly Placed[]): Html {
  const rows = placed.flatMap(({ system, condition }) =>
    system.versus === undefined ? [] : [{ name: system.system, condition, versus: system.versus }],
  );
  if (rows.length === 0) return html``;
  const label = `${corpus}, paired tests`;
  return tableBox(
    label,
    html`<th scope="col" class="name">system</th>
      <th scope="col">against</th>
      <th scope="col">measure</th>
      <th scope="col">documents</th>
      <th scope="col" title="the system minus the other, with its 95 % interval">difference</th>
      <th scope="col" title="how likely chance alone is to make a difference this large">chance</th>`,
    rows.map(
      ({ name, condition, versus }) =>
        html`<tr>
          ${systemHead(name, condition)}
          <td>${versus.system}</td>
          <td>${findMeasure(versus.measure).title}</td>
          <td>${formatCount(versus.documents)}</td>
          <td>${formatDifference(versus)}</td>
          <td>${formatP(versus.p)}</td>
        </tr> `,
    ),
  );
}

/** Lists some of the documents on which systems failed, with the reported reasons. */
export function renderFailures(placed: readonly Placed[]): Html {
  const failing = placed.filter(({ system }) => countFailures(system) > 0);
  if (failing.length === 0) return html``;
  return html`<details>
    <summary>Failures of ${formatNumberOf(failing.length, "system")}</summary>
    ${failing.map(
      ({ system }) =>
        html`<h4>
            ${system.system}: ${describeFailures(system)} of ${formatCount(system.documents)} documents
          </h4>
          <ul class="plain">
            ${system.failed.map(
              ({ id, failure, detail }) => html`<li><b>${failure}</b> <code>${id}</code> ${detail}</li> `,
            )}
          </ul> `,
    )}
  </details> `;
}
