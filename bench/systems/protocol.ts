/** Writes and reads the JSON lines between the benchmark and a system's process, as typed messages. */
import type { GoldDocument } from "../corpora/gold.js";
import { FIELDS, type FieldName, type FieldValues } from "../metrics/metadata/fields.js";
import type { Cost, OutputLine } from "./system.js";

/** The result of one page, as the system's process reports it. */
export type PageResult =
  | {
      readonly kind: "text";
      readonly text: string;
      readonly lines?: readonly OutputLine[];
      readonly pageType?: string;
    }
  /** The system returns HTML, which the benchmark renders. */
  | { readonly kind: "html"; readonly html: string }
  /** The system returns Markdown; only when structure is measured. */
  | { readonly kind: "markdown"; readonly markdown: string }
  /** Only when metadata is measured. */
  | { readonly kind: "fields"; readonly fields: FieldValues }
  | { readonly kind: "error" | "timeout" | "reject"; readonly detail: string };

export type Message =
  | { readonly kind: "ready"; readonly version: string; readonly options: string; readonly cost: Cost }
  | { readonly kind: "fatal"; readonly why: string }
  | { readonly kind: "page"; readonly id: string; readonly result: PageResult; readonly cost: Cost };

/**
 * Matches half of a surrogate pair, which has no UTF-8 form. Some pages contain them, and a rival must not lose points
 * for that.
 */
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** Returns one document as a request line. It holds `lines` only if the document has no page. */
export function formatRequest(document: GoldDocument): string {
  const { id, url, lang, html, lines } = document;
  const content =
    html === undefined ? { lines: lines?.map((line) => clean(line.text)) ?? [] } : { html: clean(html) };
  const json = JSON.stringify({ id, url, lang, ...content });
  // JSON allows these two characters unescaped, but some line readers break lines there.
  return `${json.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")}\n`;
}

function clean(text: string): string {
  return text.replace(LONE_SURROGATE, "\uFFFD");
}

/**
 * Parses one line. Throws Error if it does not follow the protocol: that is a bug in the process, not a problem of the
 * page.
 */
export function parseMessage(line: string): Message {
  const value: unknown = JSON.parse(line);
  if (!isRecord(value)) throw new Error(`not a message: ${line.slice(0, 200)}`);
  if (typeof value["fatal"] === "string") return { kind: "fatal", why: value["fatal"] };
  const cost = readCost(value);
  if (value["ready"] === true) {
    return { kind: "ready", version: String(value["version"]), options: String(value["options"]), cost };
  }
  if (typeof value["id"] !== "string") throw new Error(`a reply without id: ${line.slice(0, 200)}`);
  return { kind: "page", id: value["id"], result: readResult(value), cost };
}

function readResult(value: Record<string, unknown>): PageResult {
  for (const kind of ["error", "timeout", "reject"] as const) {
    const detail = value[kind];
    if (typeof detail === "string") return { kind, detail };
  }
  if (typeof value["html"] === "string") return { kind: "html", html: value["html"] };
  if (typeof value["markdown"] === "string") return { kind: "markdown", markdown: value["markdown"] };
  if (isRecord(value["fields"])) return { kind: "fields", fields: readFields(value["fields"]) };
  const { text, lines, pageType } = value;
  if (typeof text !== "string")
    throw new Error(`a reply without text, html or error for ${String(value["id"])}`);
  return {
    kind: "text",
    text,
    ...(Array.isArray(lines) ? { lines: lines.map(readLine) } : {}),
    ...(typeof pageType === "string" ? { pageType } : {}),
  };
}

/**
 * Returns the metadata fields of a reply. Ignores values that are neither a text nor a list, and list entries that are
 * not text.
 */
export function readFields(value: Readonly<Record<string, unknown>>): FieldValues {
  const read: Partial<Record<FieldName, string | string[]>> = {};
  for (const { name } of FIELDS) {
    const said = value[name];
    if (typeof said === "string") read[name] = said;
    else if (Array.isArray(said)) read[name] = said.filter((one) => typeof one === "string");
  }
  return read;
}

function readLine(value: unknown): OutputLine {
  if (!isRecord(value) || typeof value["text"] !== "string") throw new Error("a line without text");
  const { text, label, score } = value;
  return { text, label: label === 1 ? 1 : 0, ...(typeof score === "number" ? { score } : {}) };
}

function readCost(value: Record<string, unknown>): Cost {
  const { cpuMs, wallMs, rss, peak } = value;
  return {
    wallMs: typeof wallMs === "number" ? wallMs : 0,
    ...(typeof cpuMs === "number" ? { cpuMs } : {}),
    ...(typeof rss === "number" ? { rssBytes: rss } : {}),
    ...(typeof peak === "number" ? { peakBytes: peak } : {}),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
