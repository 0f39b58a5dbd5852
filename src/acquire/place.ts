/** Declares what an input of the command line leads to. */
import type { Reject } from "../outcome.js";

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
