/** Corrects the structure of a document before it is written; all structured formats begin with this step. */
import type { Document, LabelledLine } from "../../document.js";
import { raiseHeadings } from "./headings.js";
import { leaveItemNumbers } from "./item-numbers.js";
import { pairNotes, settleReferences } from "./notes.js";
import { leaveWhole } from "./whole-emphasis.js";

/**
 * Tells apart notes that share an id, settles the links of references to notes, drops emphasis that was never closed,
 * marks the lines of headings, and drops numbers that lists write themselves.
 */
export function correctStructure(doc: Document<LabelledLine>): Document<LabelledLine> {
  return leaveItemNumbers(raiseHeadings(leaveWhole(settleReferences(pairNotes(doc)))));
}
