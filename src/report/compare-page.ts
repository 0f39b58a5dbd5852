/** Shows what changed between two cleanings of a corpus as one HTML page. */
import { formatCount, tellMany } from "../count.js";
import type { ChangedDocument, Comparison, Lonely } from "./compare-runs.js";
import type { Heading } from "./corpus-page.js";
import { html, page, table, type Column, type Markup } from "./html.js";

const MOST_ROWS = 30;

export function showComparison(comparison: Comparison, { inputs, version, seed }: Heading): string {
  const { first, second, same, changed, tooLong, most, some } = comparison;
  const [before = "", after = ""] = inputs;
  const columns: Column[] = [
    { name: "" },
    { name: "documents", isNumber: true },
    { name: "lines kept", isNumber: true },
    { name: "words kept", isNumber: true },
  ];
  const rows = (
    [
      [before, first],
      [after, second],
    ] as const
  ).map(([name, tally]) => [name, ...[tally.documents, tally.keptLines, tally.keptWords].map(formatCount)]);
  return page("What changed between two cleanings", [
    table(columns, rows),
    html`<p>
        The text of ${tellMany(changed.documents, "document")} changed, and that of ${formatCount(same)} is
        the same in both. Added: ${tellMany(changed.keptLines, "line")} with
        ${tellMany(changed.keptWords, "word")}. Removed: ${tellMany(changed.droppedLines, "line")} with
        ${tellMany(changed.droppedWords, "word")}.
        ${tooLong === 0 ? "" : `Too long or too different for a comparison by lines: ${formatCount(tooLong)}.`}
      </p>
      <p class="note">
        Thresher ${version}, sample by seed ${seed}. + marks what is only in ${after}, − what is only in
        ${before}.
      </p> `,
    showLonely(`Only in ${before}`, comparison.onlyFirst),
    showLonely(`Only in ${after}`, comparison.onlySecond),
    showLanguages(comparison),
    html`<h2>Most changed documents</h2>`,
    ...most.items.map(showDocument),
    html`<h2>Random changed documents</h2>`,
    ...some.items.map(showDocument),
  ]);
}

function showLonely(title: string, { count: number, ids }: Lonely): Markup {
  if (number === 0) return html``;
  const items = ids.map((id) => html`<li>${id}</li>`);
  return html`<h2>${title}: ${formatCount(number)}</h2>
    <ul>
      ${items}
    </ul>`;
}

function showLanguages({ byLanguage }: Comparison): Markup {
  const columns: Column[] = [
    { name: "language" },
    { name: "changed documents", isNumber: true },
    { name: "words added", isNumber: true },
    { name: "words removed", isNumber: true },
  ];
  const rows = byLanguage
    .list(MOST_ROWS)
    .map(([name, tally]) => [
      name,
      ...[tally.documents, tally.keptWords, tally.droppedWords].map(formatCount),
    ]);
  return rows.length === 0
    ? html``
    : html`<h2>By language</h2>
        ${table(columns, rows)}`;
}

function showDocument({ id, url, addedWords, removedWords, changes }: ChangedDocument): Markup {
  const items = changes.map(
    ({ text, isAdded }) =>
      html`<li class="${isAdded ? "kept" : "dropped"}"><span class="line" dir="auto">${text}</span></li> `,
  );
  return html`<details>
    <summary>
      ${id}
      <span class="note"
        >${url === id ? "" : url} +${formatCount(addedWords)} −${tellMany(removedWords, "word")}</span
      >
    </summary>
    <ul class="lines">
      ${items}
    </ul>
  </details> `;
}
