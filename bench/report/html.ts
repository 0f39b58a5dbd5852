/** Renders results as one self-contained HTML page, with its style and charts inside and without scripts. */
import { loadPlot } from "./charts/plot.js";
import { formatCount } from "./format.js";
import { html, Html } from "./markup.js";
import { renderCorpus } from "./page/corpus-section.js";
import { anchorOf, renderGlance } from "./page/glance.js";
import { renderSpeed, renderSystemList } from "./page/speed-section.js";
import { STYLE } from "./page/style.js";
import type { Results } from "./results.js";

/** Returns the HTML page. Throws ChartsMissing if the chart library is not installed. */
export async function renderPage(results: Results): Promise<string> {
  const plot = await loadPlot();
  const page = html`<!doctype html>
    <html lang="en" id="top">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta
          http-equiv="Content-Security-Policy"
          content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"
        />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="data:," />
        <title>Thresher benchmark, ${results.date.slice(0, 10)}</title>
        <style>
          ${new Html(STYLE)}
        </style>
      </head>
      <body>
        ${renderHeader(results)}
        <main>
          ${renderGlance(results)} ${results.corpora.map((corpus) => renderCorpus(plot, results, corpus))}
          ${renderSpeed(results)} ${renderSystemList(results)}
        </main>
        ${renderFooter(results)}
      </body>
    </html> `;
  return page.markup;
}

function renderHeader(results: Results): Html {
  const documents = results.corpora.reduce((sum, corpus) => sum + corpus.documents, 0);
  const { cpu, cores, node, platform } = results.machine;
  return html`<header>
    <h1>Thresher benchmark</h1>
    <p>
      How clean is the text of web pages: raw, extracted, and extracted and labelled; what does each step
      lose; and how do other programs do on the same pages? ${results.systems.length} systems,
      ${results.corpora.length} corpora, ${formatCount(documents)} documents.
    </p>
    <code class="command">${results.command}</code>
    <p class="note">
      ${results.date} · Thresher ${results.version} · ${cpu}, ${cores} cores, Node ${node}, ${platform}
    </p>
    <nav aria-label="Sections">
      <ul>
        <li><a href="#glance">At a glance</a></li>
        ${results.corpora.map(
          (corpus) => html`<li><a href="#${anchorOf(results, corpus)}">${corpus.corpus}</a></li> `,
        )}
        ${results.speed !== undefined && html`<li><a href="#speed">Speed</a></li>`}
        <li><a href="#systems">Systems and measures</a></li>
      </ul>
    </nav>
  </header> `;
}

function renderFooter(results: Results): Html {
  return html`<footer>
    <p class="note">
      Every figure is in the JSON file of ${results.date.slice(0, 10)}; each system ran at its published
      defaults. Intervals are 95 % intervals over resampled documents.
    </p>
  </footer> `;
}
