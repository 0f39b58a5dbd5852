/** Loads the parts of the `justext` labeller that only the comparison with jusText needs from outside. */
import { loadFrom, type Places } from "../../../systems/internals.js";

/** As in the package's `label/papers/justext/classify.ts`. */
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

/** What of a line the labeller reads; the records of the public interface have it. */
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
