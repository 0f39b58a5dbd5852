/**
 * Reads text that is stored as a tree of nodes, as editors and content systems do (Contentful, Sanity, Slate, Lexical,
 * Editor.js …).
 */
import { toFields, type Fields } from "../../json.js";
import { addPiece, type Pieces } from "./pieces.js";

/** Keys of a string of text, or of a list of strings, in lower case. */
export const LEAF_KEYS: readonly string[] = [
  "text",
  "textcontent",
  "value",
  "html",
  "content",
  "body",
  "paragraph",
  "paragraphs",
  "items",
  "rendered",
];
const leafKeys: ReadonlySet<string> = new Set(LEAF_KEYS);
const TYPE_KEYS = ["type", "_type", "nodeType", "__typename", "@type", "style", "tag"] as const;

const INLINE =
  /^(?:text|textnode|span|a|link|autolink|hyperlink|entry-hyperlink|strong|bold|b|em|italic|i|u|code|inline.*|mark|leaf)$/i;
const BREAK = /^(?:br|line-?break|hard-?break|hard_break)$/i;
const NO_TEXT =
  /image|video|audio|embed|gallery|iframe|advert|^ads?$|script|newsletter|related|button|promo/i;
const HEADING = /^(?:h[1-6]|head(?:ing|er|line)?|heading[-_]?[1-6]|sub-?head(?:ing|line)?)$/i;
const ITEM = /^(?:li|list-?item|list_item|howtostep)$/i;
const QUOTE = /^(?:block-?quote|quote|pull-?quote)$/i;

const MAX_DEPTH = 40;

/** The text of one block while its parts are read. */
interface Open {
  readonly pieces: Pieces;
  /**
   * Checks whether a node is of another page, like a teaser between paragraphs; links inside a line are of this one.
   */
  readonly isOther: (node: Fields) => boolean;
  text: string;
  tag: string;
}

/** Adds a string, a list of blocks or a tree of nodes, in the order of the data. */
export function addRichText(
  pieces: Pieces,
  value: unknown,
  { tag, isOther }: { readonly tag: string; readonly isOther: (node: Fields) => boolean },
): void {
  const open: Open = { pieces, isOther, text: "", tag };
  // Items at the top level are blocks, whatever their type.
  for (const item of Array.isArray(value) ? value : [value]) {
    read(open, item, 0);
    close(open);
  }
}

function read(open: Open, value: unknown, depth: number): void {
  if (typeof value === "string") open.text += value;
  else if (depth >= MAX_DEPTH) return;
  else if (Array.isArray(value)) for (const item of value) read(open, item, depth + 1);
  else readNode(open, toFields(value), depth);
}

function readNode(open: Open, node: Fields, depth: number): void {
  const types = typesOf(node);
  const is = (pattern: RegExp): boolean => types.some((type) => pattern.test(type));
  if (is(NO_TEXT) || (!is(INLINE) && open.isOther(node))) return;
  if (is(BREAK)) {
    open.text += "<br>";
    return;
  }
  const isBlock = types.length > 0 && !is(INLINE);
  const outer = open.tag;
  if (isBlock) {
    close(open);
    open.tag = is(HEADING) ? "h2" : is(ITEM) ? "li" : is(QUOTE) ? "blockquote" : outer;
  }
  for (const [key, part] of Object.entries(node)) readPart(open, key.toLowerCase(), part, depth + 1);
  if (isBlock) {
    close(open);
    open.tag = outer;
  }
}

function readPart(open: Open, key: string, part: unknown, depth: number): void {
  if (typeof part === "string") {
    if (leafKeys.has(key)) open.text += part;
  } else if (!Array.isArray(part)) read(open, part, depth);
  else if (!part.every((item) => typeof item === "string")) for (const item of part) read(open, item, depth);
  else if (leafKeys.has(key)) {
    // Strings in a list are blocks of their own, like its items.
    close(open);
    for (const item of part) addPiece(open.pieces, item, "li");
  }
}

function close(open: Open): void {
  if (open.text.trim() !== "") addPiece(open.pieces, open.text, open.tag);
  open.text = "";
}

function typesOf(node: Fields): string[] {
  return TYPE_KEYS.flatMap((key) => {
    const type = node[key];
    return typeof type === "string" && type !== "" && type !== "normal" ? [type] : [];
  });
}
