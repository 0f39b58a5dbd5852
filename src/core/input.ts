/** Makes pages of what programs hand in, and says what is none. */
import { findForeign } from "../acquire/foreign.js";
import { chooseFormat } from "../acquire/kind.js";
import { toPage } from "../acquire/page-bytes.js";
import type { Page, PageContent } from "../document.js";
import { isStrings } from "../json.js";
import { accept, reject, UsageError, type Outcome, type PageName } from "../outcome.js";

interface Named {
  /** Names the page in every output. Default: its URL, else its number in the stream, from 1 on. */
  readonly id?: string;
  /** Where the page is from; nothing is fetched. Default "". */
  readonly url?: string;
}

/**
 * One page: HTML or text that is already decoded, lines that are already split (they stay one to one), or bytes with
 * what is known of them. Where a value has several of these, the first one in this order counts: html, lines, text, bytes.
 */
export type CleanInput = Named &
  (
    | { readonly html: string }
    | { readonly text: string }
    | { readonly lines: readonly string[] }
    | { readonly bytes: Uint8Array; readonly contentType?: string }
  );

/** Unpacks bytes that are packed, as far as that can be done here; gives others back as they are. */
export type Unpack = (of: PageName, bytes: Uint8Array) => Promise<Outcome<Uint8Array>>;

/** `number` names a page without a name. Throws UsageError for what is no page. */
export async function toInputPage(
  input: CleanInput,
  number: number,
  unpack?: Unpack,
): Promise<Outcome<Page>> {
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

/** What a caller is told that hands in anything else. */
export const NO_PAGE =
  "a page must be an object with html, text, lines (an array of strings) or bytes (a Uint8Array)";

/** Programs written in JavaScript hand in anything, so every field is looked at. */
type Unchecked = Readonly<Partial<Record<"html" | "lines" | "text" | "bytes" | "contentType", unknown>>>;

async function toOutcome(
  { html, lines, text, bytes, contentType }: Unchecked,
  of: PageName,
  unpack: Unpack | undefined,
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
  const unpacked = unpack === undefined ? accept(bytes) : await unpack(of, bytes);
  if (!unpacked.ok) return unpacked;
  const plain = unpacked.value;
  const format = chooseFormat(plain, type);
  // How many bytes there may be of what is not packed is for the pipeline to say.
  return toPage({ ...of, format, ...(type === undefined ? {} : { contentType: type }) }, plain, Infinity);
}
