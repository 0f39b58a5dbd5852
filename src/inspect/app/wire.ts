/** Declares the messages between the server of `thresher inspect` and its page, as plain values without any imports. */

/** What an annotator says about a line. */
export const MARKS = ["content", "boilerplate", "unsure", "comment", "title"] as const;
export type Mark = (typeof MARKS)[number];

/** Progress of a document: no line is marked, some are, or all lines with text are. */
export type MarkState = "none" | "begun" | "done";

export interface ListedDocument {
  /** Identifies the document: its id, with a number from the second document of the same id on. */
  readonly key: string;
  readonly title: string;
  readonly url: string;
  readonly host: string;
  readonly lang: string;
  readonly type: string;
  /** Number of lines with text, and of kept lines among them. */
  readonly lines: number;
  readonly kept: number;
  readonly words: number;
  /** The share of words that are expected to have the wrong label, 0..1. */
  readonly doubt: number;
  readonly marked: number;
  readonly state: MarkState;
}

/** Values of a field with their number of documents, most frequent first. */
export type Facet = readonly (readonly [value: string, count: number])[];

export interface DocumentList {
  /** Number of documents that fit the filters, and of all documents. */
  readonly found: number;
  readonly total: number;
  /** Whether all inputs have been read to the end. */
  readonly isRead: boolean;
  readonly from: number;
  readonly documents: readonly ListedDocument[];
  readonly facets: {
    readonly lang: Facet;
    readonly host: Facet;
    readonly type: Facet;
  };
  readonly progress: Progress;
  /** Number of records that could not be used, and descriptions of the first of them. */
  readonly damage: { readonly count: number; readonly first: readonly string[] };
}

export interface Progress {
  readonly annotator: string;
  readonly done: number;
  readonly begun: number;
  readonly lines: number;
}

export interface ShownLine {
  readonly text: string;
  readonly label: "content" | "boilerplate";
  readonly score: number;
  readonly block: string;
  readonly path: string;
  readonly why?: string;
  readonly isLinked: boolean;
  readonly isOnPage: boolean;
}

export interface ShownDocument extends Omit<ListedDocument, "doubt" | "lines" | "marked" | "state"> {
  readonly digest: string;
  readonly cut?: number;
  readonly cuts?: { readonly precision: number; readonly balanced: number; readonly recall: number };
  readonly lines: readonly ShownLine[];
  readonly hasPage: boolean;
  /** Marks by the number of their line. */
  readonly marks: Readonly<Record<string, Mark>>;
  /** What can be undone and redone. */
  readonly history: History;
  /** Number of marks that were made when the document had other lines; they are kept, but not shown. */
  readonly stale: number;
  /** Keys of the previous and the next document in the requested list. */
  readonly before?: string;
  readonly after?: string;
}

/** The change of one line: the mark that the page expects it to have, and its new mark. */
export interface Change {
  readonly line: number;
  readonly was: Mark | null;
  readonly mark: Mark | null;
}

/** The last step is undone or redone first. Undoing is a change like any other, back to the earlier mark. */
export interface History {
  readonly done: readonly (readonly Change[])[];
  readonly undone: readonly (readonly Change[])[];
}

export interface MarkRequest {
  readonly key: string;
  readonly digest: string;
  readonly changes: readonly Change[];
}

/** A line that another window has marked differently in the meantime. */
export interface Conflict {
  readonly line: number;
  readonly theirs: Mark | null;
  readonly yours: Mark | null;
}

export interface MarkReply {
  readonly conflicts: readonly Conflict[];
  readonly marks: Readonly<Record<string, Mark>>;
}

/** The document as another cut would make it. */
export interface CutView {
  readonly cut: number;
  readonly text: string;
  readonly markdown: string;
  readonly words: number;
  readonly kept: number;
  /** Lines whose label differs from that of the stored cut. */
  readonly changes: readonly { readonly line: number; readonly text: string; readonly isAdded: boolean }[];
}

/** What counted most for the score of a line: what the score would be if the line had the mean value in one respect. */
export interface Reasons {
  /** The network's score, before any rule. */
  readonly score?: number;
  /** Strongest first; `by` is above 0 if it raises the score. */
  readonly effects: readonly { readonly name: string; readonly by: number; readonly without: number }[];
  /** Why the reasons are not known. */
  readonly unknown?: string;
}

export interface AgreementView {
  readonly annotator: string;
  readonly others: readonly {
    readonly name: string;
    readonly documents: number;
    readonly lines: number;
    readonly words: number;
    readonly kappaLines: number | null;
    readonly kappaWords: number | null;
    readonly disagreements: readonly {
      readonly key: string;
      readonly line: number;
      readonly text: string;
      readonly yours: Mark;
      readonly theirs: Mark;
    }[];
  }[];
}
