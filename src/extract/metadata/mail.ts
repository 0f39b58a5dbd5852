/** Reads who wrote a message and when from what archives of mail and news show above it. */
import { decodeText } from "../../references.js";

/** Characters of a page in which the head of its first message is looked for. */
const MAX_HEAD = 8_000;
/**
 * What only such pages have there: Pipermail, MHonArc, Hypermail, public-inbox, messages as they were posted. Most pages have
 * none, and to look for each word costs them less than one expression.
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
  /** Name of the sender. */
  readonly author?: string | undefined;
  /** As the page writes it. */
  readonly date?: string | undefined;
}

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

/** The sender stands below the heading, and then the day. */
const PIPERMAIL =
  /<\/H1>\s*<B>([^<>]{2,80})<\/B>\s*<A[^<>]{0,300}>[^<>]{0,200}<\/A>\s*(?:<BR>)?\s*<I>([^<>]{10,60})<\/I>/i;
const HYPERMAIL_NAME = /<!-- name="([^"]{2,80})" -->/;
const HYPERMAIL_DATE = /<!-- isosent="(\d{8})\d{6}" -->/;
const BREAK = /<(?:br|li|p|tr|div|pre|h\d)\b[^<>]*>/gi;

/** Of `Ada Lund <ada@example.org>` and `ada@example.org (Ada Lund)`; undefined where there is no more than an address. */
function nameOf(sender: string): string | undefined {
  const comment = /^\S+@\S+\s+\(([^()]{2,80})\)\s*$/.exec(sender.trim())?.[1];
  const name = (comment ?? sender.replace(/\s*<[^<>]*>?.*$/s, "")).replace(/^["'\s]+|["'\s]+$/g, "");
  return name === "" || /@|\s(?:at|en)\s/.test(name) ? undefined : name;
}
