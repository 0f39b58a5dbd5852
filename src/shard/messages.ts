/** What a process that cleans pages is told, and what it answers: in the order in which it was asked. */
import type { Page } from "../document.js";
import type { Cleaned } from "./clean-page.js";
import type { CleanerOptions } from "./cleaner.js";

export type Question = { readonly options: CleanerOptions } | { readonly page: Page };

/** The first one says that there is somebody to answer. `error` is a bug, or a model that cannot be used. */
export type Answer =
  | { readonly hasStarted: true }
  | { readonly cleaned: Cleaned }
  | { readonly error: { readonly message: string; readonly isUsage: boolean; readonly stack?: string } };
