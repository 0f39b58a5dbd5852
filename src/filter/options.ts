/** The options of `filter/`, and the check that programs without a compiler need. */
import { UsageError } from "../outcome.js";
import {
  FILTER_NAMES,
  measures,
  PRESET_NAMES,
  presets,
  type FilterName,
  type Limits,
  type PresetName,
} from "./registry.js";

export const LANGUAGE_OPTIONS = ["stated", "identified"] as const;

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
   * What the language of a document is: what the page says of itself, or what its text shows, where that is certain.
   * The text is asked in any case where `languages` names some.
   */
  readonly language: (typeof LANGUAGE_OPTIONS)[number];
  /** Which documents count as copies of one that was kept before, in the same stream. */
  readonly dedup: DedupOption;
  /** In how many documents a line may be content; in any number when absent. */
  readonly dedupLines?: number;
  /** Memory that the index of duplicates may take; what is beyond it goes to temporary files. */
  readonly dedupMemoryBytes: number;
}

export const FILTER_DEFAULTS: FilterOptions = Object.freeze({
  preset: "none",
  filters: Object.freeze({}),
  languages: Object.freeze([]),
  language: "stated",
  dedup: "none",
  dedupMemoryBytes: 128_000_000,
});

/** The chosen filters with their limits, in the order of the registry. Throws UsageError. */
export function resolveLimits({
  preset,
  filters,
}: Pick<FilterOptions, "preset" | "filters">): [FilterName, number][] {
  checkName("preset", preset, PRESET_NAMES);
  if (!isRecord(filters)) throw new UsageError("filters must be an object of limits by filter");
  for (const name of Object.keys(filters)) checkName("filter", name, FILTER_NAMES);
  const limits: Limits = { ...presets[preset], ...filters };
  return FILTER_NAMES.flatMap((name): [FilterName, number][] => {
    const limit = limits[name];
    if (limit === undefined) return [];
    const value = limit === true ? measures[name].limit : limit;
    if (!(value >= 0)) throw new UsageError(`the limit of filter "${name}" must be a number from 0 on`);
    return [[name, value]];
  });
}

export function checkFilterOptions({
  languages,
  language,
  dedup,
  dedupLines = 1,
  dedupMemoryBytes,
}: FilterOptions): void {
  if (!isStrings(languages)) throw new UsageError("languages must be an array of language codes");
  checkName("choice of language", language, LANGUAGE_OPTIONS);
  checkName("choice of duplicates", dedup, DEDUP_OPTIONS);
  if (!(Number.isInteger(dedupLines) && dedupLines >= 1))
    throw new UsageError("dedupLines must be a whole number from 1 on");
  if (!(Number.isFinite(dedupMemoryBytes) && dedupMemoryBytes >= 0))
    throw new UsageError("dedupMemoryBytes must be a number from 0 on");
}

function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function checkName(option: string, name: string, names: readonly string[]): void {
  if (!names.includes(name))
    throw new UsageError(`there is no ${option} "${name}"; there are ${names.join(", ")}`);
}
