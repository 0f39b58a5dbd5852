/** Declares the values of a corpus: its gold lines, its documents, and what was left out of it. */

import type { MeasureName } from "../metrics/measures.js";
import type { FieldValues } from "../metrics/metadata/fields.js";

export interface GoldLine {
  readonly text: string;
  /** 1 = main content, 0 = boilerplate, null = nobody knows: the line is in no score. */
  readonly label: 0 | 1 | null;
  /** A finer class, where the corpus has one. */
  readonly cls?: string;
}

/** One annotated page or text. Which gold it has depends on its corpus; what is absent is not scored. */
export interface GoldDocument {
  readonly id: string;
  readonly corpus: string;
  readonly lang: string;
  readonly split: string;
  readonly url: string;
  /** Other sets that hold pages of its host. */
  readonly hostIn?: readonly string[];
  readonly pageType?: string;
  readonly register?: string;
  /** The page, in page corpora. */
  readonly html?: string;
  /** Every line of the raw page or text, in order. */
  readonly lines?: readonly GoldLine[];
  /** The full main text. */
  readonly text?: string;
  /** Snippets that must, and must not, appear in the output. */
  readonly with?: readonly string[];
  readonly without?: readonly string[];
  /** What the page says of itself, in corpora of metadata. */
  readonly meta?: FieldValues;
}

export interface Corpus {
  readonly name: string;
  /** Where the data comes from: project and commit or date. */
  readonly origin: string;
  readonly licence: string;
  readonly languages: readonly string[];
  /** Which of its splits it holds; a corpus is one side of every split, so that it is scored as a whole. */
  readonly splits: readonly string[];
  /** Whether systems get HTML pages, or lines of text. */
  readonly unit: "pages" | "lines";
  /** The measures that the corpus's own evaluation publishes; the last of them is its headline. */
  readonly ownMeasures?: readonly MeasureName[];
  /** What this gold means by main content: titles, bylines, comments … */
  readonly mainContent: string;
  /** Whether documents of it (and which split) may have trained our models. */
  readonly training: string;
  /** Set where documents train our models: a system whose model trained on one of them is not measured here. */
  readonly onlyUnseen?: true;
  /** Every document once, in the order of the files; throws `CorpusMissing` if they are not there. */
  documents(): AsyncIterable<GoldDocument>;
  /** What the last reading left out, and why. Complete once `documents()` has ended. */
  problems(): readonly CorpusProblem[];
}

/** A row of a corpus that was not used: it is damaged, or the same page occurs twice. */
export interface CorpusProblem {
  readonly file: string;
  /** 1-based line in the (unpacked) file; 0 where the problem has none. */
  readonly line: number;
  readonly problem: "bad-row" | "duplicate" | "truncated";
  readonly detail: string;
}
