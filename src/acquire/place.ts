/** Declares the places that a command-line input leads to, and the options for reading them. */
import type { Reject } from "../outcome.js";
import type { InputKind } from "./kind.js";
import type { Chunks } from "./streams.js";

/** Where one or many pages can be read. `id` is the URL, the path, the object address, or "stdin". */
export interface Place {
  readonly kind: "url" | "stdin" | "file" | "object";
  readonly id: string;
  /** Whether a directory or glob gave it. These mean many files, even if there is only one today. */
  readonly isOneOfMany: boolean;
  /** Size and etag of an object when it was found. */
  readonly facts?: { readonly size: number; readonly etag: string };
}

export type Found = Place | Reject;

/**
 * Called for each skipped file of a directory: "name" if its name is not that of a page or of records, "hidden" if it
 * would be read but is hidden.
 */
export type OnOtherFile = (why: "name" | "hidden") => void;

/** Options for all places. */
export interface PlaceOptions {
  /** The kind of every input; detected from content, then from the name, when absent. */
  readonly from?: InputKind;
  /** The field of JSON records, or the column of a table, that holds the pages, if its name is not a usual one. */
  readonly column?: string;
  /** The URL of the one page that a file or stdin holds. */
  readonly url?: string;
  /** The most decoded bytes that a document may have. */
  readonly maxBytes: number;
  /** The stream that `-` reads. */
  readonly stdin?: Chunks;
}

/** Work that is left to the process that cleans a page; when absent, it is done here. */
export interface LeftForLater {
  /** Whether pages of archives are passed on unchecked: the cleaner then finds those that are not pages. */
  readonly judges?: "later";
  /** Whether JSON Lines records are passed on unparsed: the cleaner then reads their page and id. */
  readonly reads?: "later";
}
