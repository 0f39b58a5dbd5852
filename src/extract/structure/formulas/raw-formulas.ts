/** Finds formulas that a page leaves as TeX in its text, for a script that renders them in the browser. */
import type { InlineSpan } from "../../../document.js";
import type { ElementNode } from "../../../document/tree.js";
import { findElement, textOf } from "../../elements.js";
import type { Draft } from "../../lines/draft.js";
import { sortSpans } from "../spans.js";

/** The largest length of a formula, and the part of a script that is read, in characters. */
const MAX_TEX = 2_000;
const MAX_SCRIPT = 20_000;
/** The largest number of formulas in one line. */
const MAX_FORMULAS = 1_000;

/** `\(x\)`, `\[x\]` and `$$x$$`: the delimiters that MathJax and KaTeX look for by default. */
const MARKED =
  /\\\((?<inline>(?:[^\\]|\\\\|\\(?![\\()[\]])){1,2000}?)\\\)|\\\[(?<display>(?:[^\\]|\\\\|\\(?![\\()[\]])){1,2000}?)\\\]|\$\$(?<dollars>[^$]{1,2000})\$\$/g;
/**
 * `$x$`, if the page's script asks for it: without a space inside and without a digit after it, unlike sums of money.
 */
const SINGLE = /(?<![\\$\p{L}\p{N}])\$(?<inline>[^\s$](?:[^$]{0,500}?[^\s\\$])?)\$(?![\p{N}$])/gu;

const RENDERER = /mathjax|katex/i;
const SINGLE_WISH = /inlineMath[^;]{0,200}?["']\$["']|left\s*:\s*["']\$["']/i;

/**
 * Adds the spans of formulas to the lines, in place. Code and pages without a MathJax or KaTeX script stay as they are.
 */
export function markFormulas(drafts: Draft[], root: ElementNode): void {
  let scripts: Scripts | undefined;
  for (let at = 0; at < drafts.length; at += 1) {
    const draft = drafts[at];
    if (draft === undefined || draft.block === "pre" || !mayHold(draft.text)) continue;
    scripts ??= readScripts(root);
    if (!scripts.draws) return;
    const added = findFormulas(draft, scripts);
    if (added.length > 0) drafts[at] = { ...draft, spans: sortSpans([...(draft.spans ?? []), ...added]) };
  }
}

/**
 * Whether a text may hold a formula; a single price does not. Checking for the delimiters first saves most of the
 * searches.
 */
function mayHold(text: string): boolean {
  const dollar = text.indexOf("$");
  const hasTwo = dollar >= 0 && text.includes("$", dollar + 1);
  if (!hasTwo && (text.indexOf("\\") < 0 || (!text.includes("\\(") && !text.includes("\\[")))) return false;
  return text.search(MARKED) >= 0 || (hasTwo && text.search(SINGLE) >= 0);
}

interface Scripts {
  /** Whether a script of the page renders formulas. */
  readonly draws: boolean;
  /** Whether it also renders formulas between single dollar signs. */
  readonly drawsSingle: boolean;
}

function readScripts(root: ElementNode): Scripts {
  let draws = false;
  let drawsSingle = false;
  findElement(root, (element) => {
    if (element.tag !== "script") return false;
    const code = textOf(element, MAX_SCRIPT, "raw");
    draws ||= RENDERER.test(element.attributes.get("src") ?? "") || RENDERER.test(code);
    drawsSingle ||= SINGLE_WISH.test(code);
    return draws && drawsSingle;
  });
  return { draws, drawsSingle };
}

function findFormulas({ text, spans = [] }: Draft, { drawsSingle }: Scripts): InlineSpan[] {
  const found: InlineSpan[] = [];
  const taken = spans.filter(({ kind }) => kind === "math" || kind === "code" || kind === "drop");
  for (const pattern of drawsSingle ? [MARKED, SINGLE] : [MARKED])
    for (const match of text.matchAll(pattern)) {
      const { inline, display, dollars } = match.groups ?? {};
      const tex = (inline ?? display ?? dollars ?? "").trim();
      const start = match.index;
      const end = start + match[0].length;
      const isOver = (span: InlineSpan): boolean => span.start < end && span.end > start;
      if (found.length >= MAX_FORMULAS) return found;
      // A tab separates the cells of a row, and a formula is in one cell.
      if (tex === "" || tex.length > MAX_TEX || tex.includes("\t")) continue;
      if (taken.some(isOver) || found.some(isOver)) continue;
      found.push({
        kind: "math",
        start,
        end,
        tex,
        ...(inline === undefined && { isDisplay: true as const }),
      });
    }
  return found;
}
