/** Lines in page order into what stands before each in Markdown: the markers of items, indentation, the bars of quotes. */
import type { Line } from "../document.js";
import { isItem } from "./blocks.js";

export interface Containers {
  /** What stands before the first line of a block, and before each further one. */
  enter(line: Line): { readonly start: string; readonly further: string };
}

/** Markdown indents what belongs to an item as far as the item's text. */
export function createContainers(): Containers {
  // How far the text of the open item of each list is indented against the list, the outermost first.
  const widths: number[] = [];
  return {
    enter(line) {
      const steps = containersOf(line.path);
      const lists = steps.filter((step) => step !== "blockquote");
      const isMarked = isItem(line) && lists.length > 0;
      // An item ends those of the lists inside of it, and any other line those of all lists that it stands outside of.
      widths.length = Math.min(widths.length, isMarked ? lists.length - 1 : lists.length);
      const outer = prefix(steps, widths);
      if (!isMarked) return { start: outer, further: outer };
      const marker = `${lists.at(-1) === "ol" ? `${String(numberOf(line))}.` : "-"} `;
      // The text of an outer item may be gone; the inner one then takes its place.
      while (widths.length < lists.length - 1) widths.push(0);
      widths.push(marker.length);
      return { start: `${outer}${marker}`, further: prefix(steps, widths) };
    },
  };
}

/** Markdown knows no number below zero. */
function numberOf({ number = 1 }: Line): number {
  return Math.max(0, number);
}

type Container = "ul" | "ol" | "blockquote";

function containersOf(path: string): readonly Container[] {
  // The pattern matches nothing but the three tags.
  return (path.match(/(?<=^|>)(?:[ou]l|blockquote)(?=[>.#[]|$)/g) ?? []) as Container[];
}

function prefix(steps: readonly Container[], widths: readonly number[]): string {
  let text = "";
  let list = 0;
  for (const step of steps) {
    if (step === "blockquote") text += "> ";
    else {
      text += " ".repeat(widths[list] ?? 0);
      list += 1;
    }
  }
  return text;
}
