/**
 * Reads the markup of LaTeXML, with which arXiv and ar5iv make the pages of papers: notes, labels of items, and
 * listings.
 */
import { type ElementNode } from "../../../document/tree.js";
import { classOf } from "../../bounded-attributes.js";
import { textOf } from "../../elements.js";

/** Checks whether LaTeXML made the page; the other checks here are used only if it did. */
export function isPaper(element: ElementNode): boolean {
  return /(?:^|\s)ltx_document(?:\s|$)/.test(classOf(element));
}

/**
 * Labels that are drawn twice or beside the text: of notes and of lines of a listing; also the download link of a
 * listing.
 */
const LEFT_OUT = /(?:^|\s)ltx_(?:tag_note|tag_listingline|listing_data)(?:\s|$)/;
const ITEM_TAG = /(?:^|\s)ltx_tag_item(?:\s|$)/;
/** Marks of an item of a list without numbers. */
const BULLET = /^[\p{P}\p{S}]{0,2}$/u;
const MAX_LABEL = 20;

/** Checks whether an element is one of those labels, or the label of an item that its list draws itself. */
export function isLabel(element: ElementNode): boolean {
  const names = classOf(element);
  if (LEFT_OUT.test(names)) return true;
  if (!ITEM_TAG.test(names)) return false;
  return element.parent?.parent?.tag === "ol" || BULLET.test(textOf(element, MAX_LABEL));
}

/** Checks whether an element is the text of a note, which the source has inside the sentence that refers to it. */
export function isNoteText(element: ElementNode): boolean {
  return element.tag === "span" && /(?:^|\s)ltx_note_outer(?:\s|$)/.test(classOf(element));
}

/** Checks whether an element is a label that its text follows without a space: of a note or a bibliography item. */
export function isTag(element: ElementNode): boolean {
  const names = classOf(element);
  if (/(?:^|\s)ltx_note_mark(?:\s|$)/.test(names))
    return element.parent?.tag === "span" && isContent(element.parent);
  return /(?:^|\s)ltx_tag_bibitem(?:\s|$)/.test(names);
}

function isContent(element: ElementNode): boolean {
  return /(?:^|\s)ltx_note_content(?:\s|$)/.test(classOf(element));
}

/** Checks whether an element is a listing: code in which each line is a block. */
export function isListing(element: ElementNode): boolean {
  return element.tag === "div" && LISTING_CLASS.test(classOf(element));
}

export const LISTING_CLASS = /(?:^|\s)ltx_listing(?:\s|$)/;
