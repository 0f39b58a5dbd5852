/** Finds references to footnotes, and the notes that they link to. */
import type { ElementNode } from "../../document/tree.js";
import { elementBefore } from "../around.js";
import { findElement, textOf } from "../elements.js";
import { decodePercent } from "../percent.js";

const NUMBER = /^[\s[({*※注]*(?:\d{1,4}|[a-z]{1,3}|[*†‡§¶]{1,3}|(?:note|nb|n|fn)[\s.-]?\d{1,4})[\s\])}.]*$/i;
/** A label with a word before the number, as wikis write it for groups of notes ("nb 1"), and Tistory ("각주:1"). */
const LABEL = /^[\s[({]*\p{L}{1,10}[.:]?\s?\d{1,4}[\s\])}.]*$/u;
/** Sphinx names all of its other links "reference internal" or "reference external". */
const NOTE_NAME =
  /(?:^|[\s_-])(?:foot-?note|note-?ref|fn|sdfootnote|cite_?ref|endnote|reference(?! (?:in|ex)ternal))/i;
const NOTE_ID = /^(?:_?ftn|fn|foot-?note|note|cite_note|_?edn|endnote|sdfootnote|en-|n)[\w:.-]*\d/i;
/** Parts of the ids of references, to which links back from a note lead. */
const BACK = /ref|back|return/i;
const MAX_ID = 200;
/** Attributes that state the purpose of a link. */
const ROLES = ["role", "epub:type", "rel"] as const;

/**
 * Reads the id of the note that a link refers to; undefined if the link is no reference to a note. A doubtful reference
 * counts only if the note links back to it.
 */
export function readNoteTarget(
  element: ElementNode,
): { readonly note: string; readonly isDoubtful: boolean } | undefined {
  const { attributes, parent, children } = element;
  const href = attributes.get("href") ?? "";
  const hash = href.indexOf("#");
  const id = href.slice(hash + 1);
  if (hash < 0 || id === "" || id.length > MAX_ID || href.slice(0, hash).includes("?")) return undefined;
  const isRaised = parent?.tag === "sup" || parent?.parent?.tag === "sup" || holdsRaised(children);
  // A link needs more than an address to be a reference.
  if (!isRaised && attributes.size === 1) return undefined;
  const names = attributes.get("class") ?? "";
  const isOwn = hash === 0 && idOf(element) !== undefined;
  const isMaybeBack = BACK.test(id) && !/^(?:cite_note|reference-?\d)/i.test(id);
  if (/back/i.test(names) || (isMaybeBack && !(isRaised && isOwn))) return undefined;
  const roles = ROLES.map((name) => attributes.get(name) ?? "").join(" ");
  const isNamed = NOTE_NAME.test(names) || /noteref|footnote/.test(roles);
  const isNote = isNamed || (isRaised && (hash === 0 || NOTE_ID.test(id)));
  const isDoubtful = isMaybeBack || (!isNote && isOwn);
  if (!isNote && !isDoubtful) return undefined;
  const text = textOf(element, 20);
  const isLabel = LABEL.test(text) && (NOTE_ID.test(id) || roles.includes("noteref"));
  return NUMBER.test(text) || isLabel ? { note: decodePercent(id), isDoubtful } : undefined;
}

/** The largest number of elements in a note that are searched for a link back. */
const MAX_LOOKED = 200;

/** Whether an element is, or holds among the elements that are searched, a link back to one of the references (ids). */
export function holdsWayBack(element: ElementNode, references: ReadonlySet<string>): boolean {
  let looked = 0;
  const found =
    leadsBack(element, references) ||
    findElement(element, (inner) => {
      looked += 1;
      return looked > MAX_LOOKED || leadsBack(inner, references);
    }) !== undefined;
  return found && looked <= MAX_LOOKED;
}

/**
 * The ids that a note may link back to: those of the reference, of up to two elements around it, and of an anchor
 * before it.
 */
export function idsOfReference(element: ElementNode): string[] {
  const ids = [idOf(element)];
  let { parent } = element;
  for (; parent !== null && /^(?:sup|span|a)$/.test(parent.tag) && ids.length < 3; parent = parent.parent)
    ids.push(idOf(parent));
  ids.push(idOf(anchorBefore(element)));
  return ids.filter((id) => id !== undefined);
}

/** Elements with more children than this are not searched. */
const MAX_SIBLINGS = 500;

/** The empty anchor before a reference: `<a name="FNanchor_1"></a><a href="#Footnote_1">[1]</a>`. */
function anchorBefore(element: ElementNode): ElementNode | null {
  const siblings = element.parent?.children ?? [];
  const before = siblings.length > MAX_SIBLINGS ? undefined : siblings[siblings.indexOf(element) - 1];
  return before?.kind === "element" && before.tag === "a" && before.children.length === 0 ? before : null;
}

/** The link in a `sup` that also holds brackets as text: `<sup>[<a href="#n1">1</a>]</sup>`. */
export function linkInBrackets({ tag, children }: ElementNode): ElementNode | undefined {
  if (tag !== "sup" || children.length < 2 || children.length > 3) return undefined;
  const [link, other] = children.filter((child) => child.kind === "element");
  if (link?.tag !== "a" || other !== undefined) return undefined;
  return children.every((child) => child === link || (child.kind === "text" && BRACKETS.test(child.value)))
    ? link
    : undefined;
}

const BRACKETS = /^[\s[\](){}.]*$/;

/** What may hold the number of a note right before it: a term, or a heading of Texinfo. */
const NUMBERED: ReadonlyMap<string, RegExp> = new Map([
  ["dd", /^dt$/],
  ["p", /^h[1-6]$/],
]);

/** The element whose id names a note: for a note below its number, this is the number's element or one in it. */
export function namedAs(element: ElementNode): ElementNode {
  const above = NUMBERED.get(element.tag);
  const before = above && elementBefore(element, MAX_SIBLINGS);
  if (before === undefined || above?.test(before.tag) !== true || !NUMBER.test(textOf(before, 20)))
    return element;
  return idOf(before) === undefined
    ? (findElement(before, (inner) => idOf(inner) !== undefined) ?? element)
    : before;
}

/** Whether an anchor is in a heading that is only the number of a note: the note is below it. */
export function isNumberOfNote({ tag, parent }: ElementNode): boolean {
  return tag === "a" && parent !== null && /^h[1-6]$/.test(parent.tag) && NUMBER.test(textOf(parent, 20));
}

/** Whether an element is a link back to one of these references, with no text but a number or a sign. */
export function leadsBack(element: ElementNode, references: ReadonlySet<string>): boolean {
  const href = element.tag === "a" ? (element.attributes.get("href") ?? "") : "";
  const hash = href.indexOf("#");
  // Saved pages write absolute URLs before the hash.
  if (hash < 0 || !references.has(decodePercent(href.slice(hash + 1)))) return false;
  const text = textOf(element, 20);
  return NUMBER.test(text) || BACK_TEXT.test(text);
}

/** The text of a link back: a sign or two, or a word in brackets, as of Tistory ("[본문으로]"). */
const BACK_TEXT = /^(?:[\s\p{P}\p{S}\ufe0e\ufe0f]{0,4}|\[[^[\]]{1,12}\])$/u;

/** Elements that are no notes, even if a reference links to them. */
const NO_NOTES =
  /^(?:h[1-6]|dt|figure|table|thead|tbody|tr|section|article|main|body|html|form|nav|header|footer)$/;

/** Whether an element may hold a note: any element but these, and a table if its names say so. */
export function canBeNote(element: ElementNode): boolean {
  return !NO_NOTES.test(element.tag) || (element.tag === "table" && isNoteBox(element));
}

/** Whether an anchor, in a `sup` or not, is in a box that the page names as a note. */
export function isInNoteBox({ parent }: ElementNode): boolean {
  const box = parent?.tag === "sup" ? parent.parent : parent;
  return box !== null && isNoteBox(box);
}

function isNoteBox({ attributes }: ElementNode): boolean {
  const names = `${(attributes.get("class") ?? "").slice(0, 300)} ${attributes.get("role") ?? ""}`;
  return /foot-?note|end-?note|(?:^|[\s_-])(?:fn|note)(?:$|[\s_-])/i.test(names);
}

/** Whether a `sup` is among the children of a link: `<a href="#fn1"><sup>1</sup></a>`. */
function holdsRaised(children: ElementNode["children"]): boolean {
  return children.some((child) => child.kind === "element" && child.tag === "sup");
}

/** LaTeXML writes the mark of a note twice in one element: before the note, and again inside it. */
const PAPER_MARK = "ltx_note_mark";
const PAPER_NOTE = /(?:^|\s)ltx_note(?:$|\s)/;

/**
 * Reads a `sup` that LaTeXML writes for a note: with the id if it is the reference, without it if it is the repeated
 * mark.
 */
export function readPaperMark({ attributes, parent }: ElementNode): { readonly note?: string } | undefined {
  if (parent === null || attributes.get("class") !== PAPER_MARK) return undefined;
  if (!PAPER_NOTE.test(parent.attributes.get("class") ?? "")) return {};
  const note = idOf(parent);
  return note === undefined ? undefined : { note };
}

/** The id of the element that holds a note; for a note of LaTeXML it is on the parent. */
export function idOfNote(element: ElementNode): string | undefined {
  const isPaperNote = element.tag === "span" && element.attributes.get("class") === "ltx_note_outer";
  return idOf(isPaperNote ? element.parent : element);
}

/** The `id` of an element, or the `name` of an anchor. */
function idOf(element: ElementNode | null): string | undefined {
  if (element === null) return undefined;
  const { attributes, tag } = element;
  return attributes.get("id") ?? (tag === "a" ? attributes.get("name") : undefined);
}
