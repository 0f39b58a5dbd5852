/** Compares a system's metadata for a page with the gold metadata, field by field. */
import type { Counts, ItemCounts } from "../items/items.js";
import { FIELDS, formsOf, isSaid, type FieldName, type FieldValues } from "./fields.js";

/** The gold of one page: its fields, and its address, which image addresses are relative to. */
export interface MetadataGold {
  readonly url: string;
  readonly fields: FieldValues;
}

/**
 * Counts a field as wanted if the gold has it, as found if the system gave any answer, and as right if it gave the
 * gold's answer. Fields that the gold lacks are not counted, because a page may have an author whom the gold does not
 * name.
 */
export function compareFields({ url, fields }: MetadataGold, given: FieldValues): Counts {
  const counts: Partial<Record<FieldName, ItemCounts>> = {};
  for (const { name } of FIELDS) {
    const wanted = formsOf(name, fields[name], url);
    if (wanted.length === 0) continue;
    const found = isSaid(given[name]) ? 1 : 0;
    const right = formsOf(name, given[name], url).some((form) => wanted.includes(form)) ? 1 : 0;
    counts[name] = { right, found, wanted: 1 };
  }
  return counts;
}
