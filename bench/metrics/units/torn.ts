/** Says which units of a page a system tears: it keeps a part of what the gold keeps, or leaves out, as a whole. */
import type { GoldLine } from "../../corpora/gold.js";
import type { Counts } from "../items/items.js";
import type { PageUnits, Range, Section, Unit } from "./find-units.js";
import { UNIT_KINDS } from "./unit-kinds.js";

/** Shares of the letters of a unit: from this on it is whole, and up to the other it is out. */
const WHOLE = 0.9;
const OUT = 0.1;
/** A heading, and the text of a section, is there from this share on. */
const KEPT = 0.5;

type KnownUnit = Unit & { readonly isWhole: boolean };

export interface GoldUnits {
  /** Those of which the gold says that they are whole, or out. */
  readonly units: readonly KnownUnit[];
  /** Those whose heading is main content. */
  readonly sections: readonly Section[];
  /** The letters of each word of the page. */
  readonly letters: readonly number[];
}

/** A unit is left out where labels that nobody knows may decide what it is. */
export function findGoldUnits(
  { units, sections }: PageUnits,
  tokens: readonly string[],
  labelOf: (token: number) => GoldLine["label"],
): GoldUnits {
  const letters = tokens.map(({ length }) => length);
  const labels = tokens.map((_, token) => labelOf(token));
  const shareIn = (range: Range): number => shareOf(range, letters, (token) => labels[token] === 1);
  const shareAtMost = (range: Range): number => shareOf(range, letters, (token) => labels[token] !== 0);
  return {
    units: units.flatMap((unit): KnownUnit[] => {
      if (shareIn(unit.range) >= WHOLE) return [{ ...unit, isWhole: true }];
      return shareAtMost(unit.range) <= OUT ? [{ ...unit, isWhole: false }] : [];
    }),
    sections: sections.filter(({ heading }) => shareIn(heading) >= KEPT),
    letters,
  };
}

/** Units by kind: `wanted` are those that the gold knows, `right` those that are not torn. */
export function countTorn(gold: GoldUnits, kept: readonly boolean[]): Counts {
  const counts = new Map(UNIT_KINDS.map(({ name }) => [name as string, { right: 0, wanted: 0 }]));
  const count = (kind: string, isRight: boolean): void => {
    const one = counts.get(kind);
    if (one === undefined) throw new RangeError(`no kind of unit is called ${kind}`);
    one.wanted += 1;
    if (isRight) one.right += 1;
  };
  const share = (range: Range): number => shareOf(range, gold.letters, (token) => kept[token] === true);
  for (const { kind, range, isWhole } of gold.units) {
    const part = share(range);
    const isIntact = part <= OUT || part >= WHOLE;
    count(kind, isIntact);
    count("unit", isIntact);
    count(isWhole ? "whole" : "out", isWhole ? part >= WHOLE : part <= OUT);
  }
  for (const { heading, below } of gold.sections)
    if (share(below) >= KEPT) count("heading", share(heading) >= KEPT);
  const filled = [...counts].filter(([, { wanted }]) => wanted > 0);
  return Object.fromEntries(
    filled.map(([name, { right, wanted }]) => [name, { right, wanted, found: wanted }]),
  );
}

/** The letters of the words that are so, of all letters of a range. */
function shareOf([from, to]: Range, letters: readonly number[], isSo: (token: number) => boolean): number {
  let [some, all] = [0, 0];
  for (let token = from; token < to; token += 1) {
    const count = letters[token] ?? 0;
    all += count;
    if (isSo(token)) some += count;
  }
  return all === 0 ? 0 : some / all;
}
