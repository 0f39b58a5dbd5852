/** Declares what the server of `thresher inspect` and its page say to each other. Plain values; imports nothing. */

/** What a person says of a line. */
export const MARKS = ["content", "boilerplate", "unsure", "comment", "title"] as const;
export type Mark = (typeof MARKS)[number];

/** How far a document is: no line is marked, some are, or all that hold text. */
export type MarkState = "none" | "begun" | "done";

export interface ListedDocument {
  /** Names the document: its id, and its number among those of the same id from the second on. */
  readonly key: string;
  readonly title: string;
  readonly url: string;
  readonly host: string;
  readonly lang: string;
  readonly type: string;
  /** Lines that hold text, and those of them that are kept. */
  readonly lines: number;
  readonly kept: number;
  readonly words: number;
  /** The share of words that are expected to be on the wrong side, 0..1. */
  readonly doubt: number;
  readonly marked: number;
  readonly state: MarkState;
}

/** How many documents there are of each value of a field, the most frequent first. */
export type Facet = readonly (readonly [value: string, count: number])[];

export interface DocumentList {
  /** Documents that the filters let through, and all. */
  readonly found: number;
  readonly total: number;
  /** Whether the inputs have been read to their ends. */
  readonly isRead: boolean;
  readonly from: number;
  readonly documents: readonly ListedDocument[];
  readonly facets: {
    readonly lang: Facet;
    readonly host: Facet;
    readonly type: Facet;
  };
  readonly progress: Progress;
  /** What could not be used, the first of them, and how many. */
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
  /** What can be taken back, and what was. */
  readonly history: History;
  /** Marks that were made when the document had other lines; they are kept, and not shown. */
  readonly stale: number;
  /** The document before and behind it in the list that was asked for. */
  readonly before?: string;
  readonly after?: string;
}

/** One line's change: what the page took it for before, and what it becomes. */
export interface Change {
  readonly line: number;
  readonly was: Mark | null;
  readonly mark: Mark | null;
}

/** The last is the first that is taken back, or done again. Taking back is a change like others: what was becomes what is. */
export interface History {
  readonly done: readonly (readonly Change[])[];
  readonly undone: readonly (readonly Change[])[];
}

export interface MarkRequest {
  readonly key: string;
  readonly digest: string;
  readonly changes: readonly Change[];
}

/** A line that was marked otherwise elsewhere in the meantime. */
export interface Conflict {
  readonly line: number;
  readonly theirs: Mark | null;
  readonly yours: Mark | null;
}

export interface MarkReply {
  readonly conflicts: readonly Conflict[];
  readonly marks: Readonly<Record<string, Mark>>;
}

/** What a cut makes of a document. */
export interface CutView {
  readonly cut: number;
  readonly text: string;
  readonly markdown: string;
  readonly words: number;
  readonly kept: number;
  /** Lines that are on the other side of the stored cut. */
  readonly changes: readonly { readonly line: number; readonly text: string; readonly isAdded: boolean }[];
}

/** What counted most for the score of a line: what the score would be if the line were like the mean one in one thing. */
export interface Reasons {
  /** As the network gives it, before any rule. */
  readonly score?: number;
  /** The strongest first; `by` is above 0 where it raises the score. */
  readonly effects: readonly { readonly name: string; readonly by: number; readonly without: number }[];
  /** Why it cannot be told. */
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
