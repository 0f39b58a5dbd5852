/** Converts the input of programs into pages, and throws for input that is not a page. */
import { findForeign } from "../acquire/foreign.js";
import { chooseFormat } from "../acquire/kind.js";
import { toPage } from "../acquire/page-bytes.js";
import type { Page, PageContent } from "../document.js";
import { isStrings } from "../json.js";
import { accept, reject, UsageError, type Outcome, type PageName } from "../outcome.js";

interface Named {
  /** Names the page in every output. Default: its URL, or else its number in the stream, counted from 1. */
  readonly id?: string;
  /** The URL of the page; it is not fetched. Default "". */
  readonly url?: string;
}

/**
 * One page: decoded HTML or text, lines that are split already (one output line for each), or bytes with what is known
 * of them. If a value has several of these fields, the first in this order is used: html, lines, text, bytes.
 */
export type CleanInput = Named &
  (
    | { readonly html: string }
    | { readonly text: string }
    | { readonly lines: readonly string[] }
    | { readonly bytes: Uint8Array; readonly contentType?: string }
  );

/** Decompresses packed bytes, or rejects those that it cannot decompress; returns other bytes unchanged. */
export type Unpack = (of: PageName, bytes: Uint8Array) => Promise<Outcome<Uint8Array>>;

/** Converts an input into a page; `number` is its id if it has no id or URL. Throws UsageError if it is not a page. */
export async function toInputPage(input: CleanInput, number: number, unpack: Unpack): Promise<Outcome<Page>> {
  if (typeof input !== "object" || (input as unknown) === null) throw new UsageError(NO_PAGE);
  const { id, url } = checkNames(input);
  return toOutcome(input, { id: id ?? url ?? String(number), url: url ?? "" }, unpack);
}

function checkNames({ id, url }: Named): Named {
  for (const [name, value] of Object.entries({ id, url }))
    if (value !== undefined && typeof value !== "string")
      throw new UsageError(`the ${name} of a page must be a string`);
  return { ...(id === undefined ? {} : { id }), ...(url === undefined ? {} : { url }) };
}

/** The error message for any other input. */
export const NO_PAGE =
  "a page must be an object with html, text, lines (an array of strings) or bytes (a Uint8Array)";

/** Programs written in JavaScript may pass any value, so every field is checked. */
type Unchecked = Readonly<Partial<Record<"html" | "lines" | "text" | "bytes" | "contentType", unknown>>>;

async function toOutcome(
  { html, lines, text, bytes, contentType }: Unchecked,
  of: PageName,
  unpack: Unpack,
): Promise<Outcome<Page>> {
  const page = (content: PageContent): Outcome<Page> => accept({ ...of, content });
  if (typeof html === "string") {
    const foreign = findForeign(html);
    return foreign === undefined
      ? page({ kind: "html", html })
      : reject(of, "acquire", "not-a-page", foreign);
  }
  if (isStrings(lines)) return page({ kind: "lines", lines });
  if (typeof text === "string") return page({ kind: "text", text });
  if (!(bytes instanceof Uint8Array)) throw new UsageError(NO_PAGE);
  const type = typeof contentType === "string" ? contentType : undefined;
  const unpacked = await unpack(of, bytes);
  if (!unpacked.ok) return unpacked;
  const plain = unpacked.value;
  const format = chooseFormat(plain, type);
  // The pipeline checks the size of what is not packed.
  return toPage({ ...of, format, ...(type === undefined ? {} : { contentType: type }) }, plain, Infinity);
}
