/** What somebody wrote for a URL into that URL, as wget and browsers' address bars read it. */

export type SeedText = { readonly url: string } | { readonly problem: string };

/** Characters of a URL: longer than any server takes. */
const MAX_URL = 8192;
/** A scheme: what stands before a colon, unless it has a dot, as hosts have, or a port follows ("localhost:8080"). */
const SCHEME = /^[a-z][a-z0-9+-]*:(?!\d{1,5}(?:[/?#]|$))/i;
/** A host as people write it: with a dot in it, or this machine, or an address. */
const HOST = /^(?:[^\s/?#@:[\]]+\.[^\s/?#@:[\]]+|localhost|\[[\da-f:.]+\])(?::\d{1,5})?(?:[/?#]|$)/i;

/**
 * Without a scheme it is http, as wget and curl take it: that reaches servers with TLS and without, because the former
 * redirect. The URL is as the URL standard writes it.
 */
export function toSeedUrl(text: string): SeedText {
  const trimmed = text.trim();
  if (trimmed === "") return { problem: "nothing" };
  if (trimmed.length > MAX_URL) return { problem: `more than ${MAX_URL} characters` };
  // The URL standard would leave them out and so make one word of two.
  if (/[\t\r\n]/.test(trimmed)) return { problem: "a tab or a line break within" };
  const whole = complete(trimmed);
  if (whole === undefined || !URL.canParse(whole)) return { problem: "not a URL" };
  const url = new URL(whole);
  if (url.protocol === "http:" || url.protocol === "https:") return { url: url.href };
  return { problem: `${url.protocol} is not http or https` };
}

function complete(text: string): string | undefined {
  if (SCHEME.test(text)) return text;
  const rest = text.startsWith("//") ? text.slice(2) : text;
  return HOST.test(rest) ? `http://${rest}` : undefined;
}
