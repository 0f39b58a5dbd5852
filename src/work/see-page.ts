/** Finds out what a page is that was handed over unread or unseen, in the process that cleans it. */
import { readUnread } from "../acquire/records/jsonl.js";
import { judgeUnseen } from "../core/clean-page.js";
import type { Page } from "../document.js";
import type { Outcome, PageName } from "../outcome.js";

/** A page that is known gives itself. */
export function seePage(page: Page): Outcome<Page> {
  const { content } = page;
  return content.kind === "record" ? readUnread(content) : judgeUnseen(page);
}

/** What a page is called that becomes a reject before anything else looked at it. */
export function namePage(page: Page): PageName {
  if (page.content.kind !== "record") return page;
  const read = readUnread(page.content);
  return read.ok ? read.value : read;
}
