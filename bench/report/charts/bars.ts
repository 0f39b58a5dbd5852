/** Draws the headline measure of a few systems as bars, group by group (languages, page types …). */
import type { Placed, Steps } from "../conditions.js";
import { formatMeasure } from "../tables/columns.js";
import { listGroups } from "../tables/group-rows.js";
import { addInterval, formatInterval, shorten, toOneLine } from "../format.js";
import { html, type Html } from "../markup.js";
import type { MeasureName } from "../../metrics/measures.js";
import { renderFigure, type Size } from "./figure.js";
import type { Plot, PlotOptions } from "./plot.js";

/** Groups beyond this number are only in the table. */
const MOST_GROUPS = 12;
const BAR = 9;

interface Series {
  readonly name: string;
  readonly color: string;
  readonly placed: Placed;
}

interface Bar {
  readonly group: string;
  readonly series: string;
  readonly color: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly title: string;
}

export interface BarsOptions {
  readonly title: string;
  readonly grouping: string;
  readonly measure: MeasureName;
  readonly measureTitle: string;
  readonly steps: Steps;
}

/** Renders the chart; empty if the grouping has fewer than two groups, or if no system has a value. */
export function renderBars(plot: Plot, options: BarsOptions): Html {
  const series = seriesOf(options.steps);
  const systems = series.map(({ placed }) => placed.system);
  const sizes = listGroups({ systems }, options.grouping).sort(([, a], [, b]) => b - a);
  if (sizes.length < 2 || series.length === 0) return html``;
  const shown = sizes.slice(0, MOST_GROUPS);
  const bars = shown.flatMap(([group, documents]) =>
    series.flatMap((one) => barOf(one, { group, documents, ...options })),
  );
  if (bars.length === 0) return html``;
  const rest = sizes.length - shown.length;
  return renderFigure(plot, {
    title: options.title,
    caption:
      `${options.measureTitle}, with the number of documents and 95 % intervals.` +
      (rest > 0 ? ` The ${MOST_GROUPS} largest groups; ${rest} more in the table.` : ""),
    label: `${options.title}: ${options.measureTitle}. ${bars.map(({ title }) => title.replaceAll("\n", " ")).join("; ")}.`,
    legend: series.map(({ placed, color }) => ({
      title: shorten(toOneLine(placed.system.system), 40),
      ...{ color, symbol: "bar" },
    })),
    draw: (size) => describeBars(plot, { bars, shown, series, size }),
  });
}

function seriesOf({ raw, extracted, labelled, rival }: Steps): Series[] {
  const looks = [
    [raw, "var(--muted)"],
    [extracted, "var(--ours-light)"],
    [labelled, "var(--ours)"],
    [rival, "var(--rival)"],
  ] as const;
  return looks.flatMap(([placed, color]) =>
    placed === undefined ? [] : [{ name: placed.system.system, color, placed }],
  );
}

function barOf(
  { name, color, placed }: Series,
  {
    group,
    documents,
    grouping,
    measure,
  }: BarsOptions & { readonly group: string; readonly documents: number },
): Bar[] {
  const measured = placed.system.groups[grouping]?.[group]?.scores[measure];
  const value = measured?.value ?? null;
  if (measured === undefined || value === null) return [];
  const text = addInterval(formatMeasure(measure, value), formatInterval(measured));
  return [
    {
      ...{ group: groupLabel(group, documents), series: name, color, value },
      ...{ low: measured.low ?? value, high: measured.high ?? value },
      title: `${toOneLine(name)}, ${toOneLine(group)}: ${text}`,
    },
  ];
}

function groupLabel(group: string, documents: number): string {
  return `${shorten(toOneLine(group), 16)} (${documents})`;
}

interface BarData {
  readonly bars: readonly Bar[];
  readonly shown: readonly (readonly [string, number])[];
  readonly series: readonly Series[];
  readonly size: Size;
}

function describeBars(plot: Plot, { bars, shown, series, size }: BarData): PlotOptions {
  const labels = shown.map(([group, documents]) => groupLabel(group, documents));
  const longest = Math.max(...labels.map((label) => label.length));
  const marginLeft = Math.min(longest * size.fontSize * 0.56 + 10, size.width * 0.45);
  return {
    ...{ marginLeft, marginRight: 16, marginTop: 8, marginBottom: 34 },
    height: labels.length * (series.length * BAR + 10) + 42,
    x: { domain: [0, 1], label: null, ticks: size.width < 400 ? 4 : 6 },
    y: { domain: series.map(({ name }) => name), axis: null, padding: 0.1 },
    fy: { domain: labels, label: null, padding: 0.18 },
    marks: [
      plot.axisFy({ anchor: "left", lineAnchor: "middle", textAnchor: "end", dx: -4 }),
      plot.gridX({ stroke: "var(--grid)", strokeOpacity: 1 }),
      plot.barX(bars, {
        x: "value",
        y: "series",
        fy: "group",
        fill: (bar: Bar) => bar.color,
        title: "title",
      }),
      plot.link(bars, {
        ...{ x1: "low", x2: "high", y: "series", fy: "group", stroke: "currentColor", strokeOpacity: 0.7 },
      }),
      plot.ruleX([0], { stroke: "currentColor" }),
    ],
    color: { type: "identity" },
  };
}
