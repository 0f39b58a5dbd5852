/**
 * Reads a record that has the very form in which we write lines faster than a parser of any JSON could: lines are the bulk of it,
 * and of most of their fields only the end has to be found. Whatever has another form is left to the parser.
 */
import { BLOCK_TAGS, type BlockTag, type LabelledLine } from "../../document.js";
import { parseJson, toFields, type Fields } from "../../json.js";
import type { Writable } from "../../writable.js";

/** Lines that were read already, in place of the array that JSON has. */
export class ReadLines {
  readonly lines: readonly LabelledLine[];

  constructor(lines: readonly LabelledLine[]) {
    this.lines = lines;
  }
}

const BEFORE = ',"lines":[';
const BEFORE_TEXT = ',"text":"';
/** What is in the place of the lines and of the text while the rest is parsed, and how JSON writes it. */
const PLACE = "\u0001 here";
const PLACE_JSON = String.raw`\u0001 here`;

/** Of bytes that are UTF-8. Undefined where the parser has to read the record. */
export function readOwnRecord(bytes: Buffer): Fields | undefined {
  const start = bytes.indexOf(`${BEFORE}{"text":"`, "latin1");
  if (start < 0) return undefined;
  // A character each byte: what is between texts is ASCII, and so are most texts.
  const json = bytes.toString("latin1");
  try {
    const end = findTextEnd(json, start);
    const read = end === undefined ? undefined : readLines({ bytes, json, from: start + BEFORE.length });
    if (end === undefined || read === undefined) return undefined;
    const parts = [
      bytes.toString("utf8", 0, end.before),
      bytes.toString("utf8", end.behind, start),
      bytes.toString("utf8", read.end),
    ] as const;
    if (parts.some((part) => part.includes(PLACE_JSON))) return undefined;
    const [head, middle, tail] = parts;
    const places = { text: `${BEFORE_TEXT}${PLACE_JSON}"`, lines: `,"lines":"${PLACE_JSON}"` };
    const fields = toFields(parseJson(head + places.text + middle + places.lines + tail));
    // What is inside of something else is none of the record's own, and of a page with source the lines are not what counts.
    if (fields["text"] !== PLACE || fields["lines"] !== PLACE || fields["html"] !== undefined)
      return undefined;
    return { ...fields, lines: new ReadLines(read.lines) };
  } catch (error) {
    // What is wrong is told of the record as it is.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A string's characters, each of which may begin an escape that JSON has. */
const STRING = /[^"\\\0-\x1f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\0-\x1f]*)*"/y;

/** The text of the record says what its lines say again: it has to be a string, and is not made one. */
function findTextEnd(
  json: string,
  limit: number,
): { readonly before: number; readonly behind: number } | undefined {
  const before = json.indexOf(BEFORE_TEXT);
  if (before < 0 || before > limit) return undefined;
  STRING.lastIndex = before + BEFORE_TEXT.length;
  return STRING.test(json) ? { before, behind: STRING.lastIndex } : undefined;
}

/* Parts of a line. Digits are so few that every number of them is one of JavaScript as well. */
const TEXT = String.raw`[^"\\\0-\x1f]*(?:\\.[^"\\\0-\x1f]*)*`;
/** With what has to be decoded, from its first character on, which is a group of its own. */
const STRANGE = String.raw`(?=([\\\x80-\xff]))${TEXT}`;
const MAYBE_STRANGE = String.raw`[^"\\\0-\x1f\x80-\xff]*(?:${STRANGE})?`;
const FULL = `(?!")${TEXT}`;
const COUNT = String.raw`0|[1-9]\d{0,14}`;
const SHARE = String.raw`[01]|0\.\d{1,15}`;

/**
 * A line with its fields in the order of `LineRecord`. Those of inline spans are left to the parser. Of words one letter is
 * a group where that tells them apart: no string has to be made for it.
 */
const LINE = new RegExp(
  [
    `{"text":"(${MAYBE_STRANGE})","label":"(?:(c)ontent|boilerplate)","score":(${SHARE}),"grade":"[a-j]"`,
    `,"block":"([a-z0-9]+)","path":"(${MAYBE_STRANGE})","linkChars":(${COUNT}),"breakBefore":"(?:(b)lock|line)"`,
    `(?:,"span":\\[(${COUNT}),(${COUNT})\\])?(?:,"(k)ind":"comment")?(?:,"why":"(${FULL})")?`,
    `(?:,"ownScore":(${SHARE}))?(?:,"leftOutBy":"(${FULL})")?(?:,"(c)ontinuesItem":true)?(?:,"number":(${COUNT}))?}[,\\]]`,
  ].join(""),
  "y",
);

const BLOCKS: ReadonlyMap<string, BlockTag> = new Map(BLOCK_TAGS.map((tag) => [tag, tag]));
const END = "]".charCodeAt(0);

interface Place {
  readonly bytes: Buffer;
  /** The same, a character each byte. */
  readonly json: string;
  readonly from: number;
}

/** Up to the end of their array. */
function readLines({
  bytes,
  json,
  from,
}: Place): { readonly lines: LabelledLine[]; readonly end: number } | undefined {
  const lines: LabelledLine[] = [];
  LINE.lastIndex = from;
  for (let found = LINE.exec(json); found !== null; found = LINE.exec(json)) {
    const line = toLine(found, bytes);
    if (line === undefined) return undefined;
    lines.push(line);
    const end = LINE.lastIndex;
    if (json.charCodeAt(end - 1) === END) return { lines, end };
  }
  return undefined;
}

const TEXT_AT = '{"text":"'.length;

function toLine(found: RegExpExecArray, bytes: Buffer): LabelledLine | undefined {
  const [, text = "", strange, content, score, tag = "", path = "", strangePath, linkChars, isBlock] = found;
  const block = BLOCKS.get(tag);
  if (block === undefined) return undefined;
  const at = found.index + TEXT_AT;
  const line: Writable<LabelledLine> = {
    text: strange === undefined ? text : unescape(bytes.toString("utf8", at, at + text.length)),
    block,
    path: strangePath === undefined ? path : decode(path),
    linkChars: Number(linkChars),
    breakBefore: isBlock === undefined ? "line" : "block",
    score: Number(score),
    label: content === undefined ? "boilerplate" : "content",
  };
  const [, , , , , , , , , , from, to, kind, why, ownScore, leftOutBy, continuesItem, number] = found;
  if (from !== undefined) {
    const span = [Number(from), Number(to)] as const;
    if (span[0] > span[1]) return undefined;
    line.span = span;
  }
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
  return /[\\\x80-\xff]/.test(bytes) ? unescape(Buffer.from(bytes, "latin1").toString("utf8")) : bytes;
}

/** What is behind a backslash may be none of JSON's escapes; then it throws SyntaxError. */
function unescape(text: string): string {
  return text.includes("\\") ? (JSON.parse(`"${text}"`) as string) : text; // what is in quotes is a string
}
