/** The open elements of a walk into the path of one of them: tags with what names them, from `body` down. */
import type { ElementNode } from "../tree.js";

/** Characters of one step. Utility classes run to hundreds; the first few say what an element is. */
export const MAX_STEP = 80;

/** Characters of a list of classes. */
const MAX_CLASSES = 4 * MAX_STEP;

const TAB = 0x09;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const GREATER_THAN = 0x3e;

/** Steps of a path. What lies between the outermost and the innermost steps is left out and marked by "…". */
export const OUTER_STEPS = 8;
export const INNER_STEPS = 24;

/**
 * A path that some open element has. Elements with the same path share one, so that all their lines hold the same
 * string: whoever looks a path up has it hashed once.
 */
interface Spot {
  readonly path: string;
  /** The last step of the path, and how many the path has before any are left out. */
  readonly step: string;
  readonly steps: number;
  /** What the paths of its children have before their own step, where some of the middle is left out. */
  stem: string | undefined;
  /** Those of the children, by their step. */
  below: Map<string, Spot> | undefined;
}

/** An open element as its path needs it; `spot` is undefined until somebody asks for its path. */
export interface Place {
  element: ElementNode;
  spot: Spot | undefined;
}

/** The path of the element at `depth` of the open ones; each is made once, from the one of its parent. */
export function pathAt(open: readonly Place[], depth: number): string {
  let known = depth;
  while (known >= 0 && open[known]?.spot === undefined) known -= 1;
  for (let at = known + 1; at <= depth; at += 1) extendPath(open, at);
  return open[depth]?.spot?.path ?? "";
}

function extendPath(open: readonly Place[], at: number): void {
  const place = open[at];
  if (place === undefined) return;
  const parent = open[at - 1]?.spot;
  if (parent === undefined || place.element.tag === "html") {
    place.spot = { path: "", step: "", steps: 0, stem: undefined, below: undefined };
    return;
  }
  const step = formatStep(place.element);
  const below = (parent.below ??= new Map<string, Spot>());
  place.spot = below.get(step);
  if (place.spot !== undefined) return;
  const steps = parent.steps + 1;
  const path = steps === 1 ? step : `${stemOf(parent, open, at - 1)}>${step}`;
  place.spot = { path, step, steps, stem: undefined, below: undefined };
  below.set(step, place.spot);
}

/** What stands before the last step of a path right below `parent`, which is the place at `at`. */
function stemOf(parent: Spot, open: readonly Place[], at: number): string {
  if (parent.steps < OUTER_STEPS + INNER_STEPS) return parent.path;
  return (parent.stem ??= leaveOutMiddle(open, at, parent.steps));
}

/** The outermost steps and those of the innermost that leave room for one more. */
function leaveOutMiddle(open: readonly Place[], at: number, steps: number): string {
  let stem = `${open[at - steps + OUTER_STEPS]?.spot?.path ?? ""}>…`;
  for (let inner = at - INNER_STEPS + 2; inner <= at; inner += 1) stem += `>${open[inner]?.spot?.step ?? ""}`;
  return stem;
}

/**
 * `tag#id.class.class[role=main][itemprop=name][itemtype=Person]`: whole names only, as many as fit; none with a `>`,
 * which parts the steps.
 */
function formatStep({ tag, attributes }: ElementNode): string {
  const step = tag.length > MAX_STEP ? tag.slice(0, MAX_STEP) : tag;
  if (attributes.size === 0) return step;
  return addMarkup(addClasses(addId(step, attributes.get("id")), attributes.get("class")), attributes);
}

function addId(step: string, value: string | undefined): string {
  if (value === undefined) return step;
  const id = value.trim();
  if (id === "" || step.length + id.length >= MAX_STEP || /[\s>]/.test(id)) return step;
  return `${step}#${id}`;
}

/** Most lists of classes are ASCII and short, and are cut up by hand; the rest are left to an expression. */
function addClasses(step: string, value: string | undefined): string {
  if (value === undefined || value === "") return step;
  const length = Math.min(value.length, MAX_CLASSES);
  let named = step;
  let start = 0;
  let isPlain = true;
  for (let at = 0; at <= length; at += 1) {
    const code = at < length ? value.charCodeAt(at) : SPACE;
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
    if (name === "" || name.includes(">")) continue;
    if (named.length + name.length >= MAX_STEP) break;
    named += `.${name}`;
  }
  return named;
}

function addMarkup(step: string, attributes: ElementNode["attributes"]): string {
  let named = addAttribute(step, "role", attributes.get("role"));
  named = addAttribute(named, "itemprop", attributes.get("itemprop"));
  const type = attributes.get("itemtype");
  return type === undefined ? named : addAttribute(named, "itemtype", lastPart(type));
}

/** The first name of a list, as the page writes it, where it is a plain one. */
function addAttribute(step: string, attribute: string, value: string | undefined): string {
  const name = value === undefined ? undefined : /^\s*([\w-]{1,80})(?!\S)/.exec(value)?.[1];
  if (name === undefined) return step;
  const selector = `[${attribute}=${name}]`;
  return step.length + selector.length <= MAX_STEP ? step + selector : step;
}

/** Of the first address of a list, what follows its last `/` or `#`. */
function lastPart(addresses: string): string {
  const [address = ""] = addresses
    .slice(0, 4 * MAX_STEP)
    .trim()
    .split(/\s/, 1);
  return address.slice(Math.max(address.lastIndexOf("/"), address.lastIndexOf("#")) + 1);
}
