/** A description of a chart into SVG, without a browser. The one door of Observable Plot (and, here, of linkedom). */
import { parseHTML } from "linkedom";
import { Html } from "../markup.js";

export type Plot = typeof import("@observablehq/plot");
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

/** The chart as SVG markup. `label` is what a screen reader says of it. */
export function drawSvg(plot: Plot, options: PlotOptions, label: string): Html {
  // linkedom is typed with the browser's types, which this project does not load
  const { document } = parseHTML("<!doctype html><html></html>") as unknown as { document: object };
  const drawn = plot.plot({ ...options, document, className: "plot" } as PlotOptions);
  // without a title, a caption or a legend, Plot gives the <svg> element itself; the compiler does not know its type
  const svg = drawn as unknown as { outerHTML: string; setAttribute(name: string, value: string): void };
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", label);
  return new Html(svg.outerHTML);
}
