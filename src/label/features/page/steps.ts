/** Reads what the steps of a path ("article.post[role=main]") say: columns to count, and buckets for their words. */
import { codeUnit } from "../../../code-unit.js";
import { BLOCK_COLUMNS, MARKED_COLUMNS, PATH_TAGS, PLACE_AT } from "./place-columns.js";
import { NAMED_COLUMNS } from "./names.js";
import { HASH_START, hashFinish, hashJoin, hashStep } from "../hash.js";

/** What one step says; the same for every page. */
export interface Step {
  /** Column that the tag counts in, or -1. */
  readonly tagColumn: number;
  /** Columns that roles and schema.org names set. */
  readonly marks: readonly number[];
  /** Columns that words of its id and classes set. */
  readonly names: readonly number[];
  readonly role: StepRole;
  /** Hash of the tag alone. */
  readonly tag: number;
  /** Hashes of tag, words of id and classes, and attribute selectors. */
  readonly words: readonly number[];
}

/** Whether text in the element is of a box, or one paragraph of the box around it, or a part of a paragraph. */
type StepRole = "box" | "paragraph" | "part";

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

const ROLES = new Map<string, StepRole>([
  ...["p", "li", "dt", "dd", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote", "address"].map(
    (tag) => [tag, "paragraph"] as const,
  ),
  ...["figcaption", "caption", "legend", "summary"].map((tag) => [tag, "paragraph"] as const),
  ...["a", "b", "strong", "em", "i", "u", "s", "q", "span", "font", "small", "big", "time", "sup", "sub"].map(
    (tag) => [tag, "part"] as const,
  ),
  ...["cite", "code", "tt", "kbd", "abbr", "mark", "label", "button", "bdi", "bdo"].map(
    (tag) => [tag, "part"] as const,
  ),
]);

/** Words of one step that are looked at. Generated class lists run to dozens; the first ones say what an element is. */
const MAX_WORDS = 12;
/** Letters of a word: longer ones are generated names, and no two pages share them. */
const LONGEST_WORD = 20;
const SALT = { tag: 0x11, word: 0x22, mark: 0x33 };
/** Selectors that the extractor writes, after all names. */
const SELECTOR = /\[((?:role|itemprop|itemtype)=[\w-]+)\]$/;
/** "]" */
const SELECTOR_END = 93;
const MAX_SELECTORS = 3;
/** No selector is longer. */
const LONGEST_SELECTOR = 100;

/** A step with its number among those that were read together. */
export interface NumberedStep extends Step {
  readonly number: number;
}

/**
 * Steps that are remembered from page to page: those of a site come again on its next page, and the plain ones on every
 * page. Beyond so many, those of some pages, all are forgotten, and the next page starts anew: what is kept for longer
 * outlives the young memory of the engine, and costs more to move out of it than to read again.
 */
const MOST_STEPS = 512;
let remembered = new Map<string, NumberedStep>();

/** Reads steps, each once. Two steps have the same number only if they are the same; the numbers are good for this one reader. */
export function stepsSoFar(): (step: string) => NumberedStep {
  if (remembered.size > MOST_STEPS) remembered = new Map();
  const steps = remembered;
  return (step) => {
    const known = steps.get(step);
    if (known !== undefined) return known;
    const { tagColumn, marks, names, role, tag, words } = readStep(step);
    const read = { tagColumn, marks, names, role, tag, words, number: steps.size };
    steps.set(step, read);
    return read;
  };
}

const NAMES = new Map(
  [...columnsBy(NAMED_COLUMNS)].map(([name, column]) => [hashText(name, 0, name.length, SALT.word), column]),
);

export function readStep(step: string): Step {
  const tagEnd = endOfTag(step);
  const tag = hashText(step, 0, tagEnd, SALT.tag);
  const tagName = step.slice(0, tagEnd);
  const hashes = [tag];
  const marks: number[] = [];
  let end = step.length;
  // Selectors first: however many classes there are, they are not lost. A class may hold a bracket too (`w-[10px]`).
  for (let found = 0; found < MAX_SELECTORS && codeUnit(step, end - 1) === SELECTOR_END; found++) {
    const mark = SELECTOR.exec(step.slice(Math.max(tagEnd, end - LONGEST_SELECTOR), end))?.[1];
    if (mark === undefined) break;
    end -= mark.length + 2;
    hashes.push(hashText(mark, 0, mark.length, SALT.mark));
    const column = MARK_COLUMNS.get(mark);
    if (column !== undefined) marks.unshift(column);
  }
  const firstWord = hashes.length;
  readWords(step, tagEnd, end, hashes);
  const isWhole = tagName === "body" || tagName === "html";
  return {
    tagColumn: TAG_COLUMNS.get(tagName) ?? -1,
    marks,
    names: isWhole ? [] : namedBy(hashes, firstWord),
    role: ROLES.get(tagName) ?? "box",
    tag,
    words: hashes,
  };
}

const NO_NAMES: readonly number[] = [];

function namedBy(hashes: readonly number[], from: number): readonly number[] {
  let found: number[] | undefined;
  for (let at = from; at < hashes.length; at++) {
    const column = NAMES.get(hashes[at] ?? 0);
    if (column === undefined) continue;
    if (found === undefined) found = [column];
    else if (!found.includes(column)) found.push(column);
  }
  return found ?? NO_NAMES;
}

function endOfTag(step: string): number {
  for (let at = 0, { length } = step; at < length; at++) {
    const unit = codeUnit(step, at);
    if (unit === 35 || unit === 46 || unit === 91) return at;
  }
  return step.length;
}

/** Words of ids and classes: runs of letters, cut where a capital follows a small letter. Digits part words. */
function readWords(step: string, from: number, to: number, hashes: number[]): void {
  let start = -1;
  let wasLower = false;
  for (let at = from; at <= to; at++) {
    const unit = at < to ? codeUnit(step, at) : 0;
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
    const unit = codeUnit(text, at);
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
