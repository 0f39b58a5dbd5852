/** The block of a WET record, text that somebody took out of a page, into a page of plain text. */
import type { Page } from "../document.js";
import { accept, type Outcome } from "../outcome.js";
import { toPage } from "./page-bytes.js";

export function toTextPage(
  of: { readonly id: string; readonly url: string },
  block: Uint8Array,
  maxBytes: number,
): Outcome<Page> {
  const isLong = block.length > maxBytes;
  const page = toPage({ ...of, format: "text" }, isLong ? undefined : block, maxBytes);
  if (!page.ok) return page;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(block);
    return accept({ ...of, content: { kind: "text", text } });
  } catch (error) {
    // WET is UTF-8; what is not keeps its bytes, from which the charset is told as for any other text.
    if (!(error instanceof TypeError)) throw error;
    // The block lies in a window that moves on.
    return toPage({ ...of, format: "text" }, new Uint8Array(block), maxBytes);
  }
}
