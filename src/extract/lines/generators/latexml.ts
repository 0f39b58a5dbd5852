/** Reads the markup of LaTeXML, from which arXiv and ar5iv make the pages of papers: its notes, labels of items and listings. */
import { type ElementNode } from "../../../tree.js";
import { classOf } from "../../bounded-attributes.js";
import { textOf } from "../../elements.js";

/** Whether a page is made so: nothing below is asked of any other. */
export function isPaper(element: ElementNode): boolean {
  return /(?:^|\s)ltx_document(?:\s|$)/.test(classOf(element));
}

/** Labels that are drawn again or beside: of notes, of lines of a listing, and its link for download. */
const LEFT_OUT = /(?:^|\s)ltx_(?:tag_note|tag_listingline|listing_data)(?:\s|$)/;
const ITEM_TAG = /(?:^|\s)ltx_tag_item(?:\s|$)/;
/** Marks of an item of a list without numbers. */
const BULLET = /^[\p{P}\p{S}]{0,2}$/u;
const MAX_LABEL = 20;

export function isLabel(element: ElementNode): boolean {
  const names = classOf(element);
  if (LEFT_OUT.test(names)) return true;
  if (!ITEM_TAG.test(names)) return false;
  return element.parent?.parent?.tag === "ol" || BULLET.test(textOf(element, MAX_LABEL));
}

/** The text of a note, which stands in the sentence that refers to it. */
export function isNoteText(element: ElementNode): boolean {
  return element.tag === "span" && /(?:^|\s)ltx_note_outer(?:\s|$)/.test(classOf(element));
}

/** Whether a text follows such a label without a space. */
export function isTag(element: ElementNode): boolean {
  const names = classOf(element);
  if (/(?:^|\s)ltx_note_mark(?:\s|$)/.test(names))
    return element.parent?.tag === "span" && isContent(element.parent);
  return /(?:^|\s)ltx_tag_bibitem(?:\s|$)/.test(names);
}

function isContent(element: ElementNode): boolean {
  return /(?:^|\s)ltx_note_content(?:\s|$)/.test(classOf(element));
}

/** Code, each line of which is a block. */
export function isListing(element: ElementNode): boolean {
  return element.tag === "div" && LISTING_CLASS.test(classOf(element));
}

export const LISTING_CLASS = /(?:^|\s)ltx_listing(?:\s|$)/;
