/** The steps of a path ("article.post[role=main]") into what they say: columns to count, and buckets for their words. */
import { BLOCK_COLUMNS, MARKED_COLUMNS, PATH_TAGS, PLACE_AT } from "./columns.js";
import { HASH_START, hashFinish, hashJoin, hashStep } from "../hash.js";

/** What one step says; the same for every page. */
export interface Step {
  /** Column that the tag counts in, or -1. */
  readonly tagColumn: number;
  /** Columns that roles and schema.org names set. */
  readonly marks: readonly number[];
  /** Hash of the tag alone. */
  readonly tag: number;
  /** Hashes of tag, words of id and classes, and attribute selectors. */
  readonly words: Int32Array;
}

function columnsBy(
  rows: readonly (readonly [keyof typeof PLACE_AT, readonly string[]])[],
): Map<string, number> {
  return new Map(rows.flatMap(([column, names]) => names.map((name) => [name, PLACE_AT[column]] as const)));
}

const TAG_COLUMNS = columnsBy(PATH_TAGS);
const MARK_COLUMNS = columnsBy(MARKED_COLUMNS);
const BLOCKS = columnsBy(BLOCK_COLUMNS);

/** The column of a line's block tag; none for a line of plain text. */
export function blockColumn(block: string): number {
  return BLOCKS.get(block) ?? -1;
}

/** Words of one step that are looked at. Generated class lists run to dozens; the first ones say what an element is. */
const MAX_WORDS = 12;
/** Letters of a word: longer ones are generated names, and no two pages share them. */
const LONGEST_WORD = 20;
const SALT = { tag: 0x11, word: 0x22, mark: 0x33 };

export function readStep(step: string): Step {
  const tagEnd = endOfTag(step);
  const tag = hashText(step, 0, tagEnd, SALT.tag);
  const hashes = [tag];
  const marks: number[] = [];
  let named = step.indexOf("[", tagEnd);
  // A class may hold a bracket (`w-[10px]`); a selector of ours stands at the end and has an equals sign.
  const plainEnd = named < 0 ? step.length : named;
  readWords(step, tagEnd, plainEnd, hashes);
  while (named >= 0 && hashes.length <= MAX_WORDS) {
    const end = step.indexOf("]", named);
    if (end < 0) break;
    const mark = step.slice(named + 1, end);
    if (mark.includes("=")) {
      hashes.push(hashText(mark, 0, mark.length, SALT.mark));
      const column = MARK_COLUMNS.get(mark);
      if (column !== undefined) marks.push(column);
    }
    named = step.indexOf("[", end);
  }
  return {
    tagColumn: TAG_COLUMNS.get(step.slice(0, tagEnd)) ?? -1,
    marks,
    tag,
    words: Int32Array.from(hashes),
  };
}

function endOfTag(step: string): number {
  for (let at = 0; at < step.length; at++) {
    const unit = step.charCodeAt(at);
    if (unit === 35 || unit === 46 || unit === 91) return at;
  }
  return step.length;
}

/** Words of ids and classes: runs of letters, cut where a capital follows a small letter. Digits part words. */
function readWords(step: string, from: number, to: number, hashes: number[]): void {
  let start = -1;
  let wasLower = false;
  for (let at = from; at <= to; at++) {
    const unit = at < to ? step.charCodeAt(at) : 0;
    const isUpper = unit >= 65 && unit <= 90;
    const isLetter = isUpper || (unit >= 97 && unit <= 122) || unit > 127;
    const isCut = start >= 0 && (!isLetter || (isUpper && wasLower));
    if (isCut) {
      const size = at - start;
      if (size > 1 && size <= LONGEST_WORD) hashes.push(hashText(step, start, at, SALT.word));
      if (hashes.length > MAX_WORDS) return;
      start = -1;
    }
    if (isLetter && start < 0) start = at;
    wasLower = isLetter && !isUpper;
  }
}

function hashText(text: string, from: number, to: number, salt: number): number {
  let hash = HASH_START ^ salt;
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at);
    hash = hashStep(hash, unit >= 65 && unit <= 90 ? unit + 32 : unit);
  }
  return hash;
}

const NEAR_SALT = 0x2c1b;
const FAR_SALT = 0x7d35;
const PAIR_SALT = 0x51a7;

/** Steps from the innermost one that count as near. */
const NEAR_STEPS = 3;
/** Steps of a path whose words are read: the innermost ones. */
export const READ_STEPS = 14;
export const MAX_PATH_BUCKETS = 2 * READ_STEPS * (MAX_WORDS + 2);

/**
 * Fills the buckets of a path (steps from an outer one to the innermost, READ_STEPS or more if it has them): of the near steps and their pairs of tags
 * into `near`, of the others into `far`. Returns how many of each.
 */
export function fillPathBuckets(
  steps: readonly Step[],
  mask: number,
  into: { readonly near: Uint16Array; readonly far: Uint16Array },
): { near: number; far: number } {
  let near = 0;
  let far = 0;
  const last = steps.length - 1;
  for (let at = last; at >= 0 && last - at < READ_STEPS; at--) {
    const step = steps[at];
    if (step === undefined) continue;
    const isNear = last - at < NEAR_STEPS;
    // The innermost element's words mean more than those of the elements around it.
    const salt = at === last ? NEAR_SALT + 1 : isNear ? NEAR_SALT : FAR_SALT;
    for (const word of step.words) {
      const bucket = hashFinish(word ^ Math.imul(salt, 0x9e3779b1)) & mask;
      if (isNear) into.near[near++] = bucket;
      else into.far[far++] = bucket;
    }
    const outer = steps[at - 1];
    if (isNear && outer !== undefined)
      into.near[near++] = hashFinish(hashJoin(outer.tag, step.tag) ^ Math.imul(PAIR_SALT, 0x9e3779b1)) & mask;
  }
  return { near, far };
}
