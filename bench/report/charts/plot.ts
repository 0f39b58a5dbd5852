/** Draws a description of a chart as SVG, without a browser. It is the one door of Observable Plot (and, here, of linkedom). */
import type * as Library from "@observablehq/plot";
import { parseHTML } from "linkedom";
import { Html } from "../markup.js";

export type Plot = typeof Library;
/** What `Plot.plot` takes. */
export type PlotOptions = NonNullable<Parameters<Plot["plot"]>[0]>;
export type Marks = NonNullable<PlotOptions["marks"]>;

/** Plot is an optional dependency: everything but the HTML page works without it. */
export class ChartsMissing extends Error {
  override readonly name = "ChartsMissing";
}

/** Throws ChartsMissing where the library is not installed. */
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

/** The chart as SVG markup. Its words are for eyes only: what it says is in the label of the figure. */
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
