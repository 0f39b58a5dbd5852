/**
 * Draws a chart description as SVG, without a browser; Observable Plot (and, for charts, linkedom) is used only here.
 */
import type * as Library from "@observablehq/plot";
import { parseHTML } from "linkedom";
import { Html } from "../markup.js";

export type Plot = typeof Library;
/** The options of `Plot.plot`. */
export type PlotOptions = NonNullable<Parameters<Plot["plot"]>[0]>;
export type Marks = NonNullable<PlotOptions["marks"]>;

/** Thrown when Plot, an optional dependency, is not installed: only the HTML page needs it. */
export class ChartsMissing extends Error {
  override readonly name = "ChartsMissing";
}

/** Loads Plot. Throws ChartsMissing if it is not installed. */
export async function loadPlot(): Promise<Plot> {
  try {
    return await import("@observablehq/plot");
  } catch (cause) {
    throw new ChartsMissing(
      "the HTML page needs @observablehq/plot, an optional dependency that is not installed; " +
        "run: npm install @observablehq/plot@0.6.17",
      { cause },
    );
  }
}

/** Returns the chart as SVG markup, hidden from screen readers: the label of the figure gives its content as text. */
export function drawSvg(plot: Plot, options: PlotOptions): Html {
  // linkedom and the result of Plot are typed with the browser's types, which this project does not load
  const { document } = parseHTML("<!doctype html><html></html>") as unknown as { document: object };
  const draw = plot.plot as unknown as (options: object) => DrawnSvg; // no <figure>: nothing here asks for a caption
  const svg = draw({ ...options, document, className: "plot" });
  svg.setAttribute("aria-hidden", "true");
  return new Html(svg.outerHTML);
}

interface DrawnSvg {
  readonly outerHTML: string;
  setAttribute(name: string, value: string): void;
}
