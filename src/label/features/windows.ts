/** Turns a document's lines into windows of features: hand columns, and bags for a sink that pools or stores them. */
import { createBags, fillBags, type LineBags } from "./bags.js";
import { COLUMN_COUNT } from "./columns.js";
import { fillPlace } from "./document-columns.js";
import { createFactCollector, type FactCollector } from "./facts.js";
import { fillLine } from "./line-columns.js";
import { createRoom, type Room } from "./room.js";
import { scanLine } from "./scan-line.js";
import { createScan, type LineScan } from "./tokens.js";

/** Takes the bags and the text of each line. `row` counts from the window's first line, the document's line `start`. */
export interface BagSink {
  /** How many of BAGS it takes, from the first on; all if undefined. */
  readonly bags?: number;
  begin(rows: number, start: number): void;
  take(row: number, bags: LineBags, text: string): void;
}

/** Further columns after those of the text. */
export interface MoreColumns {
  readonly count: number;
  /** Takes the scanned lines in order. */
  add(scan: LineScan): void;
  /** Is called after the last line and before `fill`. */
  finish(): void;
  /** Fills `count` columns of the row from `base` on. */
  fill(line: number, row: Float32Array, base: number): void;
}

export interface FeatureWindow {
  /** The first line of the window, and the number of its lines. */
  readonly start: number;
  readonly rows: number;
  /** How many lines at either end are only context: they belong to the window before or after. */
  readonly contextBefore: number;
  readonly contextAfter: number;
  /** rows × (COLUMN_COUNT + the count of MoreColumns) */
  readonly hand: Float32Array;
}

export interface WindowSize {
  /** The most lines of a window without its context; a longer document has several windows. */
  readonly lines: number;
  /** Lines of context before and after. */
  readonly context: number;
}

/** Scratch memory of one caller; overlapping calls must not share it. */
export interface Workspace {
  readonly scan: LineScan;
  readonly bags: LineBags;
  readonly facts: FactCollector;
  /** Memory for the hand columns of a document with one window, and for its bags. */
  readonly hand: Room;
  readonly bagValues: Room;
}

/** The most lines of a document whose facts fit into the workspace; a longer document allocates its own. */
const ROOM = 256;

export function createWorkspace(): Workspace {
  return {
    scan: createScan(),
    bags: createBags(),
    facts: createFactCollector(ROOM),
    hand: createRoom(),
    bagValues: createRoom(),
  };
}

/**
 * Yields the features of a document, window by window; a document that fits with its context is one window. The sink
 * holds the bags of the window last yielded. Hand columns are valid until the workspace begins another document.
 */
export function* featureWindows(
  texts: readonly string[],
  workspace: Workspace,
  sink: BagSink,
  size: WindowSize,
  more?: MoreColumns,
): Generator<FeatureWindow, void, undefined> {
  if (texts.length === 0) return;
  const { scan, bags } = workspace;
  const single = texts.length <= size.lines + 2 * size.context;
  const collector = texts.length > ROOM ? createFactCollector(texts.length) : workspace.facts;
  collector.begin();
  const columns = COLUMN_COUNT + (more?.count ?? 0);
  let hand = workspace.hand.take(single ? texts.length * columns : 0).fill(0);
  const describe = (text: string, row: number): void => {
    fillLine(scan, text, hand, row * columns);
    fillBags(scan, bags, sink.bags);
    sink.take(row, bags, text);
  };
  if (single) sink.begin(texts.length, 0);
  for (let line = 0; line < texts.length; line++) {
    const text = texts[line] ?? "";
    scanLine(scan, text);
    collector.add(scan, text);
    more?.add(scan);
    // The lines of a single window are described in the same pass, so that no line is scanned twice.
    if (single) describe(text, line);
  }
  const facts = collector.finish();
  more?.finish();
  for (let core = 0; core < texts.length; core += single ? texts.length : size.lines) {
    const end = single ? texts.length : Math.min(texts.length, core + size.lines);
    const start = single ? 0 : Math.max(0, core - size.context);
    const stop = single ? end : Math.min(texts.length, end + size.context);
    if (!single) {
      hand = new Float32Array((stop - start) * columns);
      sink.begin(stop - start, start);
    }
    for (let line = start; line < stop; line++) {
      if (!single) {
        const text = texts[line] ?? "";
        scanLine(scan, text);
        describe(text, line - start);
      }
      fillPlace(facts, line, hand, (line - start) * columns);
      more?.fill(line, hand, (line - start) * columns + COLUMN_COUNT);
    }
    yield { start, rows: stop - start, contextBefore: core - start, contextAfter: stop - end, hand };
  }
}
