/** Defines the interface of filters: a filter takes the kept text of a labelled document and returns a verdict. */
import type { Reason } from "../outcome.js";
import type { Kept } from "./kept-text.js";

export type Verdict = { readonly keep: true } | Refusal;

export interface Refusal {
  readonly keep: false;
  readonly reason: Reason;
  readonly detail: string;
  /** For a duplicate, the id of the document that it is a copy of. */
  readonly of?: string;
}

export interface Filter {
  readonly name: string;
  judge(kept: Kept): Verdict;
}

export const KEEP: Verdict = Object.freeze({ keep: true });

/** Checks whether a figure passes, by the side of the limit on which it must be. */
const SIDES = {
  "at least": (figure: number, limit: number): boolean => figure >= limit,
  "more than": (figure: number, limit: number): boolean => figure > limit,
  "at most": (figure: number, limit: number): boolean => figure <= limit,
  "less than": (figure: number, limit: number): boolean => figure < limit,
} as const;

/** A figure of a text, and the limit that was published for it. */
export interface Measure {
  /** What is measured, for the help. */
  readonly says: string;
  readonly side: keyof typeof SIDES;
  readonly limit: number;
  /** Set if the figure depends on the language of the text. */
  readonly needsLanguage?: true;
  /** Set if the figure depends on the registers (kinds of text) of the document. */
  readonly needsRegisters?: true;
  /** Returns the figure; undefined if it means nothing for this text, which then passes. */
  readonly measure: (kept: Kept) => number | undefined;
}

/** Makes a filter from a measure and a limit. */
export function createFilter(name: string, { side, measure }: Measure, limit: number): Filter {
  return {
    name,
    judge(kept) {
      const figure = measure(kept);
      if (figure === undefined || SIDES[side](figure, limit)) return KEEP;
      return { keep: false, reason: "filtered", detail: `${name}: ${show(figure)}, wanted ${side} ${limit}` };
    },
  };
}

/** Formats a figure with up to three decimals. */
function show(figure: number): string {
  return String(Math.round(figure * 1000) / 1000);
}
