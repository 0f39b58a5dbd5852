/** Declares the types of a corpus: its gold lines, its documents, and the rows that were left out of it. */

import type { MeasureName } from "../metrics/measures.js";
import type { FieldValues } from "../metrics/metadata/fields.js";

export interface GoldLine {
  readonly text: string;
  /** 1 = main content, 0 = boilerplate, null = not known: the line counts in no score. */
  readonly label: 0 | 1 | null;
  /** A finer class, if the corpus has one. */
  readonly cls?: string;
}

/** One annotated page or text. Its corpus decides which kinds of gold it has; an absent kind is not scored. */
export interface GoldDocument {
  readonly id: string;
  readonly corpus: string;
  readonly lang: string;
  readonly split: string;
  readonly url: string;
  /** The other sets that also hold pages of this document's host. */
  readonly hostIn?: readonly string[];
  readonly pageType?: string;
  readonly register?: string;
  /** The page's HTML, in corpora of pages. */
  readonly html?: string;
  /** Every line of the raw page or text, in order. */
  readonly lines?: readonly GoldLine[];
  /** The full main text. */
  readonly text?: string;
  /** Snippets that must appear in the output (`with`) and that must not (`without`). */
  readonly with?: readonly string[];
  readonly without?: readonly string[];
  /** The metadata that the page states, in corpora of metadata. */
  readonly meta?: FieldValues;
}

export interface Corpus {
  readonly name: string;
  /** Where the data comes from: project and commit or date. */
  readonly origin: string;
  readonly licence: string;
  readonly languages: readonly string[];
  /** The splits of the source data that this corpus holds. The corpus is always scored as a whole. */
  readonly splits: readonly string[];
  /** Whether systems get HTML pages, or lines of text. */
  readonly unit: "pages" | "lines";
  /** The measures that the corpus's own evaluation publishes; the last one is its headline figure. */
  readonly ownMeasures?: readonly MeasureName[];
  /** What this gold means by main content: titles, bylines, comments … */
  readonly mainContent: string;
  /** Whether our models may have trained on its documents, and on which split. */
  readonly training: string;
  /** Set when its documents may train our models: a system whose model trained on any of them is not measured on it. */
  readonly onlyUnseen?: true;
  /** Yields every document once, in the order of the files. Throws `CorpusMissing` if the files are missing. */
  documents(): AsyncIterable<GoldDocument>;
  /** Returns the rows that the last reading left out, and why. Complete once `documents()` has ended. */
  problems(): readonly CorpusProblem[];
}

/** A row of a corpus that was not used, because it is damaged or repeats a page. */
export interface CorpusProblem {
  readonly file: string;
  /** 1-based line in the (decompressed) file; 0 if the problem is not on a line. */
  readonly line: number;
  readonly problem: "bad-row" | "duplicate" | "truncated";
  readonly detail: string;
}
