/** Names the kinds of units that a reader sees as one thing, and the further counts about them. */

export interface UnitKind {
  readonly name: string;
  readonly title: string;
  /** Set for counts that are not a kind of unit themselves. */
  readonly isSecond?: true;
}

export const UNIT_KINDS = [
  { name: "table", title: "table" },
  { name: "list", title: "list" },
  { name: "code", title: "code block" },
  { name: "quote", title: "quote" },
  { name: "card", title: "post or card" },
  { name: "section", title: "section" },
  { name: "unit", title: "all units", isSecond: true },
  { name: "whole", title: "whole units kept whole", isSecond: true },
  { name: "out", title: "other units left out", isSecond: true },
  { name: "heading", title: "headings of kept sections", isSecond: true },
] as const satisfies readonly UnitKind[];

export type UnitName = (typeof UNIT_KINDS)[number]["name"];

/** The kinds of the units that pages have. */
export type PartName = Exclude<UnitName, "unit" | "whole" | "out" | "heading">;
