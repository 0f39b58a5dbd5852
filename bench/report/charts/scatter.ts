/** Draws systems as points with two figures each: cleanliness against loss, and quality against cost. */
import { CONDITION_TITLES, type Condition, type Placed } from "../conditions.js";
import { shorten, toOneLine } from "../format.js";
import { html, type Html } from "../markup.js";
import { renderFigure, type LegendItem, type Size, type Symbol } from "./figure.js";
import { placeLabels } from "./labels.js";
import type { Marks, Plot, PlotOptions } from "./plot.js";

export const CONDITION_LOOKS: Readonly<
  Record<Condition, { readonly color: string; readonly symbol: Symbol }>
> = {
  raw: { color: "var(--muted)", symbol: "cross" },
  extracted: { color: "var(--ours)", symbol: "hollow" },
  labelled: { color: "var(--ours)", symbol: "circle" },
  rival: { color: "var(--rival)", symbol: "square" },
  stored: { color: "var(--stored)", symbol: "diamond" },
};

const LONGEST_NAME = 24;
const MARGINS = { marginLeft: 46, marginRight: 16, marginTop: 26, marginBottom: 40 } as const;

export interface Dot {
  readonly placed: Placed;
  readonly x: number;
  readonly y: number;
}

export interface Axis {
  readonly label: string;
  readonly type: "linear" | "log";
  /** Whether values are shares, which go up to 1 and are printed in percent. */
  readonly isShare: boolean;
  readonly text: (value: number) => string;
}

export interface ScatterOptions {
  readonly title: string;
  readonly caption: string;
  readonly x: Axis;
  readonly y: Axis;
  /** In order of importance: the first names get the best places. */
  readonly dots: readonly Dot[];
  /** Pairs of points to join by lines, from one cleaning step to the next. */
  readonly steps: readonly (readonly [Dot, Dot])[];
}

/** Renders the chart; empty if there are fewer than two points to compare. */
export function renderScatter(plot: Plot, options: ScatterOptions): Html {
  if (options.dots.length < 2) return html``;
  const label = options.dots
    .map((dot) => `${nameOf(dot)}: ${options.x.text(dot.x)}, ${options.y.text(dot.y)}`)
    .join("; ");
  return renderFigure(plot, {
    title: options.title,
    caption: options.caption,
    label: `${options.title}. ${options.x.label}, ${options.y.label}. ${label}.`,
    legend: legendOf(options.dots.map(({ placed }) => placed.condition)),
    draw: (size) => describeScatter(plot, options, size),
  });
}

function legendOf(conditions: readonly Condition[]): LegendItem[] {
  return Object.entries(CONDITION_TITLES)
    .map(([condition, title]) => ({ condition: condition as Condition, title })) // keys of a Record<Condition, …>
    .filter(({ condition }) => conditions.includes(condition))
    .map(({ condition, title }) => ({ title, ...CONDITION_LOOKS[condition] }));
}

function nameOf({ placed }: Dot): string {
  return toOneLine(placed.system.system);
}

function describeScatter(plot: Plot, options: ScatterOptions, size: Size): PlotOptions {
  const x = scaleOf(
    options.x,
    options.dots.map((dot) => dot.x),
    [MARGINS.marginLeft, size.width - MARGINS.marginRight],
  );
  const y = scaleOf(
    options.y,
    options.dots.map((dot) => dot.y),
    [size.height - MARGINS.marginBottom, MARGINS.marginTop],
  );
  const title = (dot: Dot): string =>
    `${nameOf(dot)}\n${options.x.label}: ${options.x.text(dot.x)}\n${options.y.label}: ${options.y.text(dot.y)}`;
  return {
    ...MARGINS,
    x: axisOptions(options.x, x.domain, size),
    y: axisOptions(options.y, y.domain, size),
    marks: [
      plot.frame({ stroke: "var(--grid)" }),
      plot.gridX({ stroke: "var(--grid)", strokeOpacity: 1, ticks: ticksOf(options.x, x.domain, size) }),
      plot.gridY({ stroke: "var(--grid)", strokeOpacity: 1, ticks: ticksOf(options.y, y.domain, size) }),
      plot.link(options.steps, {
        ...{ x1: ([from]: [Dot, Dot]) => from.x, x2: ([, to]: [Dot, Dot]) => to.x },
        ...{ y1: ([from]: [Dot, Dot]) => from.y, y2: ([, to]: [Dot, Dot]) => to.y },
        ...{ stroke: "var(--ours)", strokeOpacity: 0.35, strokeWidth: 1.5 },
      }),
      ...dotMarks(plot, options.dots, title),
      ...nameMarks(plot, options.dots, { x: x.toPixels, y: y.toPixels, size }),
    ],
  };
}

/**
 * Returns the ticks, or how many there should be. A logarithmic axis has ticks at 1, 2 and 5 of each power of ten, or
 * only at the powers if it is wide for its size.
 */
function ticksOf(axis: Axis, [low, high]: readonly [number, number], size: Size): number | number[] {
  const isNarrow = size.width < 400;
  if (axis.type === "linear") return isNarrow ? 4 : 7;
  const first = Math.floor(Math.log10(low));
  const powers = Array.from(
    { length: Math.ceil(Math.log10(high)) - first + 1 },
    (_, step) => 10 ** (first + step),
  );
  const isWide = powers.length > (isNarrow ? 3 : 5);
  return powers
    .flatMap((power) => (isWide ? [power] : [power, 2 * power, 5 * power]))
    .filter((tick) => tick >= low && tick <= high);
}

function axisOptions(axis: Axis, domain: readonly [number, number], size: Size): object {
  const format = axis.isShare
    ? (value: number) => `${Math.round(value * 100)} %`
    : (value: number) => axis.text(value);
  return {
    type: axis.type,
    domain,
    label: axis.label,
    tickFormat: format,
    ticks: ticksOf(axis, domain, size),
    nice: false,
  };
}

/** Returns a domain with a margin, and the function from values to pixels of the range. */
function scaleOf(
  axis: Axis,
  values: readonly number[],
  [from, to]: readonly [number, number],
): { readonly domain: readonly [number, number]; readonly toPixels: (value: number) => number } {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const convert = axis.type === "log" ? Math.log10 : (value: number): number => value;
  const air = axis.type === "log" ? 0.15 : Math.max(0.02, (most - least) * 0.08);
  let [low, high] = [convert(least) - air, convert(most) + air];
  if (axis.type === "linear") [low, high] = [Math.max(-0.015, low), Math.min(1.015, high)];
  const back =
    axis.type === "log" ? (value: number): number => 10 ** value : (value: number): number => value;
  return {
    domain: [back(low), back(high)],
    toPixels: (value) => from + ((convert(value) - low) / (high - low)) * (to - from),
  };
}

function dotMarks(plot: Plot, dots: readonly Dot[], title: (dot: Dot) => string): Marks {
  const channels = { x: "x", y: "y", title } as const;
  return (["stored", "rival", "raw", "extracted", "labelled"] as const).map((condition) => {
    const { color, symbol } = CONDITION_LOOKS[condition];
    const mine = dots.filter(({ placed }) => placed.condition === condition);
    if (symbol === "cross")
      return plot.dot(mine, { ...channels, symbol: "times", r: 5, stroke: color, strokeWidth: 2 });
    if (symbol === "hollow")
      return plot.dot(mine, { ...channels, r: 4.5, fill: "var(--card)", stroke: color, strokeWidth: 2 });
    const shape = symbol === "square" || symbol === "diamond" ? symbol : "circle";
    return plot.dot(mine, {
      ...channels,
      symbol: shape,
      r: 4.5,
      fill: color,
      stroke: "var(--card)",
      strokeWidth: 1,
    });
  });
}

interface Pixels {
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
  readonly size: Size;
}

/** Draws each name as a separate mark, because Plot offsets all names of one mark equally. */
function nameMarks(plot: Plot, dots: readonly Dot[], { x, y, size }: Pixels): Marks {
  const points = dots.map((dot) => ({ x: x(dot.x), y: y(dot.y), text: shorten(nameOf(dot), LONGEST_NAME) }));
  const frame = {
    left: MARGINS.marginLeft,
    top: 2,
    right: size.width,
    bottom: size.height - MARGINS.marginBottom,
  };
  const places = placeLabels(points, frame, size.fontSize);
  return dots.flatMap((dot, index) => {
    const place = places[index];
    if (place === undefined) return [];
    return plot.text([dot], {
      ...{ x: "x", y: "y", text: () => points[index]?.text ?? "" },
      ...{ dx: place.dx, dy: place.dy, textAnchor: place.anchor },
      fill: "currentColor",
      ...{ stroke: "var(--card)", strokeWidth: 3, paintOrder: "stroke" },
      fontWeight: dot.placed.condition === "labelled" || dot.placed.condition === "extracted" ? 600 : 400,
    });
  });
}
