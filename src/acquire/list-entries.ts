/** URLs as a list writes them into its entries: resolved, counted, told apart by host. */
import type { Draft } from "./feed.js";

export interface SitemapEntry {
  /** Absolute, http or https, without its fragment. */
  readonly url: string;
  /** As the list writes it: W3C date and time in sitemaps and Atom, RFC 822 in RSS. */
  readonly lastModified?: string;
  /** Set where the host is another than that of the list: the protocol has a sitemap speak for its own host only. */
  readonly isCrossHost?: true;
}

export interface EntryList {
  /** `base` is what relative URLs are relative to, where that is not the list. */
  add(draft: Draft, base?: string): void;
  isFull(): boolean;
  entries(): readonly SitemapEntry[];
  notes(): readonly string[];
}

/** Characters of a URL (the protocol allows 2,048), and of a date. */
const MAX_URL = 8192;
const MAX_DATE = 64;
/** Characters of a bad URL in a note. */
const EXCERPT = 100;

export function createEntries(listUrl: string, maxUrls: number): EntryList {
  const { host } = new URL(listUrl);
  const entries: SitemapEntry[] = [];
  let isFull = false;
  let bad = 0;
  let firstBad = "";
  let crossHost = 0;
  return {
    add({ url, fallback, lastModified }, base = listUrl) {
      const target = resolve(url, base) ?? resolve(fallback, base);
      if (target === undefined) {
        if (bad === 0) firstBad = (url ?? fallback ?? "").trim().slice(0, EXCERPT);
        bad += 1;
        return;
      }
      if (entries.length >= maxUrls) {
        isFull = true;
        return;
      }
      const date = lastModified?.trim() ?? "";
      const isCrossHost = target.host !== host;
      if (isCrossHost) crossHost += 1;
      entries.push({
        url: target.href,
        ...(date !== "" && date.length <= MAX_DATE && { lastModified: date }),
        ...(isCrossHost && { isCrossHost }),
      });
    },
    isFull: () => isFull,
    entries: () => entries,
    notes: () => [
      ...(isFull ? [`only the first ${maxUrls} URLs were read`] : []),
      ...(bad > 0 ? [`entries without a usable URL: ${bad}, the first: ${firstBad}`] : []),
      ...(crossHost > 0 ? [`URLs on other hosts: ${crossHost}`] : []),
    ],
  };
}

function resolve(url: string | undefined, base: string): URL | undefined {
  const text = url?.trim() ?? "";
  if (text === "" || text.length > MAX_URL || !URL.canParse(text, base)) return undefined;
  const target = new URL(text, base);
  target.hash = "";
  return target.protocol === "http:" || target.protocol === "https:" ? target : undefined;
}
