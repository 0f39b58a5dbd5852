/** Finds the address that a browser or a program wrote into a page when it saved it to a file. */
import { parseWebUrl } from "../parse-url.js";

/** Characters of a page, from its beginning, in which it is looked for. */
const HEAD = 4_096;

/** What is written by Chrome, Edge and Internet Explorer, by SingleFile, by monolith, and by Save Page WE. */
const MARKS = [
  /<!-- saved from url=\(\d{4}\)(\S+) -->/i,
  /<!--\s+Page saved with SingleFile\s+url: (\S+)/,
  /<!-- Saved from (\S+) at \S[^>]{0,80} using monolith /,
  /<meta name="savepage-url" content="([^"\s]+)"/,
] as const;

/** The address, as it is written; undefined where there is none of the web. */
export function findSavedAddress(html: string): string | undefined {
  const head = html.slice(0, HEAD);
  for (const mark of MARKS) {
    const address = mark.exec(head)?.[1];
    if (address !== undefined && parseWebUrl(address) !== undefined) return address;
  }
  return undefined;
}
