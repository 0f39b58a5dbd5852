/** Loads the internals of the `justext` labeller that only the comparison with jusText uses. */
import { loadFrom, type Places } from "../../../systems/internals.js";

/** Mirrors the type in the package's `label/papers/justext/classify.ts`. */
export interface Paragraph {
  readonly length: number;
  readonly linkChars: number;
  readonly stopShare: number;
  readonly isHeading: boolean;
  readonly hasCopyright: boolean;
  readonly isChoice: boolean;
}

export interface Judged {
  readonly first: "good" | "near-good" | "short" | "bad";
  readonly isContent: boolean;
  readonly why: string;
}

/** The fields of a line that the labeller reads; the public line records have them. */
export interface PlainLine {
  readonly text: string;
  readonly block: string;
  readonly path: string;
  readonly linkChars: number;
}

export interface Internals {
  classify(paragraphs: readonly Paragraph[]): Judged[];
  readParagraphs(lines: readonly PlainLine[], stated?: string): { readonly paragraphs: readonly Paragraph[] };
  readWords(text: string, lists?: ReadonlyMap<string, number>): Uint32Array;
  shareOf(words: Uint32Array, bit: number): number;
}

const PLACES: Places<Internals> = {
  "label/papers/justext/classify": ["classify"],
  "label/papers/justext/justext-labeller": ["readParagraphs"],
  "label/papers/justext/stop-lists": ["readWords", "shareOf"],
};

export function loadInternals(): Promise<Internals> {
  return loadFrom(PLACES);
}
