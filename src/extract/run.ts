/** Text nodes of one block, in order, into the text of one line. */
import type { Link } from "../document.js";
import type { TextNode } from "../tree.js";
import { collapseSpace, findInk, isBlank } from "./characters.js";

/** A link that is open around a text node. One object for one element, so that neighbours stay two links. */
export interface Target {
  readonly href: string;
}

/** What a run holds when it ends. `span` is absent where no text has a known place. */
export interface RunText {
  readonly text: string;
  readonly links: readonly Link[];
  readonly span?: readonly [number, number];
}

export interface Run {
  /** Adds a text node inside a link or outside of any. */
  add(node: TextNode, target: Target | undefined): void;
  /** What stands before and after is drawn apart. */
  space(): void;
  openRuby(): void;
  closeRuby(): void;
  /** Ends the run and starts the next; undefined when there is nothing to see. */
  take(): RunText | undefined;
}

interface State {
  text: string;
  /** White space that is drawn only if text follows. */
  hasSpace: boolean;
  /** The next text sticks to the one before (after an opening parenthesis). */
  isStuck: boolean;
  /** The link that the text ends in. */
  target: Target | undefined;
  links: Link[];
  start: number;
  end: number;
}

function startState(): State {
  return { text: "", hasSpace: false, isStuck: false, target: undefined, links: [], start: -1, end: -1 };
}

/** A run that collapses white space, as everywhere but in `pre`. */
export function createRun(): Run {
  let run = startState();
  return {
    add(node, target) {
      const text = collapseSpace(node.value);
      if (text === "") return;
      if (text === " ") {
        run.hasSpace = true;
        return;
      }
      const isOtherLink = target !== undefined && run.target !== undefined && target !== run.target;
      const isApart = isOtherLink && !isCutWord(run, text, target);
      const hasSpace = run.hasSpace || isApart || text.startsWith(" ");
      if (hasSpace && run.text !== "" && !run.isStuck)
        appendText(run, " ", target === run.target ? target : undefined);
      appendText(run, text.trim(), target);
      extendSpan(run, node);
      run.hasSpace = text.endsWith(" ");
      run.isStuck = false;
      run.target = target;
    },
    space() {
      run.hasSpace = true;
    },
    openRuby() {
      run.text += "(";
      run.hasSpace = false;
      run.isStuck = true;
    },
    closeRuby() {
      // An empty annotation leaves no parentheses behind.
      if (run.isStuck && run.text.endsWith("(")) run.text = run.text.slice(0, -1);
      else run.text += ")";
      run.hasSpace = false;
      run.isStuck = false;
    },
    take() {
      const { text, links, start, end } = run;
      run = startState();
      if (isBlank(text)) return undefined;
      return { text, links, ...(start < 0 ? {} : { span: [start, end] as const }) };
    },
  };
}

/**
 * Two links side by side are drawn apart, whatever stands in the source. But an editor may cut one link in two in the
 * middle of a word.
 */
function isCutWord(run: Pick<State, "text" | "target">, text: string, target: Target): boolean {
  return target.href === run.target?.href && /\p{L}$/u.test(run.text) && /^\p{Ll}/u.test(text);
}

/** Adds text, and makes it part of its link. */
function appendText(
  run: Pick<State, "text" | "links" | "target">,
  text: string,
  target: Target | undefined,
): void {
  const start = run.text.length;
  run.text += text;
  if (target === undefined) return;
  const end = run.text.length;
  const last = run.links.at(-1);
  if (last?.end === start && run.target === target) run.links[run.links.length - 1] = { ...last, end };
  else run.links.push({ start, end, href: target.href });
}

/** A node without a character reference has one source character for each of its own (see `parse/tree.ts`). */
function extendSpan(run: Pick<State, "start" | "end">, node: TextNode): void {
  if (node.start < 0) return;
  const isExact = node.end - node.start === node.value.length;
  const [from, to] = isExact ? findInk(node.value) : [0, node.end - node.start];
  // Misplaced text stands elsewhere in the source than in the tree: the span covers all of its parts.
  run.start = run.start < 0 ? node.start + from : Math.min(run.start, node.start + from);
  run.end = Math.max(run.end, node.start + to);
}
