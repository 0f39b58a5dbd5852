/** Reads the text that the lines of a page may contain from its tree in the simplest way, and lists what is wrong with the lines. */
import { walkLines } from "../../src/extract/lines/walk.js";
import type { Document, Line } from "../../src/document.js";
import type { ElementNode, ParsedPage, TextNode } from "../../src/document/tree.js";

/** Characters that are never drawn: the lines may drop them, and may put white space anywhere. */
const LOOSE =
  /[\s\u0000-\u0008\u000e-\u001f\u007f\u00ad\u034f\u061c\u115f\u1160\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\u3164\ufe00-\ufe0f\ufeff\uffa0]+/g;
/** Lines write ruby with parentheses, and `q` with the quotes of the language, which the page may lack. */
const ADDED = { rt: /[()]/g, q: /["'„‚「」『』\p{Pi}\p{Pf}]/gu } as const;
const C1 = /[\u0080-\u009f]/g;
const WINDOWS_1252 = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";

/**
 * Returns the visible characters, which are the same for two texts that differ only in white space and in characters
 * that are added.
 */
export function inkOf(text: string, added: readonly RegExp[] = []): string {
  const ink = text
    .replace(C1, (control) => WINDOWS_1252.charAt(control.charCodeAt(0) - 0x80))
    .replace(/\p{Surrogate}/gu, "\ufffd")
    .replace(LOOSE, "");
  return added.reduce((left, pattern) => left.replace(pattern, ""), ink);
}

/** Returns the text nodes that the walk reads, in its order. A page behind a curtain is walked twice, and the second walk reads all. */
function visibleNodes(page: ParsedPage): TextNode[] {
  const taken: TextNode[] = [];
  walkLines(page, (node) => taken.push(node) > 0);
  return taken.slice(taken.length - new Set(taken).size);
}

const NEVER_SEEN = new Set("script style template title select head textarea".split(" "));

function isUnseen({ parent }: TextNode): boolean {
  for (let element = parent; element !== null; element = element.parent)
    if (element.namespace === "html" && NEVER_SEEN.has(element.tag)) return true;
  return false;
}

/** Returns patterns of the characters that lines add because of the elements of a page. */
function findAdded(root: ElementNode): readonly RegExp[] {
  const added = new Set<RegExp>();
  const open = [root];
  for (let element = open.pop(); element !== undefined; element = open.pop()) {
    if (element.tag === "rt" || element.tag === "q") added.add(ADDED[element.tag]);
    for (const child of element.children) if (child.kind === "element") open.push(child);
  }
  return [...added];
}

/**
 * Returns complaints about the lines of a page. There are none if, without white space,
 * - each line is a substring of the page's visible text (its text nodes in tree order, none of them in a script or the
 *   like), the lines follow each other in it, and together they are all of it;
 * - each span points into the decoded source, and if the nodes are in the order of the source, so are the spans.
 */
export function checkLines(page: ParsedPage, doc: Pick<Document, "lines">): string[] {
  const errors: string[] = [];
  const added = findAdded(page.root);
  const nodes = visibleNodes(page);
  if (nodes.some((node) => isUnseen(node) && inkOf(node.value) !== "")) errors.push("text that nobody sees");
  const text = inkOf(nodes.map(({ value }) => value).join(""), added);
  let at = 0;
  for (const { text: line } of doc.lines) {
    const ink = inkOf(line, added);
    if (!text.startsWith(ink, at)) errors.push(`no substring of the page at ${at}: ${JSON.stringify(line)}`);
    at += ink.length;
  }
  if (at !== text.length) errors.push(`lines end at ${at} of ${text.length} characters`);
  const placed = nodes.filter(({ start }) => start >= 0);
  const isOrdered = placed.every(({ start }, index) => index === 0 || start >= placed[index - 1]!.end);
  return [...errors, ...checkForm(doc.lines), ...checkSpans(page.html, doc.lines, isOrdered)];
}

/** Checks the promises of a line's type. */
function checkForm(lines: readonly Line[]): string[] {
  const errors: string[] = [];
  for (const line of lines) {
    const { text, block, links = [], linkChars } = line;
    if (/\p{Surrogate}/u.test(text)) errors.push(`half a surrogate pair: ${JSON.stringify(text)}`);
    const cells = block === "tr" ? text.split("\t") : [text];
    if (block !== "pre" && cells.some((cell) => cell !== cell.trim()))
      errors.push(`white space at the ends: ${JSON.stringify(text)}`);
    if (block !== "pre" && /[^\S \t]/.test(text))
      errors.push(`white space that is none: ${JSON.stringify(text)}`);
    if (block !== "pre" && block !== "tr" && text.includes("\t")) errors.push("a tab outside of a row");
    if (inkOf(text) === "" && !/[\u200c\u200d]/.test(text)) errors.push("a line without ink");
    let end = 0;
    let sum = 0;
    for (const link of links) {
      if (link.start < end || link.end <= link.start || link.end > text.length) errors.push("a wrong link");
      ({ end } = link);
      sum += link.end - link.start;
    }
    if (sum !== linkChars) errors.push(`linkChars ${linkChars}, not ${sum}`);
  }
  return errors;
}

function checkSpans(source: string, lines: readonly Line[], isOrdered: boolean): string[] {
  const errors: string[] = [];
  let before: readonly [number, number] = [0, 0];
  for (const { text, span } of lines) {
    if (span === undefined) continue;
    const [start, end] = span;
    if (!(start >= 0 && start < end && end <= source.length)) errors.push(`span ${start} to ${end}`);
    // If references make a node's source longer than its text, all its pieces have the span of the node.
    if (isOrdered && (start < before[0] || end < before[1])) errors.push(`span ${start} behind ${before[0]}`);
    before = span;
    const slice = source.slice(start, end);
    // The source contains a reference, and not its character, which is in the line.
    if (isOrdered && !slice.includes("&") && !isSubsequence(text.replace(/[^a-z0-9]/gi, ""), slice))
      errors.push(`${text} is not in ${slice}`);
  }
  return errors;
}

/** Whether the text contains all characters, in order. */
function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (let index = 0; index < whole.length && at < part.length; index += 1)
    if (whole[index] === part[at]) at += 1;
  return at === part.length;
}

/** Checks lines of plain text: each equals its span of the source, in normal form, and no visible character is lost. */
export function checkTextLines(source: string, lines: readonly Line[]): string[] {
  const errors: string[] = [];
  for (const { text, span: [start, end] = [0, 0] } of lines)
    if (inkOf(source.slice(start, end)) !== inkOf(text)) errors.push(`${text} is not at ${start}`);
  if (inkOf(source) !== inkOf(lines.map(({ text }) => text).join("")))
    errors.push("text was lost or made up");
  return [...errors, ...checkForm(lines), ...checkSpans(source, lines, true)];
}
