/** Declares the options of the filters, and finds the limits that they mean. */
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
export type DedupOption = (typeof DEDUP_OPTIONS)[number];

export interface FilterOptions {
  /** Filters that were published together. */
  readonly preset: PresetName;
  /** Filters beside those of the preset, or with another limit than there. */
  readonly filters: Limits;
  /** BCP 47 tags; documents in other languages are rejects. All languages pass where there is none. */
  readonly languages: readonly string[];
  /**
   * What the language of a document is: what the page or its record states, or what its text shows, where that is
   * certain. Where `languages` names some, the text is asked in any case but for a text whose record states the language.
   */
  readonly language: LanguageOption;
  /** Which documents count as copies of one that was kept before, in the same stream. */
  readonly dedup: DedupOption;
  /** In how many documents a line may be content; in any number when absent. */
  readonly dedupLines?: number;
  /** Memory that the index of duplicates may take; what is beyond it goes to temporary files. */
  readonly dedupMemoryBytes: number;
}

/** The chosen filters with their limits, in the order of the registry. */
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

/** The registers that a document may be of; any where there is none. */
export function resolveRegisters({ filters }: Pick<FilterOptions, "filters">): readonly RegisterName[] {
  return filters.register ?? [];
}

/** Whether a filter looks at the kind of a text. */
export function needsRegisters(options: Pick<FilterOptions, "preset" | "filters">): boolean {
  return (
    resolveRegisters(options).length > 0 ||
    resolveLimits(options).some(([name]) => measures[name].needsRegisters === true)
  );
}
