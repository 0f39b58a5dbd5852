/** Declares the options of the filters, and resolves them into limits and registers. */
import type { RegisterName } from "./registers.js";
import {
  FILTER_NAMES,
  measures,
  presets,
  type FilterName,
  type Limits,
  type PresetName,
} from "./registry.js";

export const LANGUAGE_OPTIONS = ["stated", "identified"] as const;
export type LanguageOption = (typeof LANGUAGE_OPTIONS)[number];

export const DEDUP_OPTIONS = ["none", "exact", "near"] as const;

/** Which documents count as copies, as `--dedup` names it. */
export type DedupOption = (typeof DEDUP_OPTIONS)[number];

/** Which documents stay. By default all do. */
export interface FilterOptions {
  /** Filters that were published together. */
  readonly preset: PresetName;
  /** Filters to add to those of the preset, or other limits for these. */
  readonly filters: Limits;
  /** BCP 47 tags; documents in other languages are rejected. If empty, all languages pass. */
  readonly languages: readonly string[];
  /**
   * Which language a document has: the one that the page or its record states ("stated"), or the one that its text
   * shows if that is certain ("identified"). The filter of `languages` always judges by the text if it can, except that
   * "stated" trusts the record of a text.
   */
  readonly language: LanguageOption;
  /** Which documents count as copies of one that was kept before, in the same stream. */
  readonly dedup: DedupOption;
  /** The number of documents in which a line may be content; unlimited if absent. */
  readonly dedupLines?: number;
  /** Bytes of memory for the index of duplicates; the rest goes to temporary files. */
  readonly dedupMemoryBytes: number;
}

/** Whether documents or lines are dropped because earlier documents have them. */
export function dropsCopies({
  dedup = "none",
  dedupLines,
}: {
  readonly dedup?: DedupOption | undefined;
  readonly dedupLines?: number | undefined;
}): boolean {
  return dedup !== "none" || dedupLines !== undefined;
}

/** Returns the chosen filters with their limits, in the order of the registry. */
export function resolveLimits({
  preset,
  filters,
}: Pick<FilterOptions, "preset" | "filters">): [FilterName, number][] {
  const limits: Limits = { ...presets[preset], ...filters };
  return FILTER_NAMES.flatMap((name): [FilterName, number][] => {
    const limit = limits[name];
    if (limit === undefined) return [];
    return [[name, limit === true ? measures[name].limit : limit]];
  });
}

/** Returns the registers that a document may have; if empty, it may have any. */
export function resolveRegisters({ filters }: Pick<FilterOptions, "filters">): readonly RegisterName[] {
  return filters.register ?? [];
}

/** Whether a filter needs the registers of documents. */
export function needsRegisters(options: Pick<FilterOptions, "preset" | "filters">): boolean {
  return (
    resolveRegisters(options).length > 0 ||
    resolveLimits(options).some(([name]) => measures[name].needsRegisters === true)
  );
}
