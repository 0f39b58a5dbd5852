/**
 * Reads the scored lines and verdicts that an earlier run wrote into a record, and skips optional fields that are not
 * valid.
 */
import {
  ALERTS,
  BLOCK_TAGS,
  HOLDER_TAGS,
  PAGE_TYPES,
  REGISTERS,
  SPAN_KINDS,
  SUBREGISTER_NAMES,
  TEXT_CONDITIONS,
  type ConditionVerdict,
  type Cuts,
  type Holder,
  type InlineSpan,
  type LabelledLine,
  type Link,
  type PageVerdict,
  type RegisterVerdict,
  type ScoredDocument,
} from "../../document.js";
import { digitsOf, toFields, toText, type Fields } from "../../json.js";
import type { Writable } from "../../writable.js";
import { META_FIELDS, readMeta, RUN_FIELDS } from "./own-fields.js";
import { ReadLines } from "./own-lines.js";

/** The fields of our own records that become part of the document again, and so are not carried along. */
export const SCORED_FIELDS = [...META_FIELDS, ...RUN_FIELDS, "text", "carried"] as const;

/** `scoredBy` of a record without a fingerprint. */
const UNKNOWN = "unknown";

/** Returns undefined if `lines` are missing, or if one has no text or no score from 0 to 1. */
export function readScored(record: Fields): ScoredDocument | undefined {
  const { lines: given, source, fingerprint, notes } = record;
  const holders = readHolders(record["holders"]);
  const lines = given instanceof ReadLines ? given.lines : readLines(given, holders?.length ?? 0);
  if (lines === undefined) return undefined;
  const verdict = readVerdict(toFields(record["page"]));
  const condition = readCondition(toFields(record["condition"]));
  const registers = readRegisters(toFields(record["registers"]));
  // "" if links are relative to an unknown URL.
  const base = typeof record["base"] === "string" ? record["base"] : undefined;
  const statedTitle = toText(record["statedTitle"]);
  const { clues } = record;
  return {
    source: source === "html" ? "html" : "text",
    meta: readMeta(record),
    notes: Array.isArray(notes) ? notes.filter((note) => typeof note === "string") : [],
    lines,
    ...(holders && { holders }),
    ...(base !== undefined && { base }),
    ...(statedTitle !== undefined && { statedTitle }),
    ...(Array.isArray(clues) && { clues: clues.filter((clue) => typeof clue === "string") }),
    ...(verdict && { verdict }),
    ...(condition && { condition }),
    ...(registers && { registers }),
    // If a later run cut the lines again, its fingerprint comes before the "+", and that of the scoring run after it.
    scoredBy: toText(fingerprint)?.replace(/^.*\+/s, "") ?? UNKNOWN,
  };
}

function readLines(given: unknown, holders: number): readonly LabelledLine[] | undefined {
  if (!Array.isArray(given) || given.length === 0) return undefined;
  const lines: LabelledLine[] = [];
  for (const one of given) {
    const line = readLine(toFields(one), holders);
    if (line === undefined) return undefined;
    lines.push(line);
  }
  return lines;
}

function readLine(line: Fields, holders: number): LabelledLine | undefined {
  const { text, block, path, label, breakBefore, kind, continuesItem } = line;
  const score = toShare(line["score"]);
  if (typeof text !== "string" || score === undefined) return undefined;
  const read: Writable<LabelledLine> = {
    text,
    block: BLOCK_TAGS.find((tag) => tag === block) ?? "text",
    path: toText(path) ?? "",
    linkChars: toCount(line["linkChars"]) ?? 0,
    breakBefore: breakBefore === "block" ? "block" : "line",
    score,
    label: label === "boilerplate" ? "boilerplate" : "content",
  };
  const why = toText(line["why"]);
  const leftOutBy = toText(line["leftOutBy"]);
  const ownScore = toShare(line["ownScore"]);
  const number = toInteger(line["number"]);
  const holder = toCount(line["holder"]);
  const span = readSpan(line["span"]);
  if (why !== undefined) read.why = why;
  if (leftOutBy !== undefined) read.leftOutBy = leftOutBy;
  if (ownScore !== undefined) read.ownScore = ownScore;
  if (number !== undefined) read.number = number;
  if (holder !== undefined && holder < holders) read.holder = holder;
  if (span !== undefined) read.span = span;
  if (kind === "comment") read.kind = kind;
  if (continuesItem === true) read.continuesItem = true;
  addSpans(read, line["spans"], holders);
  return read;
}

/** Reads inline spans; those with a link become the line's links. */
function addSpans(line: Writable<LabelledLine>, given: unknown, holders: number): void {
  if (!Array.isArray(given)) return;
  const links: Link[] = [];
  const spans: InlineSpan[] = [];
  for (const one of given) {
    const span = readInline(toFields(one), line.text.length, holders);
    if (span?.kind === "link" && span.href !== undefined)
      links.push({ start: span.start, end: span.end, href: span.href });
    else if (span !== undefined) spans.push(span);
  }
  if (links.length > 0) line.links = links;
  if (spans.length > 0) line.spans = spans;
}

const SPACES = ["before", "after", "both"] as const;

function readInline(given: Fields, length: number, holders: number): InlineSpan | undefined {
  const kind = SPAN_KINDS.find((name) => name === given["kind"]);
  const [start, end] = [toCount(given["start"]), toCount(given["end"])];
  if (kind === undefined || start === undefined || end === undefined || start > end || end > length)
    return undefined;
  const span: Writable<InlineSpan> = { kind, start, end };
  for (const name of ["src", "alt", "href", "tex", "note"] as const) {
    const value = given[name];
    if (typeof value === "string") span[name] = value;
  }
  for (const name of ["isDisplay", "isAlone", "follows"] as const)
    if (given[name] === true) span[name] = true;
  const spaces = SPACES.find((one) => one === given["spaces"]);
  if (spaces !== undefined) span.spaces = spaces;
  const holder = toCount(given["holder"]);
  if (holder !== undefined && holder < holders) span.holder = holder;
  return span;
}

const ALIGNMENTS = ["left", "center", "right"] as const;

/** Returns undefined if an element has no known tag, or a parent that does not come before it in the list. */
function readHolders(given: unknown): readonly Holder[] | undefined {
  if (!Array.isArray(given)) return undefined;
  const holders: Holder[] = [];
  for (const one of given) {
    const fields = toFields(one);
    const tag = HOLDER_TAGS.find((name) => name === fields["tag"]);
    const parent = toCount(fields["parent"]);
    if (tag === undefined || (parent !== undefined && parent >= holders.length)) return undefined;
    const holder: Writable<Holder> = { tag };
    if (parent !== undefined) holder.parent = parent;
    // In the order in which they are written.
    const note = toText(fields["note"]);
    if (note !== undefined) holder.note = note;
    const number = toInteger(fields["number"]);
    if (number !== undefined) holder.number = number;
    for (const name of ["colSpan", "rowSpan"] as const) {
      const value = toCount(fields[name]);
      if (value !== undefined) holder[name] = value;
    }
    for (const name of ["isHeader", "isNumber", "isLayout"] as const)
      if (fields[name] === true) holder[name] = true;
    for (const name of ["lang", "title"] as const) {
      const value = toText(fields[name]);
      if (value !== undefined) holder[name] = value;
    }
    const align = ALIGNMENTS.find((name) => name === fields["align"]);
    if (align !== undefined) holder.align = align;
    const alert = ALERTS.find((name) => name === fields["alert"]);
    if (alert !== undefined) holder.alert = alert;
    const { task } = fields;
    if (task === "done" || task === "open") holder.task = task;
    holders.push(holder);
  }
  return holders;
}

function readVerdict(page: Fields): PageVerdict | undefined {
  const type = PAGE_TYPES.find((name) => name === page["type"]);
  const [typeScore, score] = [toShare(page["probability"]), toShare(page["contentProbability"])];
  const cut = toShare(page["cut"]);
  if (type === undefined || typeScore === undefined || score === undefined || cut === undefined)
    return undefined;
  const cuts = readCuts(page["cuts"]);
  return { type, typeScore, score, hasContent: page["hasContent"] !== false, cut, ...(cuts && { cuts }) };
}

function readCondition(given: Fields): ConditionVerdict | undefined {
  const name = TEXT_CONDITIONS.find((one) => one === given["name"]);
  const [score, cut] = [toShare(given["probability"]), toShare(given["cut"])];
  if (name === undefined || score === undefined || cut === undefined) return undefined;
  const cuts = readCuts(given["cuts"]);
  return { name, score, isDoubtful: given["doubtful"] === true, cut, ...(cuts && { cuts }) };
}

/** Returns undefined if a probability is missing. */
function readRegisters(given: Fields): RegisterVerdict | undefined {
  const [main, sub] = [toFields(given["main"]), toFields(given["sub"])];
  const machine = toShare(given["machine"]);
  if (machine === undefined) return undefined;
  const found = new Set(Array.isArray(given["found"]) ? given["found"] : []);
  const ofMain = REGISTERS.map((name) => [name, toShare(main[name])] as const);
  const ofSub = SUBREGISTER_NAMES.map((name) => [name, toShare(sub[name])] as const);
  if ([...ofMain, ...ofSub].some(([, share]) => share === undefined)) return undefined;
  return {
    // Every name has a share, as checked above.
    main: Object.fromEntries(ofMain) as RegisterVerdict["main"],
    sub: Object.fromEntries(ofSub) as RegisterVerdict["sub"],
    machine,
    found: [...REGISTERS, ...SUBREGISTER_NAMES].filter((name) => found.has(name)),
  };
}

function readCuts(given: unknown): Cuts | undefined {
  const fields = toFields(given);
  const [precision, balanced, recall] = [
    toShare(fields["precision"]),
    toShare(fields["balanced"]),
    toShare(fields["recall"]),
  ];
  if (precision === undefined || balanced === undefined || recall === undefined) return undefined;
  return { precision, balanced, recall };
}

function readSpan(given: unknown): readonly [number, number] | undefined {
  if (!Array.isArray(given) || given.length !== 2) return undefined;
  const [start, end] = [toCount(given[0]), toCount(given[1])];
  return start === undefined || end === undefined || start > end ? undefined : [start, end];
}

function toNumber(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  const digits = digitsOf(value);
  return digits === undefined ? undefined : Number(digits);
}

function toShare(value: unknown): number | undefined {
  const number = toNumber(value);
  return number !== undefined && number >= 0 && number <= 1 ? number : undefined;
}

/** Integers have 32 bits in Parquet. */
function toInteger(value: unknown): number | undefined {
  const number = toNumber(value);
  return number === undefined || number !== (number | 0) ? undefined : number;
}

function toCount(value: unknown): number | undefined {
  const number = toInteger(value);
  return number !== undefined && number >= 0 ? number : undefined;
}
