/** Checks strictly that our XML is well-formed and that each element is where TEI allows it. */

const INLINE = ["hi", "code", "del", "ref", "graphic", "formula", "#text"] as const;

/** The children that each element may have, and whether it may contain text; stricter than TEI itself. */
const CHILDREN: Readonly<Record<string, readonly string[]>> = {
  "#document": ["TEI", "teiCorpus"],
  teiCorpus: ["teiHeader", "TEI"],
  TEI: ["teiHeader", "text"],
  teiHeader: ["fileDesc", "encodingDesc", "profileDesc"],
  fileDesc: ["titleStmt", "extent", "publicationStmt", "notesStmt", "sourceDesc"],
  titleStmt: ["title", "author"],
  extent: ["measure"],
  publicationStmt: ["p"],
  notesStmt: ["note"],
  sourceDesc: ["bibl", "p"],
  bibl: ["title", "author", "publisher", "date", "idno", "availability"],
  availability: ["licence", "p"],
  encodingDesc: ["appInfo", "classDecl"],
  appInfo: ["application"],
  application: ["label", "desc"],
  classDecl: ["taxonomy"],
  taxonomy: ["desc", "category"],
  category: ["catDesc", "category"],
  profileDesc: ["abstract", "langUsage", "textClass"],
  abstract: ["p"],
  textClass: ["keywords", "catRef"],
  keywords: ["term"],
  langUsage: ["language"],
  text: ["body"],
  body: ["div"],
  div: ["head", "p", "list", "table", "ab", "quote", "div"],
  quote: ["p"],
  list: ["item"],
  item: ["list", "lb", "seg", ...INLINE],
  table: ["row"],
  row: ["cell"],
  p: ["lb", "seg", ...INLINE],
  head: ["lb", "seg", ...INLINE],
  seg: INLINE,
  cell: INLINE,
  hi: INLINE,
  del: INLINE,
  ref: INLINE,
  graphic: ["desc"],
  ab: ["seg", "#text"],
};

/** Elements that a parent must contain at least once. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  TEI: ["teiHeader", "text"],
  fileDesc: ["titleStmt", "publicationStmt", "sourceDesc"],
  titleStmt: ["title"],
  list: ["item"],
  table: ["row"],
  row: ["cell"],
  abstract: ["p"],
  keywords: ["term"],
};

/** Elements whose children must be in the order of the table above. */
const IN_ORDER: ReadonlySet<string> = new Set([
  "teiCorpus",
  "TEI",
  "teiHeader",
  "fileDesc",
  "application",
  "taxonomy",
]);

interface Open {
  readonly name: string;
  readonly children: string[];
}

/** A tag, or the text between two tags; anything else is an error. */
const TOKEN =
  /<\?xml version="1\.0" encoding="UTF-8"\?>|<\/([A-Za-z]+)>|<([A-Za-z]+)((?: [a-zA-Z:]+="[^"<]*")*)(\/?)>|([^<]+)/y;
const REFERENCE = /&(?!(?:amp|lt|gt|quot|#9|#10|#13);)/;
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\p{Cs}\ufffe\uffff]/u;

/** Returns the errors; an empty list means that the XML is valid. */
export function checkTei(xml: string): string[] {
  const errors: string[] = [];
  const stack: Open[] = [{ name: "#document", children: [] }];
  if (FORBIDDEN.test(xml)) errors.push("a forbidden character");
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < xml.length) {
    const at = TOKEN.lastIndex;
    const token = TOKEN.exec(xml);
    if (token === null) return [...errors, `no XML: ${xml.slice(at, at + 60)}`];
    const [, closed, opened, attributes = "", isEmpty, text] = token;
    const parent = stack.at(-1);
    if (REFERENCE.test(attributes + (text ?? ""))) errors.push("a bare ampersand");
    if (opened !== undefined) {
      parent?.children.push(opened);
      stack.push({ name: opened, children: [] });
    } else if (text !== undefined && text.trim() !== "") parent?.children.push("#text");
    if (closed !== undefined && closed !== parent?.name)
      return [...errors, `</${closed}> in ${parent?.name ?? ""}`];
    if (closed !== undefined || isEmpty === "/") errors.push(...checkElement(stack.pop()));
  }
  if (stack.length !== 1) errors.push("something is left open");
  return [...errors, ...checkElement(stack[0])];
}

function checkElement(element: Open | undefined): string[] {
  if (element === undefined) return ["a tag too many"];
  const { name, children } = element;
  const errors: string[] = [];
  const allowed = CHILDREN[name] ?? ["#text"];
  for (const child of children) if (!allowed.includes(child)) errors.push(`${child} in ${name}`);
  for (const child of NEEDED[name] ?? [])
    if (!children.includes(child)) errors.push(`${name} without ${child}`);
  const order = children.map((child) => allowed.indexOf(child));
  if (IN_ORDER.has(name) && order.some((place, i) => i > 0 && place < (order[i - 1] ?? 0)))
    errors.push(`${name} out of order: ${children.join(" ")}`);
  if (name === "div" && children.lastIndexOf("head") > 0) errors.push("a head behind something");
  const firstDiv = children.indexOf("div");
  if (name === "div" && firstDiv !== -1 && children.slice(firstDiv).some((child) => child !== "div"))
    errors.push("something behind a section in a section");
  return errors;
}

/** Returns the text inside each `body`. */
export function textsOf(xml: string): string[] {
  return [...xml.matchAll(/<body>([^]*?)<\/body>/g)].map(([, body = ""]) =>
    body
      .replace(/<[^>]*>/g, "")
      .replace(
        /&(amp|lt|gt|quot|#13);/g,
        (_, name: string) => ({ amp: "&", lt: "<", gt: ">", quot: '"' })[name] ?? "\r",
      ),
  );
}
