/**
 * Counts the units of a page that a system tears: it keeps only part of a unit that the gold keeps, or leaves out, as a
 * whole.
 */
import type { GoldLine } from "../../corpora/gold.js";
import type { Counts } from "../items/items.js";
import type { PageUnits, Range, Section, Unit } from "./find-units.js";
import { UNIT_KINDS } from "./unit-kinds.js";

/** A unit is whole if at least this share of its letters is kept, and out if at most the other share is. */
const WHOLE = 0.9;
const OUT = 0.1;
/** A heading, or the text of a section, counts as kept from this share of its letters. */
const KEPT = 0.5;

type KnownUnit = Unit & { readonly isWhole: boolean };

export interface GoldUnits {
  /** The units that the gold keeps whole or leaves out whole. */
  readonly units: readonly KnownUnit[];
  /** The sections whose heading is main content. */
  readonly sections: readonly Section[];
  /** The length of each word of the page, in UTF-16 code units. */
  readonly letters: readonly number[];
}

/**
 * Returns the units and sections of the gold. Leaves out a unit if lines without a label could decide whether it is
 * whole or out.
 */
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

/** Counts units by kind: `wanted` are the units of the gold, `right` those that are not torn. */
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

/** Returns the share of a range's letters that are in words for which `isSo` returns true; 0 for an empty range. */
function shareOf([from, to]: Range, letters: readonly number[], isSo: (token: number) => boolean): number {
  let [some, all] = [0, 0];
  for (let token = from; token < to; token += 1) {
    const count = letters[token] ?? 0;
    all += count;
    if (isSo(token)) some += count;
  }
  return all === 0 ? 0 : some / all;
}
