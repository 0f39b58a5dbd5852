/**
 * Reads a record faster than a JSON parser could, if its lines have exactly the form in which we write them: lines are
 * most of the record, and for most of their fields only the end has to be found; the parser reads any other form.
 */
import { BLOCK_TAGS, type BlockTag, type LabelledLine } from "../../document.js";
import { parseJson, toFields, type Fields } from "../../json.js";
import type { Writable } from "../../writable.js";

/** Lines that were already read, in place of the array in the JSON. */
export class ReadLines {
  readonly lines: readonly LabelledLine[];

  constructor(lines: readonly LabelledLine[]) {
    this.lines = lines;
  }
}

const BEFORE = ',"lines":[';
const BEFORE_TEXT = ',"text":"';
/** Replaces the lines and the text while the rest is parsed; `PLACE_JSON` is the same as JSON writes it. */
const PLACE = "\u0001 here";
const PLACE_JSON = String.raw`\u0001 here`;

/** Reads a record from UTF-8 bytes. Returns undefined if the parser has to read the record. */
export function readOwnRecord(bytes: Buffer): Fields | undefined {
  const start = bytes.indexOf(`${BEFORE}{"text":"`, "latin1");
  if (start < 0) return undefined;
  try {
    const end = findTextEnd(bytes.toString("latin1", 0, start));
    const read = end && readLines(bytes, start + BEFORE.length);
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
    // A `text` or `lines` inside another object is not the record's own. If there is `html`, that is the page, not the
    // lines.
    if (fields["text"] !== PLACE || fields["lines"] !== PLACE || fields["html"] !== undefined)
      return undefined;
    return { ...fields, lines: new ReadLines(read.lines) };
  } catch (error) {
    // The parser will report the error for the original record. On a text with millions of escapes, our patterns run out
    // of stack (RangeError), but the parser does not.
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The rest of a JSON string up to its closing quote, with only the escapes that JSON has. */
const STRING = /[^"\\\0-\x1f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\0-\x1f]*)*"/y;

/**
 * Finds the text of the record, which only repeats its lines. Checks that it is a JSON string, but does not decode it.
 */
function findTextEnd(json: string): { readonly before: number; readonly behind: number } | undefined {
  const before = json.indexOf(BEFORE_TEXT);
  if (before < 0) return undefined;
  STRING.lastIndex = before + BEFORE_TEXT.length;
  return STRING.test(json) ? { before, behind: STRING.lastIndex } : undefined;
}

/* Parts of the pattern of a line. Numbers have at most 15 digits, which a JavaScript number can hold. */
const TEXT = String.raw`[^"\\\0-\x1f]*(?:\\.[^"\\\0-\x1f]*)*`;
/** The rest of a string in two groups: up to the first character that has to be decoded, and from there, if there is one. */
const GROUPS = String.raw`([^"\\\0-\x1f\x80-\xff]*)(?:"|((?:\\.|[\x80-\xff])${TEXT})")`;
const FULL = `(?!")${TEXT}`;
const COUNT = String.raw`0|[1-9]\d{0,14}`;
const SHARE = String.raw`[01]|0\.\d{1,15}`;

/**
 * A line with its fields in the order of `LineRecord`. Lines with inline spans do not match: the parser reads them.
 * From words of a fixed set only one letter is captured, if it is enough to tell them apart, which saves making
 * strings.
 */
const LINE = new RegExp(
  [
    `{"text":"${GROUPS},"label":"(?:(c)ontent|boilerplate)","score":(${SHARE}),"grade":"[a-j]"`,
    `,"block":"([a-z0-9]+)","path":"${GROUPS},"linkChars":(${COUNT}),"breakBefore":"(?:(b)lock|line)"`,
    `(?:,"span":\\[(${COUNT}),(${COUNT})\\])?(?:,"(k)ind":"comment")?(?:,"why":"(${FULL})")?`,
    `(?:,"ownScore":(${SHARE}))?(?:,"leftOutBy":"(${FULL})")?(?:,"(c)ontinuesItem":true)?(?:,"number":(${COUNT}))?}[,\\]]`,
  ].join(""),
  "y",
);

const BLOCKS: ReadonlyMap<string, BlockTag> = new Map(BLOCK_TAGS.map((tag) => [tag, tag]));
const END = "]".charCodeAt(0);
const POINT = ".".charCodeAt(0);
const ZERO = "0".charCodeAt(0);

/** Between two lines. No JSON string can contain it, because its quotes are not escaped. */
const BETWEEN = '},{"text":"';
/** Bytes that are decoded at once, plus the rest of a line. V8 maps new memory for each string of more than 128 KB. */
const PIECE_BYTES = 1 << 16;

/** Reads lines from the byte `from` to the end of their array; undefined if a line has another form. */
function readLines(
  bytes: Buffer,
  from: number,
): { readonly lines: LabelledLine[]; readonly end: number } | undefined {
  const lines: LabelledLine[] = [];
  for (let start = from; start < bytes.length;) {
    const next = bytes.indexOf(BETWEEN, start + PIECE_BYTES, "latin1");
    // One character per byte: everything between texts is ASCII, and so are most texts.
    const piece = bytes.toString("latin1", start, next < 0 ? bytes.length : next + "},".length);
    for (LINE.lastIndex = 0; LINE.lastIndex < piece.length;) {
      const found = LINE.exec(piece);
      const line = found === null ? undefined : toLine(found, bytes, start);
      if (line === undefined) return undefined;
      lines.push(line);
      if (piece.charCodeAt(LINE.lastIndex - 1) === END) return { lines, end: start + LINE.lastIndex };
    }
    start += piece.length;
  }
  return undefined;
}

const TEXT_AT = '{"text":"'.length;

/** `start`: the byte at which the string begins that was searched. */
function toLine(found: RegExpExecArray, bytes: Buffer, start: number): LabelledLine | undefined {
  // Taking the groups apart by their place spares an iterator for each line.
  const { 1: plain = "", 2: rest, 3: content, 4: share, 5: tag = "", 6: plainPath = "", 7: pathRest } = found;
  const { 8: chars, 9: isBlock, 10: from, 11: to } = found;
  const block = BLOCKS.get(tag);
  if (block === undefined) return undefined;
  const at = start + found.index + TEXT_AT;
  const text =
    rest === undefined ? plain : unescape(bytes.toString("utf8", at, at + plain.length + rest.length));
  const path = pathRest === undefined ? plainPath : decode(plainPath + pathRest);
  const linkChars = toNumber(chars);
  const breakBefore = isBlock === undefined ? "line" : "block";
  const score = toNumber(share);
  const label = content === undefined ? "boilerplate" : "content";
  const span = from === undefined ? undefined : ([toNumber(from), toNumber(to)] as const);
  if (span !== undefined && span[0] > span[1]) return undefined;
  // In the order of `setLabel`, so that V8 sees few kinds of lines and compiles what reads them only once.
  const line: Writable<LabelledLine> =
    span === undefined
      ? { text, block, path, linkChars, breakBefore, score, label }
      : { text, block, path, linkChars, breakBefore, score, label, span };
  const { 12: kind, 13: why, 14: ownScore, 15: leftOutBy, 16: continuesItem, 17: number } = found;
  if (leftOutBy !== undefined) line.leftOutBy = decode(leftOutBy);
  if (continuesItem !== undefined) line.continuesItem = true;
  if (number !== undefined) line.number = toNumber(number);
  if (kind !== undefined) line.kind = "comment";
  if (why !== undefined) line.why = decode(why);
  if (ownScore !== undefined) line.ownScore = toNumber(ownScore);
  return line;
}

/** Like `Number` for at most 15 digits with or without a point, for which both round once; in a third of the time. */
function toNumber(digits = ""): number {
  let value = 0;
  let unit = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const code = digits.charCodeAt(at);
    if (code === POINT) unit = 1;
    else {
      value = value * 10 + code - ZERO;
      unit *= 10;
    }
  }
  return unit === 0 ? value : value / unit;
}

/** Decodes a JSON string given with one character per byte. */
function decode(bytes: string): string {
  return /[\\\x80-\xff]/.test(bytes) ? unescape(Buffer.from(bytes, "latin1").toString("utf8")) : bytes;
}

/** Throws SyntaxError for a backslash that begins no JSON escape. */
function unescape(text: string): string {
  return text.includes("\\") ? (JSON.parse(`"${text}"`) as string) : text; // JSON in quotes is a string
}
