/** Declares what a page and its worker say to each other; plain values, which are copied between them. */
import type { CleanInput, CoreDocument, CoreOptions, Outcome } from "thresher/core";

/** Where each packed model is: its address, or its bytes. */
export type PackedModels = Readonly<Partial<Record<"page" | "text", string | Uint8Array>>>;

/** The models come first, and once. */
export type Question =
  | { readonly models: PackedModels }
  | { readonly id: number; readonly input: CleanInput; readonly options: CoreOptions };

export type Answer =
  | { readonly id: number; readonly outcome: Outcome<CoreDocument>; readonly engine: string }
  | { readonly id: number; readonly error: { readonly message: string; readonly isUsage: boolean } };
