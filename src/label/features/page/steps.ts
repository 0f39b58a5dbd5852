/** Reads the steps of a path, like "article.post[role=main]", as columns to set and as hash buckets of their words. */
import { codeUnit } from "../../../code-unit.js";
import { BLOCK_COLUMNS, MARKED_COLUMNS, PATH_TAGS, PLACE_AT } from "./place-columns.js";
import { NAMED_COLUMNS } from "./names.js";
import { HASH_START, hashFinish, hashJoin, hashStep } from "../hash.js";

/** What one step of a path says; it does not depend on the page. */
export interface Step {
  /** The column that counts this tag, or -1. */
  readonly tagColumn: number;
  /** Columns that its roles and schema.org names set. */
  readonly marks: readonly number[];
  /** Columns that the words of its id and classes set. */
  readonly names: readonly number[];
  readonly role: StepRole;
  /** Hash of the tag alone. */
  readonly tag: number;
  /** Hashes of the tag, of the attribute selectors, and of the words of id and classes. */
  readonly words: readonly number[];
}

/** Whether the element is a box, one paragraph of the box around it, or a part of a paragraph. */
type StepRole = "box" | "paragraph" | "part";

function columnsBy(
  rows: readonly (readonly [keyof typeof PLACE_AT, readonly string[]])[],
): Map<string, number> {
  return new Map(rows.flatMap(([column, names]) => names.map((name) => [name, PLACE_AT[column]] as const)));
}

const TAG_COLUMNS = columnsBy(PATH_TAGS);
const MARK_COLUMNS = columnsBy(MARKED_COLUMNS);
const BLOCKS = columnsBy(BLOCK_COLUMNS);

/** Returns the column of a line's block tag, or -1 if it has no column, as for a line of plain text. */
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

/**
 * The most words and selectors of one step that are read. Generated class lists have dozens; the first ones say what an
 * element is.
 */
const MAX_WORDS = 12;
/** The most letters of a word. Longer words are generated names, which no two pages share. */
const LONGEST_WORD = 20;
const SALT = { tag: 0x11, word: 0x22, mark: 0x33 };
/** An attribute selector, which the extractor writes after the id and classes. */
const SELECTOR = /\[((?:role|itemprop|itemtype)=[\w-]+)\]$/;
/** "]" */
const SELECTOR_END = 93;
const MAX_SELECTORS = 3;
/** The most characters of a selector. */
const LONGEST_SELECTOR = 100;

/** A step with its number among the steps of one reader. */
export interface NumberedStep extends Step {
  readonly number: number;
}

/**
 * The most steps that are cached from page to page. Pages of one site share most steps, and all pages share the plain
 * ones. Once the cache is larger, which takes a few pages, the next page starts with an empty one: entries that live
 * longer leave the engine's young generation, and moving them costs more than reading them again.
 */
const MOST_STEPS = 512;
let remembered = new Map<string, NumberedStep>();

/**
 * Returns a reader that parses each step once. Two steps have the same number only if they are the same; numbers are
 * valid for this one reader.
 */
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

/** Reads one step, as extractors write it. */
export function readStep(step: string): Step {
  const tagEnd = endOfTag(step);
  const tag = hashText(step, 0, tagEnd, SALT.tag);
  const tagName = step.slice(0, tagEnd);
  const hashes = [tag];
  const marks: number[] = [];
  let end = step.length;
  // Selectors are read first so that many classes cannot crowd them out. A class may hold a bracket too (`w-[10px]`).
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

/**
 * Hashes the words of ids and classes: runs of two to LONGEST_WORD letters. Words also end where an upper-case letter
 * follows a lower-case one. Digits separate words.
 */
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

/** How many steps, counted from the innermost, are near. */
const NEAR_STEPS = 3;
/** How many steps of a path are read, counted from the innermost. */
export const READ_STEPS = 14;
export const MAX_PATH_BUCKETS = 2 * READ_STEPS * (MAX_WORDS + 2);

/**
 * Fills the bucket numbers of a path: near steps and their pairs of tags into `near`, other steps into `far`. `steps`
 * goes from outer to innermost and holds at least the READ_STEPS innermost, if the path has that many. `mask` is the
 * number of buckets less one. Returns how many numbers each array got.
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
    // The words of the innermost element get buckets of their own, because they mean more than those further out.
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
