/** Tells at one look whether what a page calls an element may mean anything to the rules of this room: most names do not. */
import { codeUnit } from "../../code-unit.js";
import type { ElementNode } from "../../tree.js";
import { MAX_CLASS } from "../bounded-attributes.js";
import { EDIT_CLASS, NUMBER_CLASS } from "./left-out.js";
import { ASIDE, ASIDE_TITLE, CRAYON, DOCBOOK, PULLED, QUOTED, SIGNATURE, TASK_CLASS } from "./boxes.js";
import { GRID_CLASS, GRID_ROLES } from "./grids.js";
import { FORMULA_CLASS } from "./formulas/formula.js";
import { FONT_CLASS } from "./inline.js";
import { LISTING_CLASS } from "../lines/generators/latexml.js";
import { TABS_CLASS } from "./tabs.js";

/** Part of all names that say something by themselves, and quicker to look for than each of them. */
const HINT =
  /admonition|alert|callout|notecard|custom-block|confluence-information|application-notice|template-box|quote|math|katex|arithmatex|line|lno|lnum|ln-num|gutter|blob-num|hljs-ln|crayon-nums|sig|tabbed-labels|edit|cite|viewcode|bracket|back-link|latex|checkbox-o|ltx_font|ltx_listing|summary-table|col-(?:first|second|last|constructor)/i;

const TELLING = [
  ASIDE,
  ASIDE_TITLE,
  PULLED,
  QUOTED,
  SIGNATURE,
  NUMBER_CLASS,
  FORMULA_CLASS,
  EDIT_CLASS,
  TABS_CLASS,
  FONT_CLASS,
  LISTING_CLASS,
  TASK_CLASS,
  GRID_CLASS,
] as const;

/** What says something only by where it is. */
const PLACED: ReadonlySet<string> = new Set([
  "title",
  "container",
  "fragment",
  "tooltip",
  "test-arrow",
  "AttributionLink",
  "hideme",
  ...DOCBOOK,
  ...CRAYON,
]);

/**
 * What is known of the names of a page: the same ones come back with every item and cell. Each has one place in a table, by
 * its length and two of its characters: to hash a name that was just cut out of a page takes longer than to compare it.
 */
export interface KnownNames {
  readonly names: (string | undefined)[];
  readonly tell: boolean[];
}

const PLACES = 256;

export function createKnownNames(): KnownNames {
  return { names: new Array<string | undefined>(PLACES), tell: new Array<boolean>(PLACES) };
}

/** Whether an element may be more than its text, by its class, its role, or the number of a line of code. */
export function isTelling({ attributes }: ElementNode, known: KnownNames): boolean {
  if (attributes.size === 0) return false;
  const names = attributes.get("class");
  const isNamed = names !== undefined && isTold(names, known);
  // Most have a class and nothing else.
  if (isNamed || (names !== undefined && attributes.size === 1)) return isNamed;
  const role = attributes.get("role");
  const tells = role !== undefined && (role === "tablist" || role === "heading" || GRID_ROLES.has(role));
  return tells || attributes.has("data-line-number");
}

function isTold(names: string, known: KnownNames): boolean {
  const { length } = names;
  if (length === 0) return false;
  const at = (31 * length + 7 * codeUnit(names, length - 1) + codeUnit(names, length >> 1)) % PLACES;
  if (known.names[at] === names) return known.tell[at] === true;
  const tells = PLACED.has(names) || (HINT.test(names) && isOne(names.slice(0, MAX_CLASS)));
  known.names[at] = names;
  known.tell[at] = tells;
  return tells;
}

function isOne(names: string): boolean {
  return TELLING.some((pattern) => pattern.test(names));
}
