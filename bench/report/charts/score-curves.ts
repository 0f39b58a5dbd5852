/** Draws the precision–recall curves and the reliability diagram of systems that score every line. */
import type { Placed } from "../conditions.js";
import { formatPercent, formatScore, shorten, toOneLine } from "../format.js";
import { html, type Html } from "../markup.js";
import type { ScoredReport } from "../results.js";
import { renderFigure, type LegendItem, type Size, type Symbol } from "./figure.js";
import { placeLabels } from "./labels.js";
import type { Plot, PlotOptions } from "./plot.js";
import { CONDITION_LOOKS } from "./scatter.js";

/**
 * Colours that people with any kind of colour blindness can distinguish, and dashes for print. Further systems are not
 * drawn.
 */
const LINES: readonly { readonly color: string; readonly symbol: Symbol; readonly dash: string }[] = [
  { color: "var(--s1)", symbol: "line", dash: "none" },
  { color: "var(--s2)", symbol: "dash", dash: "7 4" },
  { color: "var(--s3)", symbol: "dots", dash: "2 3" },
  { color: "var(--s4)", symbol: "line", dash: "none" },
  { color: "var(--s5)", symbol: "dash", dash: "7 4" },
  { color: "var(--s6)", symbol: "dots", dash: "2 3" },
];
const MARGINS = { marginLeft: 46, marginRight: 16, marginTop: 26, marginBottom: 40 } as const;
const SHARE = { domain: [0, 1], tickFormat: (value: number) => `${Math.round(value * 100)} %` } as const;

interface Scored {
  readonly name: string;
  readonly scored: ScoredReport;
  readonly look: (typeof LINES)[number];
}

/** Returns the scored systems to draw, in the order given: the best first. */
function scoredOf(placed: readonly Placed[]): Scored[] {
  return placed
    .flatMap(({ system }) =>
      system.scored === undefined ? [] : [{ name: toOneLine(system.system), scored: system.scored }],
    )
    .slice(0, LINES.length)
    .flatMap((item, index) => {
      const look = LINES[index];
      return look === undefined ? [] : [{ ...item, look }];
    });
}

/** Renders both diagrams; empty if no system gives scores. */
export function renderScored(plot: Plot, placed: readonly Placed[]): Html {
  const scored = scoredOf(placed);
  if (scored.length === 0) return html``;
  return html`${renderCurves(plot, scored, placed)} ${renderReliability(plot, scored)}`;
}

function legendOf(scored: readonly Scored[], text: (report: ScoredReport) => string): LegendItem[] {
  return scored.map(({ name, scored: report, look }) => ({
    title: `${shorten(name, 40)} (${text(report)})`,
    color: look.color,
    symbol: look.symbol,
  }));
}

interface Fixed {
  readonly name: string;
  readonly condition: Placed["condition"];
  readonly recall: number;
  readonly precision: number;
}

function fixedOf(placed: readonly Placed[]): Fixed[] {
  return placed.flatMap(({ system, condition }) => {
    const precision = system.overall["lineCleanliness"]?.value ?? null;
    const loss = system.overall["lineLoss"]?.value ?? null;
    if (system.scored !== undefined || precision === null || loss === null) return [];
    return [{ name: toOneLine(system.system), condition, recall: 1 - loss, precision }];
  });
}

function renderCurves(plot: Plot, scored: readonly Scored[], placed: readonly Placed[]): Html {
  const fixed = fixedOf(placed);
  const conditions = [
    { condition: "raw", title: "raw" },
    { condition: "extracted", title: "extractor only" },
    { condition: "rival", title: "another program" },
    { condition: "stored", title: "stored outputs" },
  ] as const;
  const points = conditions
    .filter(({ condition }) => fixed.some((point) => point.condition === condition))
    .map(({ condition, title }) => ({ title, ...CONDITION_LOOKS[condition] }));
  const curves = scored.map(
    ({ name, scored: { averagePrecision, breakEven } }) =>
      `${name}: average precision ${formatScore(averagePrecision)}` +
      (breakEven === null
        ? ""
        : `, precision = recall = ${formatScore(breakEven.precision)} at ${formatScore(breakEven.threshold)}`),
  );
  return renderFigure(plot, {
    title: "Precision and recall of lines",
    caption:
      "A curve for each system that scores lines, over all thresholds; systems that only give text are points. The ring is where precision = recall.",
    label: `Precision–recall curves. ${curves.join("; ")}.`,
    legend: [...legendOf(scored, ({ averagePrecision }) => `AP ${formatScore(averagePrecision)}`), ...points],
    draw: (size) => describeCurves(plot, { scored, fixed, size }),
  });
}

interface CurveData {
  readonly scored: readonly Scored[];
  readonly fixed: readonly Fixed[];
  readonly size: Size;
}

/**
 * Returns where the axes begin: slightly below the lowest point, so that the crowded corner is large. Curves are cut
 * off there.
 */
function lowest({ scored, fixed }: CurveData): { readonly recall: number; readonly precision: number } {
  const rings = scored.flatMap(({ scored: { breakEven } }) => (breakEven === null ? [] : [breakEven]));
  const floor = (values: readonly (number | null)[]): number =>
    Math.max(0, Math.floor(Math.min(0.65, ...values.map((value) => (value ?? 1) - 0.03)) * 10) / 10);
  const points = [...rings, ...fixed];
  return {
    recall: floor(points.map(({ recall }) => recall)),
    precision: floor(points.map(({ precision }) => precision)),
  };
}

function describeCurves(plot: Plot, { scored, fixed, size }: CurveData): PlotOptions {
  const low = lowest({ scored, fixed, size });
  return {
    ...MARGINS,
    x: { ...SHARE, domain: [low.recall, 1], label: "recall (1 − lost lines)" },
    y: { ...SHARE, domain: [low.precision, 1], label: "precision (clean lines)" },
    marks: [
      plot.frame({ stroke: "var(--grid)" }),
      plot.gridX({ stroke: "var(--grid)", strokeOpacity: 1 }),
      plot.gridY({ stroke: "var(--grid)", strokeOpacity: 1 }),
      ...scored.map(({ scored: { curve }, look }) =>
        plot.line(
          curve.filter(({ precision, recall }) => precision !== null && recall !== null),
          {
            clip: true,
            x: "recall",
            y: "precision",
            stroke: look.color,
            strokeWidth: 2.2,
            strokeDasharray: look.dash,
          },
        ),
      ),
      ...scored.map(({ name, scored: { breakEven }, look }) =>
        plot.dot(breakEven === null ? [] : [breakEven], {
          ...{ x: "recall", y: "precision", r: 4.5, fill: "var(--card)", stroke: look.color, strokeWidth: 2 },
          title: ({ threshold, precision }: { threshold: number; precision: number }) =>
            `${name}: precision = recall = ${formatScore(precision)} at ${formatScore(threshold)}`,
        }),
      ),
      ...fixed.map((point) => {
        const { color, symbol } = CONDITION_LOOKS[point.condition];
        const isHollow = symbol === "hollow" || symbol === "cross";
        return plot.dot([point], {
          ...{ x: "recall", y: "precision", r: 4 },
          symbol:
            symbol === "cross" ? "times" : symbol === "square" || symbol === "diamond" ? symbol : "circle",
          fill: isHollow ? (symbol === "cross" ? "none" : "var(--card)") : color,
          stroke: isHollow ? color : "var(--card)",
          title: () =>
            `${point.name}\nprecision ${formatScore(point.precision)}, recall ${formatScore(point.recall)}`,
        });
      }),
      ...pointNames(plot, { scored, fixed, size }),
    ],
  };
}

function pointNames(plot: Plot, data: CurveData): PlotOptions["marks"] & object {
  const { fixed, scored, size } = data;
  const low = lowest(data);
  const [left, right] = [MARGINS.marginLeft, size.width - MARGINS.marginRight];
  const [top, bottom] = [MARGINS.marginTop, size.height - MARGINS.marginBottom];
  const rings = scored.flatMap(({ scored: { breakEven } }) => (breakEven === null ? [] : [breakEven]));
  // rings have no names, but no name should cover them
  const points = [...fixed, ...rings.map((ring) => ({ ...ring, name: "" }))].map(
    ({ name, recall, precision }) => ({
      x: left + (((recall ?? 0) - low.recall) / (1 - low.recall)) * (right - left),
      y: bottom - (((precision ?? 0) - low.precision) / (1 - low.precision)) * (bottom - top),
      text: shorten(name, 22),
    }),
  );
  const places = placeLabels(points, { left, top: 2, right: size.width, bottom }, size.fontSize - 1);
  return fixed.flatMap((point, index) => {
    const place = places[index];
    if (place === undefined) return [];
    return plot.text([point], {
      ...{ x: "recall", y: "precision", text: () => points[index]?.text ?? "" },
      ...{ dx: place.dx, dy: place.dy, textAnchor: place.anchor, fontSize: size.fontSize - 1 },
      ...{ fill: "currentColor", stroke: "var(--card)", strokeWidth: 3, paintOrder: "stroke" },
    });
  });
}

function renderReliability(plot: Plot, scored: readonly Scored[]): Html {
  return renderFigure(plot, {
    title: "Are the scores true?",
    caption:
      "Of lines with a score near .8, 80 % should be content: then a point lies on the diagonal. Larger points hold more lines.",
    label: `Reliability diagram. Expected calibration error: ${scored
      .map(({ name, scored: { calibrationError } }) => `${name} ${formatScore(calibrationError)}`)
      .join("; ")}.`,
    legend: legendOf(scored, ({ calibrationError }) => `error ${formatScore(calibrationError)}`),
    draw: () => ({
      ...MARGINS,
      x: { domain: [0, 1], label: "mean score of the lines" },
      y: { ...SHARE, label: "of them content" },
      r: { range: [1.5, 9] },
      marks: [
        plot.frame({ stroke: "var(--grid)" }),
        plot.gridX({ stroke: "var(--grid)", strokeOpacity: 1 }),
        plot.gridY({ stroke: "var(--grid)", strokeOpacity: 1 }),
        plot.link([0], { x1: 0, y1: 0, x2: 1, y2: 1, stroke: "var(--muted)", strokeDasharray: "4 4" }),
        ...scored.flatMap(({ name, scored: { bins }, look }) => {
          const filled = bins.filter(({ score, content }) => score !== null && content !== null);
          return [
            plot.line(filled, {
              ...{
                x: "score",
                y: "content",
                stroke: look.color,
                strokeWidth: 1.5,
                strokeDasharray: look.dash,
              },
            }),
            plot.dot(filled, {
              ...{ x: "score", y: "content", r: "lines", fill: look.color, fillOpacity: 0.8 },
              title: (bin: ScoredReport["bins"][number]) =>
                `${name}\n${bin.lines} lines, mean score ${formatScore(bin.score)}, ${formatPercent(bin.content)} content`,
            }),
          ];
        }),
      ],
    }),
  });
}
