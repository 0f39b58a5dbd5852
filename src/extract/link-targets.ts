/** Links as a page writes them into the URLs that they lead to, each once, in order. */

export interface PageLink {
  /** Absolute, http or https, without its fragment; otherwise as the URL standard writes it. */
  readonly url: string;
  /** The page vouches for none of the links to it: each has rel=nofollow, ugc or sponsored, or the page's own meta says so. */
  readonly nofollow: boolean;
}

/** Different URLs that a page may link to; of the pages of the benchmark none has more than 4,000. */
export const MAX_LINKS = 5000;
/** Characters of a link. */
export const MAX_HREF = 8192;

export interface Targets {
  /** Adds a link as it is written; what leads nowhere, or to the page itself, is left out. */
  add(href: string, nofollow: boolean): void;
  /** Undefined for what is no http or https URL. */
  resolve(href: string): string | undefined;
  links(): readonly PageLink[];
  /** There were more than MAX_LINKS. */
  isCapped(): boolean;
  /** Some were longer than MAX_HREF. */
  hasLong(): boolean;
}

/** URLs in the order in which they are added; one that is followed somewhere is followed. */
export function createTargets(url: string, base: string): Targets {
  const found = new Map<string, boolean>();
  const self = URL.canParse(url) ? withoutHash(new URL(url)) : url;
  // What was read from a file stands nowhere; only its absolute links lead anywhere.
  const from = URL.canParse(base) ? base : undefined;
  let isCapped = false;
  let hasLong = false;
  const resolve = (href: string): string | undefined => {
    if (href.length > MAX_HREF) {
      // Pictures and scripts are written into links as well; those are no links that are lost.
      hasLong ||= !/^\s*(?:data|javascript|blob):/i.test(href.slice(0, 100));
      return undefined;
    }
    if (!URL.canParse(href, from)) return undefined;
    const target = new URL(href, from);
    return target.protocol === "http:" || target.protocol === "https:" ? withoutHash(target) : undefined;
  };
  return {
    resolve,
    add(href, nofollow) {
      const target = resolve(href);
      if (target === undefined || target === self) return;
      const before = found.get(target);
      if (before === undefined && found.size >= MAX_LINKS) isCapped = true;
      else found.set(target, nofollow && before !== false);
    },
    links: () => [...found].map(([target, nofollow]) => ({ url: target, nofollow })),
    isCapped: () => isCapped,
    hasLong: () => hasLong,
  };
}

function withoutHash(url: URL): string {
  url.hash = "";
  return url.href;
}
