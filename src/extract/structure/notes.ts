/** Finds references to footnotes, and the notes that they lead to. */
import type { ElementNode } from "../../tree.js";
import { textOf } from "../elements.js";

const NUMBER = /^[\s[({]*(?:\d{1,4}|[a-z]{1,3}|[*†‡§¶]{1,3}|(?:note|nb|n|fn)[\s.-]?\d{1,4})[\s\])}.]*$/i;
const NOTE_NAME = /(?:^|[\s_-])(?:foot-?note|note-?ref|fn|sdfootnote|cite_?ref|endnote|reference)/i;
const NOTE_ID = /^(?:_?ftn|fn|foot-?note|note|cite_note|_?edn|endnote|sdfootnote|en-|n)[\w:.-]*\d/i;
/** Where a note leads back to. */
const BACK = /ref|back|return/i;
const MAX_ID = 200;

/** The id of the note that a link refers to; undefined where it is no such link. */
export function readNoteTarget(element: ElementNode): string | undefined {
  const { attributes, parent, children } = element;
  const href = attributes.get("href") ?? "";
  const hash = href.indexOf("#");
  const id = href.slice(hash + 1);
  if (hash < 0 || id === "" || id.length > MAX_ID || href.slice(0, hash).includes("?")) return undefined;
  const names = attributes.get("class") ?? "";
  if (/back/i.test(names) || (BACK.test(id) && !/^(?:cite_note|reference-?\d)/i.test(id))) return undefined;
  if (!NUMBER.test(textOf(element, 20))) return undefined;
  const isRaised = parent?.tag === "sup" || parent?.parent?.tag === "sup" || holdsRaised(children);
  const roles = ["role", "epub:type", "rel"].map((name) => attributes.get(name) ?? "").join(" ");
  const isNamed = NOTE_NAME.test(names) || /noteref|footnote/.test(roles);
  const isNote = isNamed || (isRaised && (hash === 0 || NOTE_ID.test(id)));
  return isNote ? decode(id) : undefined;
}

/** `<a href="#fn1"><sup>1</sup></a>` */
function holdsRaised(children: ElementNode["children"]): boolean {
  return children.some((child) => child.kind === "element" && child.tag === "sup");
}

function decode(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return id;
  }
}

/** The id under which a note may be looked for. */
export function idOf({ attributes, tag }: ElementNode): string | undefined {
  return attributes.get("id") ?? (tag === "a" ? attributes.get("name") : undefined);
}
