/** Declares the messages that the measurement and its farm exchange across processes. */
import type { Visit } from "../farm/log.js";

export interface WebAsked {
  /** What pages are made of: JSON Lines files, or the fixtures where there are none. */
  readonly files: readonly string[];
  readonly fixtures: string;
  readonly sites: number;
  /** On each. */
  readonly pages: number;
  readonly seed: number;
}

export type FarmRequest = { readonly kind: "open"; readonly web: WebAsked } | { readonly kind: "take" };

export type FarmReply =
  /** All of its pages; the first ones are the front pages of its sites. */
  | { readonly kind: "opened"; readonly names: string; readonly urls: readonly string[] }
  /** Those since the last time. */
  | { readonly kind: "visits"; readonly visits: readonly Visit[] };
