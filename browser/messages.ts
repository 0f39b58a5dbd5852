/** Declares the messages between a page and its worker; they are plain values, which browsers copy between the two. */
import type { CleanInput, CoreDocument, CoreOptions, Outcome } from "thresher/core";

/** The URL or the bytes of each packed model. */
export type PackedModels = Readonly<Partial<Record<"page" | "text", string | Uint8Array>>>;

/** The first message holds the models; every later one asks for a page. */
export type Question =
  | { readonly models: PackedModels }
  | { readonly id: number; readonly input: CleanInput; readonly options: CoreOptions };

/** The outcome of the page with this id, or the error that it caused; `isUsage` marks a UsageError. */
export type Answer =
  | { readonly id: number; readonly outcome: Outcome<CoreDocument>; readonly engine: string }
  | { readonly id: number; readonly error: { readonly message: string; readonly isUsage: boolean } };
