/** Lists the kinds of items that are measured of the structure, the metadata and the units of a page. */
import { FIELDS } from "../metadata/fields.js";
import { ELEMENT_KINDS } from "../structure/elements.js";
import { UNIT_KINDS } from "../units/unit-kinds.js";

export interface ItemKind {
  readonly name: string;
  readonly title: string;
  /** Set for kinds that are shown but are in no mean. */
  readonly isSecond?: true;
}

export const ITEM_KINDS: Readonly<Record<"structure" | "metadata" | "units", readonly ItemKind[]>> = {
  structure: ELEMENT_KINDS,
  metadata: FIELDS,
  units: UNIT_KINDS,
};
