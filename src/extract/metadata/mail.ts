/** Reads the sender and the date of a message from the headers that mail and news archives show above it. */
import { decodeText } from "../../references.js";

/** The number of characters of a page that are searched for the header of its first message. */
const MAX_HEAD = 8_000;
/**
 * Strings that only such archives have there: Pipermail, MHonArc, Hypermail, public-inbox, raw messages. Most pages
 * have no such string, and searching for each one is faster than one regular expression.
 */
const SIGNS = [
  "<!--beginarticle-->",
  "<!-- MHonArc v",
  '<!-- isosent="',
  "Message-ID:",
  "Message-Id:",
  "Message-id:",
];

export interface Message {
  /** The name of the sender. */
  readonly author?: string | undefined;
  /** The date as the page writes it. */
  readonly date?: string | undefined;
}

/** Returns an empty object for a page that is not of such an archive. */
export function readMessage(html: string): Message {
  const head = html.slice(0, MAX_HEAD);
  if (!SIGNS.some((sign) => head.includes(sign))) return {};
  const [, name, sent] = PIPERMAIL.exec(head) ?? [];
  if (name !== undefined) return { author: nameOf(decodeText(name)), date: sent?.trim() };
  const stored = HYPERMAIL_NAME.exec(head)?.[1];
  if (stored !== undefined)
    return { author: nameOf(decodeText(stored)), date: HYPERMAIL_DATE.exec(head)?.[1] };
  const text = decodeText(head.replace(BREAK, "\n").replace(/<[^<>]*>/g, ""));
  const from = /^[ \t]*From:[ \t]*(\S[^\n]{0,200})$/m.exec(text)?.[1];
  const date = /^[ \t]*Date:[ \t]*(\S[^\n\t[(]{0,60})/m.exec(text)?.[1];
  return { author: from === undefined ? undefined : nameOf(from), date: date?.trim() };
}

/** Pipermail writes the sender below the heading, and the date after it. */
const PIPERMAIL =
  /<\/H1>\s*<B>([^<>]{2,80})<\/B>\s*<A[^<>]{0,300}>[^<>]{0,200}<\/A>\s*(?:<BR>)?\s*<I>([^<>]{10,60})<\/I>/i;
const HYPERMAIL_NAME = /<!-- name="([^"]{2,80})" -->/;
const HYPERMAIL_DATE = /<!-- isosent="(\d{8})\d{6}" -->/;
const BREAK = /<(?:br|li|p|tr|div|pre|h\d)\b[^<>]*>/gi;

/**
 * The name in `Ada Lund <ada@example.org>`, `Ada Lund (ada@example.org)` or `ada@example.org (Ada Lund)`; undefined if
 * there is only an address.
 */
export function nameOf(sender: string): string | undefined {
  const comment = /^\S+@\S+\s+\(([^()]{2,80})\)\s*$/.exec(sender.trim())?.[1];
  const name = (comment ?? sender.replace(/\s*(?:<[^<>]*>?.*|\([^()\s]+@[^()\s]+\)\s*)$/s, "")).replace(
    /^["'\s]+|["'\s]+$/g,
    "",
  );
  return name === "" || /@|\s(?:at|en)\s/.test(name) ? undefined : name;
}
