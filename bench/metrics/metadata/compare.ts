/** Compares what a system says of a page with what its gold says, field by field. */
import type { Counts, ItemCounts } from "../items/items.js";
import { FIELDS, formsOf, isSaid, type FieldName, type FieldValues } from "./fields.js";

/** A page of gold: its fields, and its address, to which addresses of images are relative. */
export interface MetadataGold {
  readonly url: string;
  readonly fields: FieldValues;
}

/**
 * A field is wanted where the gold says it: found if the system gave any answer, right if it gave that one. Where the gold
 * is silent nothing is counted, since a page may well have an author whom the gold does not name.
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
