/** Renders the section of one corpus: its definition of main content, charts, tables, and documents. */
import { renderBars } from "../charts/bars.js";
import type { Plot } from "../charts/plot.js";
import { renderScatter, type Axis, type Dot } from "../charts/scatter.js";
import { renderScored } from "../charts/score-curves.js";
import {
  allColumns,
  findMeasure,
  formatMeasure,
  furtherColumns,
  groupMeasures,
  mainColumns,
} from "../tables/columns.js";
import { findHeadline, findSteps, placeSystems, standingOf, type Placed } from "../conditions.js";
import { formatMs, formatNumberOf, formatPercent } from "../format.js";
import { GROUPING_TITLES, listGroupings } from "../tables/group-rows.js";
import { html, type Html } from "../markup.js";
import { tabulateTypes } from "../tables/page-types.js";
import type { MeasureName } from "../../metrics/measures.js";
import type { CorpusScores, Results } from "../results.js";
import { renderDocuments } from "./document-list.js";
import { anchorOf } from "./glance.js";
import {
  renderBuckets,
  renderFailures,
  renderGroups,
  renderSystems,
  renderTypes,
  renderVersus,
} from "./html-tables.js";

export function renderCorpus(plot: Plot, results: Results, corpus: CorpusScores): Html {
  const placed = placeSystems(results, corpus);
  const id = anchorOf(results, corpus);
  return html`<section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${corpus.corpus}</h2>
    ${renderFacts(corpus)} ${renderSystems(`${corpus.corpus}: main figures`, mainColumns(corpus), placed)}
    ${renderFurther(corpus, placed)}
    <div class="figures">
      ${renderTwoSided(plot, placed, "word")} ${renderTwoSided(plot, placed, "line")}
      ${renderCost(plot, placed, corpus)} ${renderScored(plot, placed)}
      ${renderGroupBars(plot, results, corpus)}
    </div>
    ${renderFolds(results, corpus, placed)} ${renderFailures(placed)}
    ${renderDocuments(placed.filter(({ condition }) => condition === "extracted" || condition === "labelled"))}
    <p class="top"><a href="#top">↑ to the top</a></p>
  </section> `;
}

function renderFurther(corpus: CorpusScores, placed: readonly Placed[]): Html {
  const columns = furtherColumns(corpus);
  if (columns.length === 0) return html``;
  return renderSystems(`${corpus.corpus}: its own evaluation, empty pages, page types`, columns, placed);
}

function renderFacts(corpus: CorpusScores): Html {
  const count = formatNumberOf(corpus.documents, corpus.unit === "pages" ? "page" : "text");
  const facts: readonly (readonly [string, string])[] = [
    ["Main content here", corpus.mainContent],
    ["Documents", corpus.isSample ? `${count}, a fixed sample of the corpus` : count],
    ["Training", corpus.training],
    ["Origin", `${corpus.origin}; licence: ${corpus.licence}`],
    ["Digest", corpus.digest],
  ];
  return html`<dl class="facts">
      ${facts.map(
        ([term, text]) =>
          html`<div>
            <dt>${term}</dt>
            <dd>${text}</dd>
          </div> `,
      )}
    </dl>
    ${
      corpus.problems.length > 0 &&
      html`<details>
        <summary>${formatNumberOf(corpus.problems.length, "row")} of the gold not used</summary>
        <ul class="plain">
          ${corpus.problems.map(
            ({ file, line, problem, detail }) =>
              html`<li><b>${problem}</b> <code>${file}${line > 0 && `:${line}`}</code> ${detail}</li> `,
          )}
        </ul>
      </details>`
    } `;
}

const PERCENT = { type: "linear", isShare: true, text: formatPercent } as const;

/** Draws cleanliness against loss, with lines from raw through the extractor to the labeller. */
function renderTwoSided(plot: Plot, placed: readonly Placed[], unit: "word" | "line"): Html {
  const dots = dotsOf(placed, (item) => [
    item.system.overall[`${unit}Loss`]?.value,
    item.system.overall[`${unit}Cleanliness`]?.value,
  ]);
  return renderScatter(plot, {
    title: `Clean and lost ${unit}s`,
    caption:
      "Best is the upper left corner. Lines lead from raw over our extractors to our labellers. Names without room are in the table.",
    x: { ...PERCENT, label: `content ${unit}s lost` },
    y: { ...PERCENT, label: `clean ${unit}s` },
    dots,
    steps: stepsOf(dots),
  });
}

function renderCost(plot: Plot, placed: readonly Placed[], corpus: CorpusScores): Html {
  const headline = findHeadline(corpus);
  const y: Axis = {
    label: findMeasure(headline).title,
    ...{ type: "linear", isShare: false, text: (value) => formatMeasure(headline, value) },
  };
  const dots = dotsOf(placed, ({ system }) => {
    const mean = system.cost?.cpuMs.mean;
    // a logarithmic axis cannot show zero
    return [mean === undefined ? undefined : Math.max(mean, 0.01), standingOf(system, headline)?.value];
  });
  return renderScatter(plot, {
    title: "Quality and cost",
    caption: `${findMeasure(headline).title} (failed pages count as nothing returned) against the mean CPU time of a page. Best is the upper left corner.`,
    x: { label: "CPU ms a page", type: "log", isShare: false, text: formatMs },
    y,
    dots,
    steps: [],
  });
}

const IMPORTANCE: readonly Placed["condition"][] = ["raw", "labelled", "extracted", "rival", "stored"];

/** Returns the systems that have both figures, ordered by how important it is to show their names. */
function dotsOf(
  placed: readonly Placed[],
  figures: (placed: Placed) => readonly [number | null | undefined, number | null | undefined],
): Dot[] {
  return placed
    .flatMap((item) => {
      const [x, y] = figures(item);
      return typeof x === "number" && typeof y === "number" ? [{ placed: item, x, y }] : [];
    })
    .sort((a, b) => IMPORTANCE.indexOf(a.placed.condition) - IMPORTANCE.indexOf(b.placed.condition));
}

/** Joins raw to each extractor, and each extractor to its labellers; on corpora of lines, raw to each labeller. */
function stepsOf(dots: readonly Dot[]): (readonly [Dot, Dot])[] {
  const raw = dots.find(({ placed }) => placed.condition === "raw");
  return dots.flatMap((to): (readonly [Dot, Dot])[] => {
    const { condition, extractor } = to.placed;
    if (condition !== "extracted" && condition !== "labelled") return [];
    const alone = dots.find(
      ({ placed }) =>
        placed.condition === "extracted" && extractor !== undefined && placed.extractor === extractor,
    );
    const from = condition === "labelled" ? (alone ?? raw) : raw;
    return from === undefined ? [] : [[from, to]];
  });
}

function renderGroupBars(plot: Plot, results: Results, corpus: CorpusScores): Html[] {
  const headline: MeasureName = findHeadline(corpus);
  return listGroupings(corpus).map((grouping) =>
    renderBars(plot, {
      title: `By ${GROUPING_TITLES[grouping] ?? grouping}`,
      ...{ grouping, measure: headline, measureTitle: findMeasure(headline).title },
      steps: findSteps(results, corpus),
    }),
  );
}

function renderFolds(results: Results, corpus: CorpusScores, placed: readonly Placed[]): Html {
  return html`<details class="data">
      <summary>All measures</summary>
      ${renderSystems(`${corpus.corpus}: all measures`, allColumns(corpus), placed)}
    </details>
    ${groupMeasures(corpus).map((measure) =>
      listGroupings(corpus).map(
        (grouping) =>
          html`<details class="data">
            <summary>${findMeasure(measure).title} by ${GROUPING_TITLES[grouping] ?? grouping}</summary>
            ${renderGroups({ results, corpus, grouping, measure })}
          </details> `,
      ),
    )}
    ${tabulateTypes(corpus).map((table) =>
      renderFold(`What ${table.system} takes pages for`, renderTypes(corpus.corpus, table)),
    )}
    ${renderFold(
      "Accuracy by position and length of the line",
      renderBuckets(
        `${corpus.corpus}: accuracy by position in the document`,
        placed,
        ({ scored }) => scored?.byPosition ?? [],
      ),
      renderBuckets(
        `${corpus.corpus}: accuracy by words of the line`,
        placed,
        ({ scored }) => scored?.byLength ?? [],
      ),
    )}
    ${renderFold("Paired tests", renderVersus(corpus.corpus, placed))} `;
}

function renderFold(summary: string, ...parts: readonly Html[]): Html {
  if (parts.every(({ markup }) => markup === "")) return html``;
  return html`<details class="data">
    <summary>${summary}</summary>
    ${parts}
  </details> `;
}
