/**
 * Reads which uses of a page are reserved, from statements that programs can read: the TDM Reservation Protocol (final
 * report of the W3C community group, 2024), the robots directive `noai`, preferences for automated use
 * (draft-ietf-aipref-attach-05) and content signals (draft-romm-aipref-contentsignals-00).
 */
import type { Page } from "../document.js";
import { accept, type Outcome } from "../outcome.js";

/** The field of WARC records in which a crawl notes what robots.txt reserves: names, separated by commas. */
export const RESERVED_FIELD = "Thresher-Reservations";

/** The HTTP fields that reserve uses. */
const FIELDS = ["tdm-reservation", "x-robots-tag", "content-usage", "content-signal"] as const;
/** Names of `<meta>` elements that reserve uses. */
const METAS: ReadonlySet<string> = new Set(["tdm-reservation", "robots"]);

/** The most characters of one statement that are read, and the most reservations of one page. */
const MAX_VALUE = 2_000;
const MAX_RESERVATIONS = 20;

/** The directive `noai`, perhaps after the name of a robot. */
const NO_AI = /(?:^|[\s,:;])noai(?:$|[\s,;])/i;
const NAME = /^[a-z][a-z0-9_.*-]{0,39}$/;
/** A denied use, "train-ai=n" or "ai-train=no", in a list that is separated by commas. */
const DENIED = /^\s*([a-z][a-z0-9_.*-]{0,39})\s*=\s*no?\s*(?:;|$)/i;

/** Whether a `<meta>` with this name (in lower case) may reserve uses. */
export function isReservingMeta(name: string): boolean {
  return METAS.has(name);
}

/**
 * Reads one statement: the value of an HTTP field or `<meta>`; `name` is in lower case. Returns "tdm" for text and data
 * mining, "noai", and the names of the uses that a preference denies, as it writes them ("train-ai", "ai-input").
 */
export function readReservations(name: string, value: string): string[] {
  const read = value.slice(0, MAX_VALUE);
  if (name === "tdm-reservation") return read.trim() === "1" ? ["tdm"] : [];
  if (name === "robots" || name === "x-robots-tag") return NO_AI.test(read) ? ["noai"] : [];
  return readDenied(read);
}

/** Reads the HTTP fields of a response. `valuesOf` returns the values of a field by its name in lower case. */
export function readFieldReservations(valuesOf: (name: string) => readonly string[] | undefined): string[] {
  return FIELDS.flatMap((name) => (valuesOf(name) ?? []).flatMap((value) => readReservations(name, value)));
}

/** Reads a list of preferences. A denied `search` is left out: it concerns indexes that only point to the page. */
export function readDenied(preferences: string): string[] {
  return preferences.split(",").flatMap((preference) => {
    const use = DENIED.exec(preference)?.[1]?.toLowerCase();
    return use === undefined || use === "search" ? [] : [use];
  });
}

/** Reads the names in a `RESERVED_FIELD`. */
export function readReservedField(value: string): string[] {
  return value
    .slice(0, MAX_VALUE)
    .split(/[\s,]+/)
    .filter((name) => NAME.test(name));
}

/** Merges reservations from several sources: what one of them reserves is reserved. Undefined if there are none. */
export function mergeReservations(...sources: (readonly string[] | undefined)[]): string[] | undefined {
  const merged = new Set(sources.flatMap((source) => source ?? []));
  return merged.size === 0 ? undefined : [...merged].slice(0, MAX_RESERVATIONS);
}

/** Adds reservations to those of a page, if the outcome is a page. */
export function reserveUses(
  outcome: Outcome<Page>,
  ...sources: (readonly string[] | undefined)[]
): Outcome<Page> {
  if (!outcome.ok) return outcome;
  const reservations = mergeReservations(outcome.value.reservations, ...sources);
  return reservations === undefined ? outcome : accept({ ...outcome.value, reservations });
}
