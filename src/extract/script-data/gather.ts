/** Gathers the text inside one object of a page's data, in the order of the data. */
import { toFields, type Fields } from "../../json.js";
import { parseNested } from "./blocks.js";
import { belongs, titleOf, type PageIdentity } from "./page-identity.js";
import { addPiece, createPieces, escapeTags, isProse, wrapPieces, type Pieces } from "./pieces.js";
import { addRichText } from "./rich-text.js";

/** The keys by which data names its text; they are in lower case. */
interface Vocabulary {
  /** Maps each key of text to the tag of its blocks. */
  readonly texts: ReadonlyMap<string, string>;
  /** Whether a string under these keys may be something else, so that only prose is taken. */
  readonly isLoose: boolean;
}

/** For JSON-LD: terms of schema.org. */
export const LINKED: Vocabulary = {
  texts: new Map([
    ["articlebody", "p"],
    ["reviewbody", "p"],
    ["text", "p"],
    ["recipeingredient", "li"],
    ["recipeinstructions", "li"],
  ]),
  isLoose: false,
};

/** For things without a text of their own: their description. */
export const DESCRIBED: Vocabulary = { texts: new Map([["description", "p"]]), isLoose: true };

/** Keys that content systems use for text, in lower case. */
export const STATE_TEXTS: readonly string[] = [
  "articlebody",
  "articlecontent",
  "articletext",
  "body",
  "bodyhtml",
  "bodytext",
  "content",
  "contenthtml",
  "contents",
  "cooked",
  "fulltext",
  "html",
  "htmlbody",
  "htmlcontent",
  "maincontent",
  "message",
  "paragraphs",
  "posttext",
  "richtext",
  "selftext",
  "storybody",
  "text",
];

/** For the state of any system, where any string may be under these keys. */
export const STATE: Vocabulary = {
  texts: new Map(STATE_TEXTS.map((key) => [key, "p"])),
  isLoose: true,
};

/** Keys of data about other pages, the site or people. */
const OTHER =
  /^(?:related|recommend|suggest(?!edanswer)|similar|popular|trending|latest|recent|more|next|prev|sidebar|footer|header|nav|menu|author|creator|publisher|user$|bio$|ads?$|advert|banner|promo|newsletter|cookie|consent|translation|i18n|locale|breadcrumb|seo|ispartof|reviews?$|mentions|site$|settings|config|theme|runtimeconfig)/;
const COMMENTS = /^(?:usercomments?|comments?)$/;

const MAX_DEPTH = 48;
/** The most values that are read in one object; enough for a state of 5 MB. */
const MAX_VALUES = 300_000;

/** Gathers the text of the object `what`, which is a part of the page with that identity. */
export function gather(what: Fields, page: PageIdentity, vocabulary: Vocabulary): Pieces {
  const pieces = createPieces();
  const seen = new Set<unknown>();
  const isOther = (part: Fields): boolean => belongs(part, page) === "other";
  let left = MAX_VALUES;
  readObject(what, 0);
  return pieces;

  function readValue(key: string, value: unknown, depth: number): void {
    if (depth > MAX_DEPTH || (left -= 1) < 0 || OTHER.test(key)) return;
    const tag = vocabulary.texts.get(key);
    if (typeof value === "string") readString(value, tag, depth);
    else if (typeof value !== "object" || value === null || seen.has(value)) return;
    else if (tag !== undefined && isRich(value)) {
      seen.add(value);
      addRichText(pieces, value, { tag, isOther });
    } else if (COMMENTS.test(key))
      wrapPieces(
        pieces,
        () => {
          readParts(key, value, depth);
        },
        () => [`<section class="comments">`, "</section>"],
      );
    else readParts(key, value, depth);
  }

  function readString(text: string, tag: string | undefined, depth: number): void {
    const nested = parseNested(text);
    if (nested !== undefined) readParts("", nested, depth);
    else if (tag !== undefined && (!vocabulary.isLoose || isProse(text))) addPiece(pieces, text, tag);
  }

  function readParts(key: string, value: unknown, depth: number): void {
    if (!Array.isArray(value)) {
      readPart(toFields(value), depth + 1);
      return;
    }
    seen.add(value);
    for (const item of value) {
      if (Array.isArray(item) || typeof item === "string") readValue(key, item, depth + 1);
      else readPart(toFields(item), depth + 1);
    }
  }

  /** Reads an object inside another. Skips one of another page; one with text becomes an `article` with its heading. */
  function readPart(part: Fields, depth: number): void {
    if (seen.has(part) || isOther(part)) return;
    const read = (): void => {
      readObject(part, depth);
    };
    if (hasText(part, vocabulary))
      wrapPieces(pieces, read, () => [`<article>${headingOf(part)}`, "</article>"]);
    else read();
  }

  function readObject(object: Fields, depth: number): void {
    seen.add(object);
    for (const [key, value] of Object.entries(object)) readValue(key.toLowerCase(), value, depth + 1);
  }
}

function hasText(part: Fields, { texts }: Vocabulary): boolean {
  return Object.keys(part).some((key) => texts.has(key.toLowerCase()) || key === "acceptedAnswer");
}

/** Checks whether the value of a text key is that text in parts, and not an object that has texts. */
function isRich(value: object): boolean {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof first === "string") return true;
  const fields = toFields(first);
  return [
    "type",
    "_type",
    "nodeType",
    "__typename",
    "@type",
    "children",
    "blocks",
    "text",
    "rendered",
    "root",
  ].some((key) => key in fields);
}

/** Returns the heading of a part. Its `name` counts only for a question, because people and files have names, too. */
function headingOf(part: Fields): string {
  const title = titleOf(part, part["@type"] === "Question" ? ["name"] : ["headline", "title", "heading"]);
  return title === undefined ? "" : `<h2>${escapeTags(title)}</h2>`;
}
