/** Renders the worst and most disputed documents of a system, line by line: gold, label, score, text. */
import type { Placed } from "../conditions.js";
import { formatCount, formatNumberOf, formatScore } from "../format.js";
import { html, type Html } from "../markup.js";
import type { ShownDocument } from "../results.js";

type ShownLine = ShownDocument["lines"][number];

/** What happened to a line, in words, so that readers do not need colours. */
const FATES = [
  { gold: 1, label: 1, fate: "kept", className: "right" },
  { gold: 0, label: 0, fate: "removed", className: "right" },
  { gold: 1, label: 0, fate: "lost", className: "lost" },
  { gold: 0, label: 1, fate: "let in", className: "let-in" },
] as const;

const GOLD = ["boilerplate", "content", "not known"] as const;

/**
 * Renders a `<details>` element for each system that has documents to show, with another one inside for each document.
 */
export function renderDocuments(placed: readonly Placed[]): Html {
  const shown = placed.filter(({ system }) => system.worst.length > 0);
  if (shown.length === 0) return html``;
  return html`<h3>Documents to look at</h3>
    <p class="note">
      The worst documents of a system, and those on which another one is far better. <b class="lost">lost</b>:
      content that is missing; <b class="let-in">let in</b>: boilerplate that stayed.
    </p>
    ${shown.map(
      ({ system }) =>
        html`<details>
          <summary>${system.system}: ${formatNumberOf(system.worst.length, "document")}</summary>
          ${system.worst.map(renderDocument)}
        </details> `,
    )} `;
}

function renderDocument(document: ShownDocument): Html {
  const wrong = document.lines.filter(({ gold, label }) => gold !== null && gold !== label).length;
  const facts = [
    document.lang,
    document.pageType,
    `line F1 ${formatScore(document.lineF1)}`,
    document.bestOther === undefined
      ? undefined
      : `${document.bestOther.system} has ${formatScore(document.bestOther.lineF1)}`,
    `${wrong} of ${document.lines.length} lines wrong`,
  ].filter((fact) => fact !== undefined);
  const hasScores = document.lines.some(({ score }) => score !== undefined);
  return html`<details class="document">
    <summary><code>${document.id}</code> <span>${facts.join(" · ")}</span></summary>
    ${document.url !== "" && html`<p class="url">${document.url}</p>`}
    <div class="scroll" role="region" aria-label="Lines of ${document.id}" tabindex="0">
      <table class="lines">
        <thead>
          <tr>
            <th scope="col">gold</th>
            <th scope="col">label</th>
            ${hasScores && html`<th scope="col">score</th>`}
            <th scope="col">text</th>
          </tr>
        </thead>
        <tbody lang="${document.lang}">
          ${document.lines.map((line) => renderLine(line, hasScores))}
        </tbody>
      </table>
    </div>
    ${document.left > 0 && html`<p class="note">… and ${formatCount(document.left)} lines more.</p>`}
  </details> `;
}

function renderLine(line: ShownLine, hasScores: boolean): Html {
  const found = FATES.find(({ gold, label }) => gold === line.gold && label === line.label);
  return html`<tr class="${found?.className ?? ""}">
    <td lang="en">${GOLD[line.gold ?? 2]}</td>
    <td lang="en">${found?.fate ?? ""}</td>
    ${hasScores && html`<td>${formatScore(line.score)}</td>`}
    <td dir="auto"><span>${line.text}</span></td>
  </tr> `;
}
