/** How far the walk over a page has come: the open elements and blocks, and the text of the line so far. */
import type { BlockTag } from "../document.js";
import type { ElementNode, TextNode } from "../tree.js";
import { createInk, type Ink } from "./characters.js";
import type { Draft, Row } from "./draft.js";
import { startSpot, type Place, type Spot } from "./path.js";
import { createPreRun, type PreRun } from "./pre.js";
import { createRun, type Run, type Target } from "./run.js";

/** A list item; its first line is an item's line wherever in the item it stands. */
interface Item {
  hasLine: boolean;
  readonly outer: Item | null;
  /** Its number in an ordered list. */
  readonly number: number | undefined;
}

/** An open block and what it means for the lines inside. */
export interface Block {
  readonly outer: Block | null;
  /** Its place in `open`. */
  readonly depth: number;
  readonly tag: BlockTag;
  readonly item: Item | null;
  readonly list: ElementNode | null;
  readonly table: ElementNode | null;
  /** A `pre` in which blocks are lines of its own. */
  readonly hasCodeLines: boolean;
  /** Text keeps its white space: in a `pre`, and in the cells of a table that numbers the lines of one. */
  readonly isVerbatim: boolean;
}

/** An open element. Each is used again for the next element at its depth. */
export interface Frame extends Place {
  next: number;
  /** What leaving the element undoes: a sum of the constants of `blocks.ts`. */
  leave: number;
}

export interface Walk {
  readonly curtain: ElementNode | undefined;
  /** Takes text nodes; undefined takes all. */
  readonly keep: ((node: TextNode) => boolean) | undefined;
  /** The open elements, from the document at 0 to the innermost at `depth`; what lies behind is stale. */
  readonly open: Frame[];
  depth: number;
  block: Block;
  readonly rows: Row[];
  readonly targets: Target[];
  readonly drafts: Draft[];
  readonly run: Run;
  readonly pre: PreRun;
  readonly ink: Ink;
  /** What lies between the last line and the next: `<br>`s, or 2 for a rule, and whether a block began or ended. */
  breaks: number;
  hasEdge: boolean;
  /** Where the text of the current line stands: whether there is any, and how deep in `open` all of it lies. */
  hasText: boolean;
  holderDepth: number;
  spot: Spot;
  /** The least depth since the last text. */
  leastDepth: number;
  /** Elements that the page hides, one of which may be its curtain, and the characters outside of all of them. */
  readonly hidden: ElementNode[];
  shown: number;
  /** The number of the last item of each ordered list. */
  readonly numbers: Map<ElementNode, number>;
  /** Line breaks of the source are drawn, because an inline style says so. */
  keepsBreaks: boolean;
}

export function startWalk(root: ElementNode, keep: Walk["keep"], curtain: ElementNode | undefined): Walk {
  const spot = startSpot();
  return {
    curtain,
    keep,
    open: [{ element: root, next: 0, leave: 0, spot }],
    depth: 0,
    block: {
      outer: null,
      depth: 0,
      tag: "body",
      item: null,
      list: null,
      table: null,
      hasCodeLines: false,
      isVerbatim: false,
    },
    rows: [],
    targets: [],
    drafts: [],
    run: createRun(),
    pre: createPreRun(),
    ink: createInk(),
    breaks: 0,
    hasEdge: true,
    hasText: false,
    holderDepth: 0,
    spot,
    leastDepth: 0,
    hidden: [],
    shown: 0,
    numbers: new Map(),
    keepsBreaks: false,
  };
}

export function push(walk: Walk, element: ElementNode, leave: number): void {
  walk.depth += 1;
  const frame = walk.open[walk.depth];
  if (frame === undefined) walk.open.push({ element, next: 0, leave, spot: undefined });
  else {
    frame.element = element;
    frame.next = 0;
    frame.leave = leave;
    frame.spot = undefined;
  }
}
