/** Reads raw records, and checks bytes that were not looked at yet, in the process that cleans the page. */
import { readUnread } from "../acquire/records/jsonl.js";
import { judgeUnseen } from "../core/clean-page.js";
import type { Page } from "../document.js";
import { accept, type Outcome, type PageName } from "../outcome.js";

/** Returns the page of a raw record or unchecked bytes, or a reject. Any other page is returned as it is. */
export function seePage(page: Page): Outcome<Page> {
  const { content, sharesFile } = page;
  if (content.kind !== "record") return judgeUnseen(page);
  const read = readUnread(content);
  return read.ok && sharesFile === true ? accept({ ...read.value, sharesFile }) : read;
}

/** Returns id and URL of a page that is rejected before anything else has looked at it; reads a raw record for them. */
export function namePage(page: Page): PageName {
  if (page.content.kind !== "record") return page;
  const read = readUnread(page.content);
  return read.ok ? read.value : read;
}
