/**
 * Wraps a chart, its legend and its text in a figure, and draws each chart in two widths so that it also fits a phone.
 */
import { html, type Html } from "../markup.js";
import { drawSvg, type Plot, type PlotOptions } from "./plot.js";

export interface Size {
  readonly width: number;
  readonly height: number;
  readonly fontSize: number;
}

const WIDE: Size = { width: 540, height: 400, fontSize: 12 };
const NARROW: Size = { width: 310, height: 300, fontSize: 11 };

export type Symbol = "cross" | "circle" | "hollow" | "square" | "diamond" | "line" | "dash" | "dots" | "bar";

export interface LegendItem {
  readonly title: string;
  /** A colour of the page, as a CSS variable. */
  readonly color: string;
  readonly symbol: Symbol;
}

export interface FigureOptions {
  readonly title: string;
  /** How to read the chart. */
  readonly caption: string;
  /** The content of the chart as text, for screen readers. */
  readonly label: string;
  readonly legend: readonly LegendItem[];
  draw(size: Size): PlotOptions;
}

export function renderFigure(plot: Plot, options: FigureOptions): Html {
  const svg = (size: Size): Html => {
    const own = options.draw(size);
    const style = { fontSize: `${size.fontSize}px`, overflow: "visible" };
    const shared = { width: size.width, height: size.height, style };
    return drawSvg(plot, { ...shared, ...own });
  };
  return html`<figure>
    <figcaption><b>${options.title}</b> <span>${options.caption}</span></figcaption>
    ${renderLegend(options.legend)}
    <div class="wide" role="img" aria-label="${options.label}">${svg(WIDE)}</div>
    <div class="narrow" role="img" aria-label="${options.label}">${svg(NARROW)}</div>
  </figure> `;
}

function renderLegend(items: readonly LegendItem[]): Html {
  return html`<ul class="legend">
    ${items.map(({ title, color, symbol }) => html`<li>${renderSwatch(color, symbol)}${title}</li> `)}
  </ul>`;
}

const SHAPES: Readonly<Record<Symbol, Html>> = {
  cross: html`<path d="M5 2l6 10M11 2l-6 10" fill="none" />`,
  circle: html`<circle cx="8" cy="7" r="4.5" />`,
  hollow: html`<circle cx="8" cy="7" r="4.2" fill="none" />`,
  square: html`<rect x="4" y="3" width="8" height="8" />`,
  diamond: html`<path d="M8 1l5 6-5 6-5-6z" />`,
  line: html`<path d="M0 7h16" fill="none" />`,
  dash: html`<path d="M0 7h16" fill="none" stroke-dasharray="5 3" />`,
  dots: html`<path d="M0 7h16" fill="none" stroke-dasharray="2 2" />`,
  bar: html`<rect x="0" y="3" width="16" height="8" rx="1" />`,
};

function renderSwatch(color: string, symbol: Symbol): Html {
  return html`<svg
    class="swatch"
    viewBox="0 0 16 14"
    style="fill:${color};stroke:${color}"
    aria-hidden="true"
  >
    ${SHAPES[symbol]}
  </svg>`;
}
