/** Renders the end of the page: speed, the systems with their versions, and what each measure means. */
import { describeAudit } from "../audit.js";
import { speedCells } from "../tables/speed-cells.js";
import { placeSystems } from "../conditions.js";
import { html, type Html } from "../markup.js";
import { MEASURES } from "../../metrics/measures.js";
import type { Results } from "../results.js";
import { scrollBox, systemHead } from "./html-tables.js";

const SPEED_HEADS = [
  ...[
    "pages/s",
    "mean ms",
    "p50 ms",
    "p99 ms",
    "p99 ÷ mean",
    "max ms",
    "start-up ms",
    "memory above start",
    "core-hours for 2.5 bn pages",
  ],
  ...["ratio", "failed"],
];

export function renderSpeed(results: Results): Html {
  const { speed } = results;
  if (speed === undefined) return html``;
  const conditions = new Map(
    [...results.corpora]
      .reverse()
      .flatMap((corpus) =>
        placeSystems(results, corpus).map(({ system, condition }) => [system.system, condition]),
      ),
  );
  const time = speed.kind === "cpu" ? "CPU time, all threads" : "wall-clock time";
  return html`<section id="speed" aria-labelledby="speed-title">
    <h2 id="speed-title">Speed and memory</h2>
    <p class="note">
      ${speed.pages}; ${time}; the systems in turn on the same page, in one run. Ratio: pages a second,
      divided by those of ${speed.reference}. Memory: above what the process had after its start.
    </p>
    ${scrollBox(
      "Speed and memory",
      html`<table>
        <caption>
          Speed and memory
        </caption>
        <thead>
          <tr>
            <th scope="col" class="name">system</th>
            ${SPEED_HEADS.map((head) => html`<th scope="col">${head}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${speed.rows.map(
            (row) =>
              html`<tr>
                ${systemHead(row.system, conditions.get(row.system) ?? "rival")}
                ${speedCells(row).map((cell) => html`<td>${cell}</td>`)}
              </tr> `,
          )}
        </tbody>
      </table>`,
    )}
  </section> `;
}

export function renderSystemList(results: Results): Html {
  return html`<section id="systems" aria-labelledby="systems-title">
    <h2 id="systems-title">Systems and measures</h2>
    <dl class="facts">
      ${results.systems.map(
        ({ name, describe, audit }) =>
          html`<div>
            <dt>${name}</dt>
            <dd>
              ${describe}${audit !== undefined && describeAudit(audit) !== "" && html`<br /><b>${describeAudit(audit)}</b>`}
            </dd>
          </div> `,
      )}
    </dl>
    ${
      results.unavailable.length > 0 &&
      html`<h3>Asked for, but not available</h3>
        <ul class="plain">
          ${results.unavailable.map(({ name, why }) => html`<li><b>${name}</b> ${why}</li> `)}
        </ul>`
    }
    <details class="data">
      <summary>What each measure means</summary>
      <dl class="facts">
        ${MEASURES.map(
          ({ title, explanation }) =>
            html`<div>
              <dt>${title}</dt>
              <dd>${explanation}</dd>
            </div> `,
        )}
      </dl>
    </details>
  </section> `;
}
