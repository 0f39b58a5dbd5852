/** Removes the word for the kind of an alert from its text, because renderers write that word above the alert. */
import type { Alert } from "../../../document.js";
import type { Block } from "./lists.js";

/** Titles that generators use for each kind if the author gives none. */
const TITLES: Readonly<Record<Alert, readonly string[]>> = {
  note: ["info", "information"],
  tip: ["hint"],
  important: [],
  warning: ["attention"],
  caution: ["danger", "error"],
};

/** "**Note:** " before a letter, code or a link, which cannot begin a list. */
const LEAD = /^\*\*([^*\n]{1,20})\*\*:?\s+(?=\p{L}|[`[])/u;

/** Removes a first block, or a strong lead, that only names the kind. */
export function leaveKind(blocks: readonly Block[], alert: Alert): readonly Block[] {
  const [first, ...others] = blocks;
  if (first === undefined) return blocks;
  const isKind = (text: string): boolean => {
    const word = text.replace(/[*:!.]|^#+ /g, "").toLowerCase();
    return word === alert || TITLES[alert].includes(word);
  };
  if (others.length > 0 && isKind(first.text)) return others;
  const [lead = "", word = ""] = first.kind === "paragraph" ? (LEAD.exec(first.text) ?? []) : [];
  return isKind(word) ? [{ ...first, text: first.text.slice(lead.length) }, ...others] : blocks;
}
