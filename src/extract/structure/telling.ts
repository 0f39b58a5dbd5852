/** Checks quickly whether the names of an element may matter to the rules in this folder; most names do not. */
import type { ElementNode } from "../../document/tree.js";
import { MAX_CLASS, NAME_PLACES, placeOfNames } from "../bounded-attributes.js";
import { EDIT_CLASS, NUMBER_CLASS } from "./left-out.js";
import {
  ASIDE,
  ASIDE_TITLE,
  CODE_BLOCK,
  CRAYON,
  DOCBOOK,
  DOCFX,
  DOXYGEN,
  EXDOC,
  MESSAGES,
  PULLED,
  QUOTED,
  SIGNATURES,
  TASK_CLASS,
  isCodeByStyle,
} from "./boxes.js";
import { GRID_CLASS, GRID_ROLES } from "./grids.js";
import { TITLE_CLASS } from "./headings.js";
import { FORMULA_CLASS } from "./formulas/formula.js";
import { FONT_CLASS } from "./inline.js";
import { LISTING_CLASS } from "../lines/generators/latexml.js";
import { POSTS_CLASS } from "./posts.js";
import { TABS_CLASS } from "./tabs.js";

/**
 * A part of every class name below, and faster to search for than all of them, the more so since those with the same
 * first letter are together.
 */
const HINT =
  /a(?:dmonition|k-editor-panel|lert|pplication-notice|rithmatex|ttention-header|ttr )|b(?:ack-link|bp-replies|lob-num)|c(?:allout|ode-block|heckbox-o|odenumbers|odeTabs-|ode-header|ol-(?:first|second|last|constructor)|onfluence-information|onversation-list|rayon-nums|ustom-(?:block|container))|et_pb_tabs|fn-bracket|gutter|h(?:int-container|ljs-ln)|katex|l(?:atex|ines?-?n|no|num|n-num|tx_font|tx_listing)|m(?:ath|emproto|essagelist|ethod-heading|w-cite|w-edit)|n(?:av-(?:pill|tab)|ote |otecard)|p(?:osts timeline|rompt-|re-numbering)|quote|s(?:e_code_view|e-section-sectionTitle|ecedit|ection (?:note|remark|important|warning|attention)|ig(?:\b|nature)|tarlight-aside|ummary-(?:table|signature))|t(?:ab-set|abbed-(?:labels|set)|ablist|emplate-box)|vc_tta-tabs|w(?:-tab-menu|ds-tabs)/i;

const TELLING = [
  ASIDE,
  CODE_BLOCK,
  DOXYGEN,
  ASIDE_TITLE,
  PULLED,
  QUOTED,
  SIGNATURES,
  NUMBER_CLASS,
  FORMULA_CLASS,
  EDIT_CLASS,
  TABS_CLASS,
  FONT_CLASS,
  LISTING_CLASS,
  TASK_CLASS,
  GRID_CLASS,
  POSTS_CLASS,
  TITLE_CLASS,
] as const;

/** Class names that have a meaning only at certain places. */
const PLACED: ReadonlySet<string> = new Set([
  "title",
  "container",
  "fragment",
  "blockcode",
  "tooltip",
  "test-arrow",
  "AttributionLink",
  "hideme",
  "posts",
  "description",
  "tabs",
  ...DOCBOOK,
  ...DOCFX,
  ...EXDOC,
  ...MESSAGES.keys(),
  ...CRAYON,
]);

/** A cache of the class names of a page, because the same ones repeat with every item and cell. */
export interface KnownNames {
  readonly names: (string | undefined)[];
  readonly tell: boolean[];
}

export function createKnownNames(): KnownNames {
  return { names: new Array<string | undefined>(NAME_PLACES), tell: new Array<boolean>(NAME_PLACES) };
}

/** Whether an element may be more than its text, by its class, role or style, or a line number attribute. */
export function isTelling(element: ElementNode, known: KnownNames): boolean {
  const { attributes } = element;
  if (attributes.size === 0) return false;
  const names = attributes.get("class");
  const isNamed = names !== undefined && isTold(names, known);
  // Most elements have a class and no other attribute.
  if (isNamed || (names !== undefined && attributes.size === 1)) return isNamed;
  const role = attributes.get("role");
  const tells = role !== undefined && (role === "tablist" || role === "heading" || GRID_ROLES.has(role));
  return tells || attributes.has("data-line-number") || isCodeByStyle(element);
}

function isTold(names: string, known: KnownNames): boolean {
  if (names === "") return false;
  const at = placeOfNames(names);
  if (known.names[at] === names) return known.tell[at] === true;
  const tells = PLACED.has(names) || (HINT.test(names) && isOne(names.slice(0, MAX_CLASS)));
  known.names[at] = names;
  known.tell[at] = tells;
  return tells;
}

function isOne(names: string): boolean {
  return TELLING.some((pattern) => pattern.test(names));
}
