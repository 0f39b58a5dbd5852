/** Defines the seam of `filter/`: a filter, which takes the kept text of a labelled document and gives a verdict. */
import type { Reason } from "../outcome.js";
import type { Kept } from "./kept-text.js";

export type Verdict = { readonly keep: true } | Refusal;

export interface Refusal {
  readonly keep: false;
  readonly reason: Reason;
  readonly detail: string;
  /** Of a duplicate: the id of the document that it is a copy of. */
  readonly of?: string;
}

export interface Filter {
  readonly name: string;
  judge(kept: Kept): Verdict;
}

export const KEEP: Verdict = Object.freeze({ keep: true });

/** On which side of its limit a figure passes. */
const SIDES = {
  "at least": (figure: number, limit: number): boolean => figure >= limit,
  "more than": (figure: number, limit: number): boolean => figure > limit,
  "at most": (figure: number, limit: number): boolean => figure <= limit,
  "less than": (figure: number, limit: number): boolean => figure < limit,
} as const;

/** One figure of a text, and the limit that the figure was published with. */
export interface Measure {
  /** What is measured, for the help. */
  readonly says: string;
  readonly side: keyof typeof SIDES;
  readonly limit: number;
  /** Set where the figure depends on the language of the text. */
  readonly needsLanguage?: true;
  /** Set where it needs to be told what kind of text a document is. */
  readonly needsRegisters?: true;
  /** Undefined where the figure says nothing of such a text, which then passes. */
  readonly measure: (kept: Kept) => number | undefined;
}

/** Makes a filter of a measure and a limit. */
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

/** Three decimals, none where there are none. */
function show(figure: number): string {
  return String(Math.round(figure * 1000) / 1000);
}
