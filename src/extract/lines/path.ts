/** Makes the path of an open element: its tags from `body` down, with ids, class names and a few other attributes. */
import { codeUnit } from "../../code-unit.js";
import { cutAfter } from "../../cut-after.js";
import type { PathTree } from "../../document/path-tree.js";
import type { ElementNode } from "../../document/tree.js";
import { NAME_PLACES, placeOfNames } from "../bounded-attributes.js";
import { goOn, isCommentPath, isPlainTag, type Side, type StepMarks } from "../comment-paths.js";

/** The most characters of one step. Utility classes run to hundreds; the first few say what an element is. */
export const MAX_STEP = 80;

/** Characters of a class attribute that are read. */
const MAX_CLASSES = 4 * MAX_STEP;

const TAB = 0x09;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const GREATER_THAN = 0x3e;

/** Steps of a path that are kept. Steps between the outermost and the innermost are left out and marked by "…". */
export const OUTER_STEPS = 8;
export const INNER_STEPS = 24;

/**
 * The path of an open element, and what it says about the lines there. Elements with the same path share one spot, so
 * that all their lines hold the same string, which is hashed only once for lookups.
 */
export interface Spot {
  readonly path: string;
  /** The page marks what is there as part of a reader's comment. */
  readonly isComment: boolean;
  /** The last step of the path, and the number of steps before any are left out. */
  readonly step: string;
  readonly steps: number;
  readonly side: Side;
  readonly marks: StepMarks;
  /** The steps of the page that were made last. */
  readonly known: KnownSteps;
  /** The beginning of its children's paths, before their own step. */
  stem: string | undefined;
  /**
   * The spot of the first step below it, since most spots have only one; those of other steps are in `below`, by step.
   */
  first: Spot | undefined;
  below: Map<string, Spot> | undefined;
  /** The spot around it; undefined for the spot of the page. */
  readonly outer: Spot | undefined;
  /** Its number in the tree of paths (see `numberSpots`); below zero until it has one. */
  node: number;
}

/**
 * Creates the spot of the page, for text outside of all elements. All spots of a page begin at it, so that no two of
 * them have the same path.
 */
export function startSpot(): Spot {
  return {
    path: "",
    isComment: false,
    step: "",
    steps: 0,
    side: "outside",
    marks: new Map(),
    known: new Array<KnownStep | undefined>(NAME_PLACES),
    stem: undefined,
    first: undefined,
    below: undefined,
    outer: undefined,
    node: 0,
  };
}

/** An open element and its spot, which is undefined until it is needed. */
export interface Place {
  element: ElementNode;
  spot: Spot | undefined;
}

/** Returns the spot of the open element at `depth`. Each spot is computed once, from that of its parent. */
export function spotAt(open: readonly Place[], depth: number): Spot {
  let known = depth;
  while (known >= 0 && open[known]?.spot === undefined) known -= 1;
  const start = open[0]?.spot ?? startSpot();
  let spot = open[known]?.spot ?? start;
  for (let at = known + 1; at <= depth; at += 1) {
    const place = open[at];
    if (place === undefined) break;
    if (at === 0 || place.element.tag === "html") spot = start;
    else spot = spotBelow(spot, formatStep(place.element, start.known), open, at);
    place.spot = spot;
  }
  return spot;
}

/** Checks whether the path leaves out steps between the outermost and the innermost. */
function isCutShort({ steps }: Spot): boolean {
  return steps > OUTER_STEPS + INNER_STEPS;
}

/** Returns the spot of the open element at index `at`, right below `parent`. */
function spotBelow(parent: Spot, step: string, open: readonly Place[], at: number): Spot {
  const { first, below, marks } = parent;
  if (first?.step === step) return first;
  const known = below?.get(step);
  if (known !== undefined) return known;
  const steps = parent.steps + 1;
  const path = (parent.stem ??= stemOf(parent, open, at - 1)) + step;
  // A path that leaves out steps is read as a whole; a plain tag says nothing.
  const side =
    steps > OUTER_STEPS + INNER_STEPS
      ? "odd"
      : step === open[at]?.element.tag && isPlainTag(step)
        ? parent.side
        : goOn(parent.side, step, marks);
  const isComment = side === "odd" ? isCommentPath(path) : side === "inside";
  const spot: Spot = {
    path,
    isComment,
    step,
    steps,
    side,
    marks,
    known: parent.known,
    stem: undefined,
    first: undefined,
    below: undefined,
    outer: parent,
    node: -1,
  };
  if (first === undefined) parent.first = spot;
  else (parent.below ??= new Map<string, Spot>()).set(step, spot);
  return spot;
}

function stemOf({ steps, path }: Spot, open: readonly Place[], at: number): string {
  if (steps === 0) return "";
  return steps < OUTER_STEPS + INNER_STEPS ? `${path}>` : leaveOutMiddle(open, at, steps);
}

/** Returns the outermost steps, and as many of the innermost as leave room for one more. */
function leaveOutMiddle(open: readonly Place[], at: number, steps: number): string {
  let stem = `${open[at - steps + OUTER_STEPS]?.spot?.path ?? ""}>…`;
  for (let inner = at - INNER_STEPS + 2; inner <= at; inner += 1) stem += `>${open[inner]?.spot?.step ?? ""}`;
  return `${stem}>`;
}

/** Half a surrogate pair, which UTF-8 cannot encode. */
const HALF_PAIR = /\p{Surrogate}/u;

/**
 * Formats a step: `tag#id.class.class[role=main][itemprop=name][itemtype=Person]`. Adds whole names only, as many as
 * fit, and no name with a `>`, which separates the steps.
 */
function formatStep({ tag, attributes }: ElementNode, known: KnownSteps): string {
  const step = cutAfter(tag, MAX_STEP);
  if (attributes.size === 0) return step;
  const id = attributes.get("id");
  const classes = attributes.get("class") ?? "";
  const role = attributes.get("role");
  const property = attributes.get("itemprop");
  const type = attributes.get("itemtype");
  if (id === undefined && role === undefined && property === undefined && type === undefined)
    return classes === "" ? step : findStep(step, classes, known);
  let named = addAttribute(addClasses(addId(step, id), classes), "role", role);
  named = addAttribute(named, "itemprop", property);
  return type === undefined ? named : addAttribute(named, "itemtype", lastPart(type));
}

/** The step of an element that only has class names. */
interface KnownStep {
  readonly tag: string;
  readonly classes: string;
  readonly step: string;
}

/** A cache of the steps of a page, because most elements have the class names of another one. */
type KnownSteps = (KnownStep | undefined)[];

function findStep(tag: string, classes: string, known: KnownSteps): string {
  const at = placeOfNames(classes);
  const last = known[at];
  if (last !== undefined && last.classes === classes && last.tag === tag) return last.step;
  const step = addClasses(tag, classes);
  known[at] = { tag, classes, step };
  return step;
}

function addId(step: string, value: string | undefined): string {
  if (value === undefined) return step;
  const id = value.trim();
  if (id === "" || step.length + id.length >= MAX_STEP || /[\s>]|\p{Surrogate}/u.test(id)) return step;
  return `${step}#${id}`;
}

/** Most class attributes are ASCII and short, and are split by hand; the rest are left to a regular expression. */
function addClasses(step: string, value: string): string {
  const length = Math.min(value.length, MAX_CLASSES);
  let named = step;
  let start = 0;
  let isPlain = true;
  for (let at = 0; at <= length; at += 1) {
    const code = at < length ? codeUnit(value, at) : SPACE;
    if (code >= 0x80) return addAnyClasses(step, value);
    if (code === GREATER_THAN) isPlain = false;
    if (code > SPACE || (code < SPACE && (code < TAB || code > CARRIAGE_RETURN))) continue;
    if (at > start && isPlain) {
      if (named.length + at - start >= MAX_STEP) break;
      named += `.${value.slice(start, at)}`;
    }
    start = at + 1;
    isPlain = true;
  }
  return named;
}

function addAnyClasses(step: string, value: string): string {
  let named = step;
  for (const name of value.slice(0, MAX_CLASSES).split(/\s+/)) {
    if (name === "" || name.includes(">") || HALF_PAIR.test(name)) continue;
    if (named.length + name.length >= MAX_STEP) break;
    named += `.${name}`;
  }
  return named;
}

/** Adds the first name of an attribute, as the page writes it, if it is a plain one. */
function addAttribute(step: string, attribute: string, value: string | undefined): string {
  const name = value === undefined ? undefined : /^\s*([\w-]{1,80})(?!\S)/.exec(value)?.[1];
  if (name === undefined) return step;
  const selector = `[${attribute}=${name}]`;
  return step.length + selector.length <= MAX_STEP ? step + selector : step;
}

/** Returns what follows the last `/` or `#` of the first URL of a list. */
function lastPart(addresses: string): string {
  const [address = ""] = addresses
    .slice(0, 4 * MAX_STEP)
    .trim()
    .split(/\s/, 1);
  return address.slice(Math.max(address.lastIndexOf("/"), address.lastIndexOf("#")) + 1);
}

/**
 * Returns the tree of the paths of lines, from their spots. Undefined if a path leaves out steps: then two spots may
 * have the same path.
 */
export function numberSpots(placed: readonly { readonly spot: Spot }[]): PathTree | undefined {
  const parents = [0];
  const steps = [""];
  const nodes = new Int32Array(placed.length);
  const unnumbered: Spot[] = [];
  for (let line = 0; line < placed.length; line += 1) {
    const spot = placed[line]?.spot;
    if (spot === undefined || isCutShort(spot)) return undefined;
    for (let open = spot; open.node < 0 && open.outer !== undefined; open = open.outer) unnumbered.push(open);
    for (let next = unnumbered.pop(); next !== undefined; next = unnumbered.pop()) {
      next.node = parents.length;
      parents.push(next.outer?.node ?? 0);
      steps.push(next.step);
    }
    nodes[line] = spot.node;
  }
  return { parents, steps, nodes };
}
