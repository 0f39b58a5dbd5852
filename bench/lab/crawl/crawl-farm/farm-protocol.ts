/** Declares the messages between the benchmark and the farm's process. */
import type { Visit } from "../farm/log.js";

export interface WebAsked {
  /** JSON Lines files that pages are made from; the fixtures are used when the list is empty. */
  readonly files: readonly string[];
  readonly fixtures: string;
  readonly sites: number;
  /** Pages on each site. */
  readonly pages: number;
  readonly seed: number;
}

export type FarmRequest = { readonly kind: "open"; readonly web: WebAsked } | { readonly kind: "take" };

export type FarmReply =
  /** Lists all pages; the front pages of the sites come first. */
  | { readonly kind: "opened"; readonly names: string; readonly urls: readonly string[] }
  /** Lists the requests since the last "take". */
  | { readonly kind: "visits"; readonly visits: readonly Visit[] };
