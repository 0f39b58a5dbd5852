/**
 * Reads a record that has the very form in which we write lines faster than a parser of any JSON could: lines are the bulk of it,
 * and of most of their fields only the end has to be found. Whatever has another form is left to the parser.
 */
import { BLOCK_TAGS, type BlockTag, type LabelledLine } from "../document.js";
import { parseJson, toFields, type Fields } from "../json.js";

/** Lines that were read already, in place of the array that JSON has. */
export class ReadLines {
  readonly lines: readonly LabelledLine[];

  constructor(lines: readonly LabelledLine[]) {
    this.lines = lines;
  }
}

const BEFORE = ',"lines":[';
/** What is in the place of the lines while the rest is parsed, and how JSON writes it. */
const PLACE = "\u0001 lines";
const PLACE_JSON = String.raw`\u0001 lines`;

/** Of bytes that are UTF-8. Undefined where the parser has to read the record. */
export function readOwnRecord(bytes: Buffer): Fields | undefined {
  const start = bytes.indexOf(`${BEFORE}{"text":"`, "latin1");
  if (start < 0) return undefined;
  // A character each byte: what is between texts is ASCII, and so are most texts.
  const json = bytes.toString("latin1");
  try {
    const read = readLines(json, start + BEFORE.length);
    if (read === undefined) return undefined;
    const [head, tail] = [bytes.toString("utf8", 0, start), bytes.toString("utf8", read.end)];
    if (head.includes(PLACE_JSON) || tail.includes(PLACE_JSON)) return undefined;
    const fields = toFields(parseJson(`${head},"lines":"${PLACE_JSON}"${tail}`));
    // Lines of something inside of the record are none of its own, and of a page with source the lines are not what counts.
    if (fields["lines"] !== PLACE || fields["html"] !== undefined) return undefined;
    return { ...fields, lines: new ReadLines(read.lines) };
  } catch (error) {
    // What is wrong is told of the record as it is.
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/* Parts of a line. Digits are so few that every number of them is one of JavaScript as well. */
const TEXT = String.raw`[^"\\\0-\x1f]*(?:\\.[^"\\\0-\x1f]*)*`;
const FULL = `(?!")${TEXT}`;
const COUNT = String.raw`0|[1-9]\d{0,14}`;
const SHARE = String.raw`[01]|0\.\d{1,15}`;

/** A line with its fields in the order of `LineRecord`. Those of inline spans are left to the parser. */
const LINE = new RegExp(
  [
    `{"text":"(${TEXT})","label":"(content|boilerplate)","score":(${SHARE}),"grade":"[a-j]"`,
    `,"block":"([a-z0-9]+)","path":"(${TEXT})","linkChars":(${COUNT}),"breakBefore":"(block|line)"`,
    `(?:,"span":\\[(${COUNT}),(${COUNT})\\])?(,"kind":"comment")?(?:,"why":"(${FULL})")?`,
    `(?:,"ownScore":(${SHARE}))?(?:,"leftOutBy":"(${FULL})")?(,"continuesItem":true)?(?:,"number":(${COUNT}))?}[,\\]]`,
  ].join(""),
  "y",
);

const BLOCKS: ReadonlyMap<string, BlockTag> = new Map(BLOCK_TAGS.map((tag) => [tag, tag]));
const END = "]".charCodeAt(0);

/** Up to the end of their array. */
function readLines(
  json: string,
  from: number,
): { readonly lines: LabelledLine[]; readonly end: number } | undefined {
  const lines: LabelledLine[] = [];
  LINE.lastIndex = from;
  for (let found = LINE.exec(json); found !== null; found = LINE.exec(json)) {
    const line = toLine(found);
    if (line === undefined) return undefined;
    lines.push(line);
    const end = LINE.lastIndex;
    if (json.charCodeAt(end - 1) === END) return { lines, end };
  }
  return undefined;
}

function toLine(found: RegExpExecArray): LabelledLine | undefined {
  const [, text = "", label, score, tag = "", path = "", linkChars, breakBefore, from, to] = found;
  const block = BLOCKS.get(tag);
  if (block === undefined) return undefined;
  const line: { -readonly [K in keyof LabelledLine]: LabelledLine[K] } = {
    text: decode(text),
    block,
    path: decode(path),
    linkChars: Number(linkChars),
    breakBefore: breakBefore === "block" ? "block" : "line",
    score: Number(score),
    label: label === "content" ? "content" : "boilerplate",
  };
  if (from !== undefined) {
    const span = [Number(from), Number(to)] as const;
    if (span[0] > span[1]) return undefined;
    line.span = span;
  }
  const [, , , , , , , , , , kind, why, ownScore, leftOutBy, continuesItem, number] = found;
  if (kind !== undefined) line.kind = "comment";
  if (why !== undefined) line.why = decode(why);
  if (ownScore !== undefined) line.ownScore = Number(ownScore);
  if (leftOutBy !== undefined) line.leftOutBy = decode(leftOutBy);
  if (continuesItem !== undefined) line.continuesItem = true;
  if (number !== undefined) line.number = Number(number);
  return line;
}

/** Of a string in JSON, each of whose characters is a byte. */
function decode(bytes: string): string {
  if (!/[\\\x80-\xff]/.test(bytes)) return bytes;
  const text = Buffer.from(bytes, "latin1").toString("utf8");
  // What is behind a backslash may be none of JSON's escapes; then it throws SyntaxError.
  return text.includes("\\") ? (JSON.parse(`"${text}"`) as string) : text; // what is in quotes is a string
}
