/** Declares what an input of the command line leads to, and what a caller says of how it is read. */
import type { Reject } from "../outcome.js";
import type { InputKind } from "./kind.js";
import type { Chunks } from "./streams.js";

/** Where a page, or many, can be read. `id` is the URL, the path, the address of an object, or "stdin". */
export interface Place {
  readonly kind: "url" | "stdin" | "file" | "object";
  readonly id: string;
  /** Whether it was found in a directory or by a glob: these mean many files, even where there is only one today. */
  readonly isOneOfMany: boolean;
  /** Of an object, as it was found. */
  readonly facts?: { readonly size: number; readonly etag: string };
}

export type Found = Place | Reject;

/** Is told of each file of a folder that is passed over: its name is not that of a page or of records, or is that of a hidden one. */
export type OnOtherFile = (why: "name" | "hidden") => void;

/** What a caller says of all places. */
export interface PlaceOptions {
  /** What every input is; told by content, then by name, when left out. */
  readonly from?: InputKind;
  /**
   * The field of JSON records, or the column of a table, that holds the pages, where its name is none of the usual
   * ones.
   */
  readonly column?: string;
  /** The address of the one page that a file or stdin holds. */
  readonly url?: string;
  /** Decoded bytes a document may have. */
  readonly maxBytes: number;
  /** What `-` reads. */
  readonly stdin?: Chunks;
}

/** What is left to the process that cleans a page; all of it is done here when left out. */
export interface LeftForLater {
  /** Whether the pages of archives are handed over unseen: the cleaner then tells which are not pages. */
  readonly judges?: "later";
  /** Whether records of JSON Lines are handed over unread: the cleaner then tells what they hold, and how it is called. */
  readonly reads?: "later";
}
