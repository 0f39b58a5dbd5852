/**
 * Renders an overview of the run: a card for each corpus with the cleaning steps, and a table of which system is best
 * where.
 */
import { countFailures, findMeasure, formatMeasure } from "../tables/columns.js";
import { findHeadline, findSteps, isLevel, placeSystems, standingOf, type Placed } from "../conditions.js";
import { formatInterval, formatMs, formatNumberOf, formatPercent, formatScore, NONE } from "../format.js";
import { html, type Html } from "../markup.js";
import { meanCost } from "../tables/speed-cells.js";
import { summarize } from "../summary.js";
import type { CorpusScores, Results } from "../results.js";
import { scrollBox, systemHead } from "./html-tables.js";

export function anchorOf(results: Results, corpus: CorpusScores): string {
  return `corpus-${results.corpora.indexOf(corpus) + 1}`;
}

export function renderGlance(results: Results): Html {
  return html`<section id="glance" aria-labelledby="glance-title">
    <h2 id="glance-title">At a glance</h2>
    <p class="note">
      <b>Clean</b>: the share of the returned words that is main content. <b>Lost</b>: the share of the page's
      main-content words that is missing. Corpora are never pooled, because they disagree on what main content
      is.
    </p>
    <div class="cards">${results.corpora.map((corpus) => renderCard(results, corpus))}</div>
    ${renderMatrix(results)}
  </section> `;
}

function renderCard(results: Results, corpus: CorpusScores): Html {
  const { raw, base, extracted, labelled, rival } = findSteps(results, corpus);
  const rows = [
    [raw, "raw"],
    [base, "extracted"],
    [extracted, "extracted"],
    [labelled, corpus.unit === "lines" ? "labelled" : "+ labelled"],
    [rival, "best other"],
  ] as const;
  const headline = findHeadline(corpus);
  const hasShares = rows.some(
    ([placed]) => typeof placed?.system.overall["wordCleanliness"]?.value === "number",
  );
  return html`<article class="card">
    <h3><a href="#${anchorOf(results, corpus)}">${corpus.corpus}</a></h3>
    <p class="note">
      ${formatNumberOf(corpus.documents, "document")}${corpus.isSample && ", a fixed sample"}
    </p>
    <table class="steps">
      <thead>
        <tr>
          <th scope="col">step</th>
          ${
            hasShares &&
            html`<th scope="col">clean</th>
              <th scope="col">lost</th>`
          }
          <th scope="col">${findMeasure(headline).title}</th>
          <th scope="col">ms/page</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(([placed, step]) => placed !== undefined && renderStep({ placed, step, corpus, hasShares }))}
      </tbody>
    </table>
    <p>${summarize(results, corpus).join(" ")}</p>
  </article> `;
}

interface StepRow {
  readonly placed: Placed;
  readonly step: string;
  readonly corpus: CorpusScores;
  /** Whether any step has cleanliness and loss. */
  readonly hasShares: boolean;
}

function renderStep({ placed: { system, condition }, step, corpus, hasShares }: StepRow): Html {
  const name = system.system === step ? "" : system.system;
  const headline = findHeadline(corpus);
  return html`<tr class="${condition}">
    <th scope="row"><span>${step}</span>${name !== "" && html`<small>${name}</small>`}</th>
    ${
      hasShares &&
      html`<td>${renderMeter(system.overall["wordCleanliness"]?.value, "clean")}</td>
        <td>${renderMeter(system.overall["wordLoss"]?.value, "lost")}</td>`
    }
    <td>${formatMeasure(headline, standingOf(system, headline)?.value)}</td>
    <td>${formatMs(system.cost?.cpuMs.mean)}</td>
  </tr> `;
}

/** Renders the number with a bar under it. */
function renderMeter(value: number | null | undefined, kind: "clean" | "lost"): Html {
  if (typeof value !== "number") return html`${NONE}`;
  const width = (Math.min(1, Math.max(0, value)) * 100).toFixed(1);
  return html`${formatPercent(value)}<span class="meter ${kind}" aria-hidden="true"
      ><i style="width:${width}%"></i
    ></span>`;
}

interface Cell {
  readonly text: string;
  readonly interval: string;
  readonly rank: "best" | "level" | "";
  /** From 0 (worst of the corpus) to 1 (best). */
  readonly place: number;
  readonly failed: number;
}

function renderMatrix(results: Results): Html {
  const cells = new Map(results.corpora.map((corpus) => [corpus, cellsOf(results, corpus)]));
  const rows = listSystems(results);
  const label = "Who is best where";
  return html`<h3>${label}</h3>
    <p class="note">
      The main measure of each corpus with its 95 % interval; failed pages count as nothing returned.
      <b class="best">Best</b> is bold; ≈ means that the interval overlaps the one of the best, so it is open
      which is better. ⚠ marks failures. ms/page is the mean over the corpora of its CPU time.
    </p>
    ${scrollBox(
      label,
      html`<table class="matrix">
        <caption>
          ${label}
        </caption>
        <thead>
          <tr>
            <th scope="col" class="name">system</th>
            ${results.corpora.map(
              (corpus) =>
                html`<th scope="col">
                  <a href="#${anchorOf(results, corpus)}">${corpus.corpus}</a
                  ><small>${findMeasure(findHeadline(corpus)).title}</small>
                </th>`,
            )}
            <th scope="col">ms/page</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ name, condition }) =>
              html`<tr>
                ${systemHead(name, condition)}
                ${results.corpora.map((corpus) => renderCell(cells.get(corpus)?.get(name)))}
                <td>${formatMs(meanCost(results.corpora, name))}</td>
              </tr> `,
          )}
        </tbody>
      </table>`,
    )}`;
}

/** Returns every system with scores, in the order of the file, with its condition on the first corpus that has it. */
function listSystems(results: Results): { readonly name: string; readonly condition: Placed["condition"] }[] {
  const conditions = new Map<string, Placed["condition"]>();
  for (const corpus of results.corpora) {
    for (const { system, condition } of placeSystems(results, corpus)) {
      if (!conditions.has(system.system)) conditions.set(system.system, condition);
    }
  }
  const order = results.systems.map(({ name }) => name);
  const rank = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return [...conditions]
    .map(([name, condition]) => ({ name, condition }))
    .sort((a, b) => rank(a.name) - rank(b.name));
}

function cellsOf(results: Results, corpus: CorpusScores): Map<string, Cell> {
  const headline = findHeadline(corpus);
  const standings = placeSystems(results, corpus).map(({ system, condition }) => ({
    ...{ system, condition, standing: standingOf(system, headline) },
  }));
  const values = standings.flatMap(({ standing }) =>
    typeof standing?.value === "number" ? [standing.value] : [],
  );
  const [most, least] = [Math.max(...values), Math.min(...values)];
  const best = standings.find(({ standing }) => standing?.value === most)?.standing;
  return new Map(
    standings.map(({ system, standing }): [string, Cell] => {
      const value = standing?.value ?? null;
      const isBest = value !== null && formatScore(value) === formatScore(most);
      return [
        system.system,
        {
          text: formatMeasure(headline, value),
          interval: formatInterval(standing ?? {}),
          rank: isBest ? "best" : isLevel(standing, best) ? "level" : "",
          place: value === null || most === least ? 0 : (value - least) / (most - least),
          failed: countFailures(system),
        },
      ];
    }),
  );
}

function renderCell(cell: Cell | undefined): Html {
  if (cell === undefined) return html`<td class="absent">${NONE}</td>`;
  const shade = (cell.place ** 2 * 100).toFixed(0);
  return html`<td class="${cell.rank}" style="--place:${shade}%">
    <span>${cell.rank === "level" && html`<abbr title="level with the best">≈</abbr>`}${cell.text}</span
    >${cell.failed > 0 && html`<abbr class="failed" title="${cell.failed} failed">⚠${cell.failed}</abbr>`}<small
      >${cell.interval}</small
    >
  </td>`;
}
