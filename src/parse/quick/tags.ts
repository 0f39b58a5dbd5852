/** Lists what the tree construction knows about each tag. Tables only. */

/** Bits of a tag; the sets are those of the HTML standard, 13.2.4 and 13.2.6. */
export const BITS = {
  /** "Special": an end tag of an ordinary element does not reach across one. */
  special: 1,
  /** End the search for an element in (list item, button) scope. */
  scope: 1 << 1,
  listScope: 1 << 2,
  buttonScope: 1 << 3,
  /** The innermost one decides alone how the tags below it are read: table parts, `select`, `template`, `html`. */
  context: 1 << 4,
  /** Tables and their rows hold no text and no other elements: these go before the table. */
  rows: 1 << 5,
  /** Formatting that was opened inside these elements ends with them. */
  marker: 1 << 6,
  formatting: 1 << 7,
  /** Authors may leave out the end tag without changing the meaning. */
  impliedEnd: 1 << 8,
  heading: 1 << 9,
  pre: 1 << 10,
  foreign: 1 << 11,
  /** HTML inside SVG or MathML. */
  integration: 1 << 12,
  /** An HTML tag that ends SVG and MathML. */
  breakout: 1 << 13,
  /** `table`, `template`, `html`: end the search for a table part. */
  tableScope: 1 << 14,
} as const;

/** What a start tag does if no table, `select` or foreign element decides. */
export type StartKind =
  | "generic"
  | "ignored"
  | "block"
  | "heading"
  | "pre"
  | "item"
  | "formatting"
  | "link"
  | "nobr"
  | "void"
  | "hr"
  | "paramlike"
  | "image"
  | "raw"
  | "html"
  | "body"
  | "frameset"
  | "form"
  | "button"
  | "table"
  | "tablePart"
  | "option"
  | "ruby"
  | "rubyText"
  | "template"
  | "plaintext"
  | "foreign"
  | "input";

export type EndKind =
  | "generic"
  | "ignored"
  | "block"
  | "p"
  | "item"
  | "heading"
  | "formatting"
  | "br"
  | "form"
  | "template"
  | "tablePart"
  | "frameset";

/** How the content of an element is read: as markup, as text, or as text with character references. */
type Content = "markup" | "text" | "references";

export interface Tag {
  readonly name: string;
  /** 0 for every tag that the standard does not name. */
  readonly id: number;
  readonly bits: number;
  readonly start: StartKind;
  readonly end: EndKind;
  readonly content: Content;
  /** It may be in `head`. */
  readonly isMetadata: boolean;
}

interface Row {
  readonly names: string;
  readonly start: StartKind;
  readonly end: EndKind;
  readonly bits: number;
}

const { special, scope, listScope, buttonScope, context, rows, marker, impliedEnd, breakout } = BITS;
const ALL_SCOPES = scope | listScope | buttonScope;

const ROWS: readonly Row[] = [
  { names: "html", start: "html", end: "ignored", bits: special | ALL_SCOPES | context | BITS.tableScope },
  { names: "head", start: "ignored", end: "ignored", bits: special | breakout },
  { names: "body", start: "body", end: "ignored", bits: special | breakout },
  { names: "frameset", start: "frameset", end: "frameset", bits: special },
  { names: "frame", start: "ignored", end: "ignored", bits: special },
  {
    names:
      "address article aside details dir fieldset figcaption figure footer header hgroup main nav section summary",
    start: "block",
    end: "block",
    bits: special,
  },
  { names: "dialog search", start: "block", end: "block", bits: 0 },
  { names: "blockquote center div dl menu", start: "block", end: "block", bits: special | breakout },
  { names: "ul ol", start: "block", end: "block", bits: special | listScope | breakout },
  { names: "p", start: "block", end: "p", bits: special | impliedEnd | breakout },
  {
    names: "h1 h2 h3 h4 h5 h6",
    start: "heading",
    end: "heading",
    bits: special | BITS.heading | breakout,
  },
  { names: "pre listing", start: "pre", end: "block", bits: special | BITS.pre | breakout },
  { names: "li dd dt", start: "item", end: "item", bits: special | impliedEnd | breakout },
  { names: "a", start: "link", end: "formatting", bits: BITS.formatting },
  { names: "nobr", start: "nobr", end: "formatting", bits: BITS.formatting | breakout },
  {
    names: "b big code em i s small strike strong tt u",
    start: "formatting",
    end: "formatting",
    bits: BITS.formatting | breakout,
  },
  { names: "font", start: "formatting", end: "formatting", bits: BITS.formatting },
  { names: "br", start: "void", end: "br", bits: special | breakout },
  { names: "img embed", start: "void", end: "ignored", bits: special | breakout },
  { names: "area keygen wbr", start: "void", end: "ignored", bits: special },
  { names: "input", start: "input", end: "ignored", bits: special },
  { names: "hr", start: "hr", end: "ignored", bits: special | breakout },
  { names: "param source track", start: "paramlike", end: "ignored", bits: special },
  { names: "base basefont bgsound link", start: "paramlike", end: "ignored", bits: special },
  { names: "meta", start: "paramlike", end: "ignored", bits: special | breakout },
  { names: "image", start: "image", end: "generic", bits: 0 },
  {
    names: "title textarea style script iframe noembed noframes noscript xmp",
    start: "raw",
    end: "ignored",
    bits: special,
  },
  { names: "plaintext", start: "plaintext", end: "generic", bits: special | BITS.pre },
  { names: "form", start: "form", end: "form", bits: special },
  { names: "button", start: "button", end: "block", bits: special | buttonScope },
  { names: "applet marquee object", start: "generic", end: "block", bits: special | ALL_SCOPES | marker },
  {
    names: "table",
    start: "table",
    end: "tablePart",
    bits: special | ALL_SCOPES | context | rows | BITS.tableScope | breakout,
  },
  {
    names: "tbody thead tfoot tr",
    start: "tablePart",
    end: "tablePart",
    bits: special | context | rows | impliedEnd,
  },
  {
    names: "td th",
    start: "tablePart",
    end: "tablePart",
    bits: special | ALL_SCOPES | context | marker | impliedEnd,
  },
  {
    names: "caption",
    start: "tablePart",
    end: "tablePart",
    bits: special | ALL_SCOPES | context | marker,
  },
  { names: "colgroup", start: "tablePart", end: "tablePart", bits: special | context },
  { names: "col", start: "tablePart", end: "ignored", bits: special },
  { names: "select", start: "generic", end: "block", bits: special | context },
  { names: "option optgroup", start: "option", end: "generic", bits: impliedEnd },
  { names: "rb rtc", start: "ruby", end: "generic", bits: impliedEnd },
  { names: "rt rp", start: "rubyText", end: "generic", bits: impliedEnd },
  { names: "ruby span sub sup var", start: "generic", end: "generic", bits: breakout },
  {
    names: "template",
    start: "template",
    end: "template",
    bits: special | ALL_SCOPES | context | marker | BITS.tableScope,
  },
  { names: "svg math", start: "foreign", end: "generic", bits: 0 },
];

const CONTENT: ReadonlyMap<string, Content> = new Map([
  ["title", "references"],
  ["textarea", "references"],
  ...["style", "script", "iframe", "noembed", "noframes", "noscript", "xmp"].map(
    (name) => [name, "text"] as const,
  ),
]);

const METADATA: ReadonlySet<string> = new Set(
  "base basefont bgsound link meta title noscript noframes style script template".split(" "),
);

/** Every tag that the standard names; its index is its id. Index 0 is for all other tags. */
export const TAGS: readonly Tag[] = [createTag("", 0), ...listTags()];

function listTags(): Tag[] {
  const found = new Map<string, Row>();
  for (const row of ROWS) for (const name of row.names.split(" ")) if (!found.has(name)) found.set(name, row);
  return [...found].map(([name, row], index) => createTag(name, index + 1, row));
}

/** Creates a tag; `row` is undefined for a tag that the table does not name. */
export function createTag(name: string, id: number, row?: Omit<Row, "names">): Tag {
  const { start = "generic", end = "generic", bits = 0 } = row ?? {};
  return {
    name,
    id,
    bits,
    start,
    end,
    content: CONTENT.get(name) ?? "markup",
    isMetadata: METADATA.has(name),
  };
}

const BY_NAME: ReadonlyMap<string, Tag> = new Map(TAGS.map((tag) => [tag.name, tag]));

/** Returns the tag of a name. Throws an Error if the table does not have it. */
export function tagOf(name: string): Tag {
  const tag = BY_NAME.get(name);
  if (tag === undefined) throw new Error(`the table of tags has no ${name}`);
  return tag;
}
