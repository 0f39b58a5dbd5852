/** A page into the URLs that it links to, read where its answer is. */
import { chooseFormat } from "../acquire/kind.js";
import type { Page } from "../document.js";
import { readLinks, type PageLink } from "../extract/links.js";
import { decodePage } from "../parse/charset.js";
import { parseQuickly } from "../parse/quick-tree.js";

/** Bounded like all that is read of a page; text has no links. */
export function findLinks({ id, url, content }: Page): readonly PageLink[] {
  if (content.kind !== "bytes") return [];
  const { bytes, contentType, format } = content;
  if ((format ?? chooseFormat(bytes, contentType)) === "text") return [];
  const { text, notes } = decodePage(bytes, contentType);
  return readLinks(parseQuickly({ id, url, html: text, notes }).root, url);
}
