/** Checks one row of the normal form and turns it into a gold document, or says what is wrong with it. */
import { FIELDS, isSaid, type FieldName, type FieldValues } from "../metrics/metadata/fields.js";
import type { GoldDocument, GoldLine } from "./gold.js";

/** Line labels derived from the gold text are used only if the lines hold at least this share of it. */
const MIN_GOLD_COVER = 0.8;

/** Matches a gold text that is only an HTML comment: the page has no main content (CleanPortalEval). */
const ONLY_COMMENT = /^\s*<!--[^>]*-->\s*$/;

export interface RowContext {
  readonly corpus: string;
  readonly unit: "pages" | "lines";
  /** The split for rows that do not name their own. */
  readonly split: string;
  /** As in `CorpusDescriptor`. */
  readonly isOwn?: true;
  /** As in `CorpusDescriptor`. */
  readonly gold?: "metadata";
  readonly leaves?: readonly FieldName[];
}

export type RowResult =
  | { readonly ok: true; readonly document: GoldDocument }
  | { readonly ok: false; readonly detail: string };

type Fields = Readonly<Record<string, unknown>>;

export function readRow(json: string, context: RowContext): RowResult {
  const parsed = parseObject(json);
  if (typeof parsed === "string") return { ok: false, detail: parsed };
  const id = text(parsed, "id");
  if (id === undefined) {
    const given = parsed["id"];
    return {
      ok: false,
      detail: given === undefined || given === null ? "no id" : `id ${JSON.stringify(given)} is not a string`,
    };
  }
  const html = text(parsed, "html");
  if (context.unit === "pages" && html === undefined) return { ok: false, detail: `${id}: no html` };
  const isText = context.unit === "lines";
  const [first, other] = isText ? ["lines", "gold_lines"] : ["gold_lines", "lines"];
  // A row of the user's own gold may have both lines and the page.
  const lines = readLines(parsed[first] ?? (isText || context.isOwn === true ? parsed[other] : undefined));
  if (typeof lines === "string") return { ok: false, detail: `${id}: ${lines}` };
  if (isText && lines === undefined) return { ok: false, detail: `${id}: no lines` };
  const cover = parsed["gold_cover"];
  if (isText && typeof cover === "number" && cover < MIN_GOLD_COVER)
    return { ok: false, detail: `${id}: gold_cover ${cover}` };
  const meta = context.gold === "metadata" ? readMeta(parsed["meta"], context) : undefined;
  if (typeof meta === "string") return { ok: false, detail: `${id}: ${meta}` };
  const goldText = text(parsed, "gold_text")?.replace(ONLY_COMMENT, "");
  const document: GoldDocument = {
    id,
    corpus: context.corpus,
    lang: text(parsed, "lang") || "und",
    split: text(parsed, "split") ?? context.split,
    url: text(parsed, "url") ?? "",
    ...optional("pageType", text(parsed, "page_type")),
    ...optional("register", text(parsed, "register")),
    ...optional("hostIn", strings(parsed["host_in_shared"])),
    ...optional("html", isText ? undefined : html),
    ...optional("lines", isText || areTrusted(parsed, context) ? lines : undefined),
    ...optional("text", isText && html !== undefined ? undefined : goldText),
    ...optional("with", strings(parsed["with"])),
    ...optional("without", strings(parsed["without"])),
    ...optional("meta", meta),
  };
  if (context.isOwn === true && meta === undefined && !hasGold(document))
    return { ok: false, detail: `${id}: has none of gold_lines, gold_text, with and without` };
  return { ok: true, document };
}

function hasGold({ lines, text: gold, with: wanted, without }: GoldDocument): boolean {
  return [lines, gold, wanted, without].some((one) => one !== undefined);
}

function parseObject(json: string): Fields | string {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return "not an object";
    return value as Fields; // a parsed JSON object has string keys
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * Whether the line labels can be used: people marked the DOM nodes, or the derived lines hold nearly all of the gold
 * text. The user's own lines are used unless the row states how they were made.
 */
function areTrusted(row: Fields, { isOwn }: RowContext): boolean {
  const cover = row["gold_cover"];
  if (isOwn === true && cover === undefined && row["gold_lines_how"] === undefined) return true;
  return row["gold_lines_how"] === "dom-marks" || (typeof cover === "number" && cover >= MIN_GOLD_COVER);
}

function readLines(value: unknown): GoldLine[] | string | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) return "lines is not a list";
  const lines: GoldLine[] = [];
  for (const [index, entry] of (value as unknown[]).entries()) {
    if (typeof entry !== "object" || entry === null) return `line ${index} is not an object`;
    const fields = entry as Fields; // a parsed JSON object has string keys
    const [words, label] = [fields["text"], toLabel(fields["label"])];
    if (typeof words !== "string") return `line ${index} has no text`;
    if (label !== 0 && label !== 1 && label !== null)
      return `line ${index} has label ${JSON.stringify(label)}`;
    lines.push({ text: words, label, ...optional("cls", text(fields, "cls")) });
  }
  return lines;
}

/** Maps the label names in this project's own records to numbers, and returns other labels unchanged. */
function toLabel(label: unknown): unknown {
  if (label === "content") return 1;
  return label === "boilerplate" ? 0 : label;
}

/**
 * Returns the metadata fields of a gold page, or what is wrong with them. A value that is not text is an error; it does
 * not count as a missing field.
 */
export function readMeta(value: unknown, { leaves = [] }: Pick<RowContext, "leaves">): FieldValues | string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "no meta";
  const fields = value as Fields; // a parsed JSON object has string keys
  const read: Partial<Record<FieldName, string | readonly string[]>> = {};
  for (const { name } of FIELDS) {
    const said = fields[name];
    if (said === undefined || said === null || leaves.includes(name)) continue;
    if (!isText(said)) return `meta.${name} is ${JSON.stringify(said)}`;
    if (isSaid(said)) read[name] = said;
  }
  return Object.keys(read).length === 0 ? `no meta of ${FIELDS.map(({ name }) => name).join(", ")}` : read;
}

function isText(value: unknown): value is string | string[] {
  return typeof value === "string" || (Array.isArray(value) && value.every((one) => typeof one === "string"));
}

function text(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === "string" ? value : undefined;
}

function strings(value: unknown): string[] | undefined {
  return Array.isArray(value)
    ? value.filter((entry): entry is string => typeof entry === "string")
    : undefined;
}

/** Returns `{[name]: value}`, or `{}` if the value is undefined. */
export function optional<K extends string, V>(name: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [name]: value } as { [P in K]: V }); // TypeScript types a computed key as string
}
