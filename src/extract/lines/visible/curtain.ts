/** Finds the element that hides all of a page, or its main content, until a script has run, if there is one. */
import type { ElementNode, ParsedPage } from "../../../document/tree.js";
import { isOrIsIn } from "../../around.js";
import { classOf, MAX_CLASS } from "../../bounded-attributes.js";
import { isBlank } from "../text/characters.js";
import { DIALOGUE_ROLES, isBesideMain, isMain } from "./landmarks.js";
import { isHiddenByPage, isHiddenByTag, isInvisible } from "./visible.js";

/** A curtain over the whole page hides at least this many characters, and this many times those outside of it. */
const MIN_CHARACTERS = 200;
const MIN_RATIO = 4;

/**
 * Finds the curtain of a page; undefined if there is none. Pages hide their body, or a box around all of it, against
 * flicker, and show it from a script. That hides nothing from a reader. A box differs from closed menus in how little
 * text is outside of it: nothing at all, or little if the box is only invisible. (Of 5,492 pages of the gold sets four
 * hide most of their text in a box: an invisible one and one with `display: none` and nothing outside are the page, two
 * with `display: none` are a menu and an advertisement.) Other pages hide only what is below their header: see
 * `findHiddenMain`.
 */
export function findCurtain({ root }: ParsedPage): ElementNode | undefined {
  const hidden: ElementNode[] = [];
  const shown = countText(root, (element) => {
    if (isHiddenByPage(element)) hidden.push(element);
    else return true;
    return false;
  });
  return chooseCurtain(root, hidden, shown);
}

/**
 * Returns the curtain among the elements that the page itself hides, which come in order and without those inside
 * others. `shown` is the number of characters outside of all of them. Pages that hide nothing are not read again.
 */
export function chooseCurtain(
  root: ElementNode,
  hidden: readonly ElementNode[],
  shown: number,
): ElementNode | undefined {
  if (hidden.length === 0) return undefined;
  return hidden.find((element) => isWholePage(element, shown)) ?? findHiddenMain(root, hidden);
}

function isWholePage(element: ElementNode, shown: number): boolean {
  if (!canBeWholePage(element, shown)) return false;
  const characters = countText(element, () => true);
  return characters >= MIN_CHARACTERS && characters >= MIN_RATIO * shown;
}

/** Checks whether a hidden element may be the whole page if `shown` characters are outside of it. */
function canBeWholePage(element: ElementNode, shown: number): boolean {
  const { tag } = element;
  if (shown === 0 || tag === "html" || tag === "body") return true;
  return !element.attributes.has("hidden") && isInvisible(element);
}

/**
 * Counts the characters of all text nodes that are not blank, inside elements that are not hidden by tag and that
 * `enters` accepts.
 */
function countText(root: ElementNode, enters: (element: ElementNode) => boolean): number {
  let characters = 0;
  const open = [{ element: root, next: 0 }];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const child = top.element.children[top.next];
    top.next += 1;
    if (child === undefined) open.pop();
    else if (child.kind === "text") {
      if (!isBlank(child.value)) characters += child.value.length;
    } else if (!isHiddenByTag(child) && enters(child)) open.push({ element: child, next: 0 });
  }
  return characters;
}

/* A curtain over the main content alone: finds the hidden box that holds it. */

/** The box has at least this many characters of prose, and this many times the prose that is shown. */
const MIN_PROSE = 200;
const MIN_PROSE_RATIO = 2;
/**
 * A main element with at most this many visible characters shows nothing: a loading message, a link to the home page.
 */
const MAX_LEFT = 100;

/** Classes and ids of what is drawn over a page: "loginModal", "cookie-wall". */
const DIALOGUE_NAME =
  /dialog|modal|pop-?up|overlay|light-?box|fancybox|drawer|off-?canvas|fly-?out|tool-?tip|cookie|consent|gdpr/i;

/**
 * Returns the main content among the elements that the page itself hides, without those inside others. A box that holds
 * the page's only `h1` or `main`, or is in a `main` that shows nothing else, is the main content if it also has most of
 * the prose: text that is not in a link or a button. Menus have little prose, and dialogs are recognised by name. (Of
 * 454 hidden boxes of 200 characters and more on the development pages of WCXB three are taken, all of them main
 * content of pages that otherwise have no main content; on 4,015 pages of eleven other gold sets no box is taken.)
 */
function findHiddenMain(root: ElementNode, hidden: readonly ElementNode[]): ElementNode | undefined {
  let found: Box | undefined;
  let most = 0;
  const boxes: Box[] = [];
  for (const element of hidden) {
    if (!hasSign(element) || isDialogue(element) || isOrIsIn(element, isBesideMain)) continue;
    const held = measure(element, (inner) => !isDialogue(inner));
    if (held.prose < MIN_PROSE) continue;
    boxes.push({ element, held });
    if (held.prose > most) most = held.prose;
  }
  if (boxes.length === 0) return undefined;
  const shown = measure(root, () => true, most / MIN_PROSE_RATIO);
  for (const box of boxes) {
    const { prose } = box.held;
    if (prose < MIN_PROSE_RATIO * shown.prose || prose <= (found?.held.prose ?? 0)) continue;
    if (isMainOf(box, shown)) found = box;
  }
  return found?.element;
}

/** A hidden element, and its text outside of dialogs. */
interface Box {
  readonly element: ElementNode;
  readonly held: Measure;
}

/** Checks whether a hidden element is worth comparing with the rest of the page. */
function hasSign(element: ElementNode): boolean {
  const { prose, hasHeading, mains } = measure(element, () => true);
  return prose >= MIN_PROSE && (hasHeading || mains > 0 || isOrIsIn(element.parent, isMain));
}

function isMainOf({ element, held }: Box, shown: Measure): boolean {
  if (held.hasHeading && !shown.hasHeading) return true;
  if (shown.mains === 0) return held.mains > 0;
  return shown.mains === 1 && shown.inMains <= MAX_LEFT && isOrIsIn(element.parent, isMain);
}

/** The texts below an element, in characters. */
interface Measure {
  prose: number;
  /** Whether an `h1` has text. */
  hasHeading: boolean;
  /** Main elements that are not in another one, the element itself included, and the characters in them. */
  mains: number;
  inMains: number;
}

/** Bits for what the elements around a text make of it. */
const IN_LINK = 1;
const IN_HEADING = 2;
const IN_MAIN = 4;

/**
 * Measures the text below an element that is not hidden and is in elements that `enters` accepts. Stops when there is
 * more than `maxProse` prose.
 */
function measure(
  root: ElementNode,
  enters: (element: ElementNode) => boolean,
  maxProse: number = Infinity,
): Measure {
  const measured: Measure = { prose: 0, hasHeading: false, mains: 0, inMains: 0 };
  const open = [{ element: root, next: 0, place: placeIn(root, 0, measured) }];
  for (let top = open.at(-1); top !== undefined && measured.prose <= maxProse; top = open.at(-1)) {
    const child = top.element.children[top.next];
    top.next += 1;
    if (child === undefined) open.pop();
    else if (child.kind === "text") {
      if (!isBlank(child.value)) addText(measured, child.value.length, top.place);
    } else if (!isHiddenByTag(child) && !isHiddenByPage(child) && enters(child))
      open.push({ element: child, next: 0, place: placeIn(child, top.place, measured) });
  }
  return measured;
}

function placeIn(element: ElementNode, outer: number, measured: Measure): number {
  const { tag } = element;
  if (tag === "a" || tag === "button") return outer | IN_LINK;
  if (tag === "h1") return outer | IN_HEADING;
  if ((outer & IN_MAIN) !== 0 || !isMain(element)) return outer;
  measured.mains += 1;
  return outer | IN_MAIN;
}

function addText(measured: Measure, length: number, place: number): void {
  if ((place & IN_LINK) === 0) measured.prose += length;
  if ((place & IN_HEADING) !== 0) measured.hasHeading = true;
  if ((place & IN_MAIN) !== 0) measured.inMains += length;
}

function isDialogue(element: ElementNode): boolean {
  const { tag, attributes } = element;
  if (tag === "dialog") return true;
  if (attributes.size === 0) return false;
  return (
    DIALOGUE_ROLES.has(attributes.get("role") ?? "") ||
    attributes.get("aria-modal") === "true" ||
    DIALOGUE_NAME.test(classOf(element)) ||
    DIALOGUE_NAME.test((attributes.get("id") ?? "").slice(0, MAX_CLASS))
  );
}
