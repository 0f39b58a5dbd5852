/** Reads raw records, and checks bytes that were not looked at yet, in the process that cleans the page. */
import { readUnread } from "../acquire/records/jsonl.js";
import { judgeUnseen } from "../core/clean-page.js";
import type { Page } from "../document.js";
import type { Outcome, PageName } from "../outcome.js";

/** Returns the page of a raw record or unchecked bytes, or a reject. Any other page is returned as it is. */
export function seePage(page: Page): Outcome<Page> {
  const { content } = page;
  return content.kind === "record" ? readUnread(content) : judgeUnseen(page);
}

/** Returns id and URL of a page that is rejected before anything else has looked at it; reads a raw record for them. */
export function namePage(page: Page): PageName {
  if (page.content.kind !== "record") return page;
  const read = readUnread(page.content);
  return read.ok ? read.value : read;
}
