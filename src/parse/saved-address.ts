/** Finds the URL that a browser or another program wrote into a page when it saved it to a file. */
import { parseWebUrl } from "../parse-url.js";

/** Characters at the start of a page in which the URL is searched. */
const HEAD = 4_096;

/** What Chrome, Edge and Internet Explorer write, then SingleFile, monolith, and Save Page WE. */
const MARKS = [
  /<!-- saved from url=\(\d{4}\)(\S+) -->/i,
  /<!--\s+Page saved with SingleFile\s+url: (\S+)/,
  /<!-- Saved from (\S+) at \S[^>]{0,80} using monolith /,
  /<meta name="savepage-url" content="([^"\s]+)"/,
] as const;

/** Returns the URL as it is written; undefined if there is no http or https URL. */
export function findSavedAddress(html: string): string | undefined {
  const head = html.slice(0, HEAD);
  for (const mark of MARKS) {
    const address = mark.exec(head)?.[1];
    if (address !== undefined && parseWebUrl(address) !== undefined) return address;
  }
  return undefined;
}
