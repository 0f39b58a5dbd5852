/** Turns a document's lines into windows of features: hand columns, and bags handed to whoever pools or stores them. */
import { createBags, fillBags, type LineBags } from "./bags.js";
import { COLUMN_COUNT } from "./columns.js";
import { createFactCollector, fillPlace } from "./document.js";
import { fillLine } from "./line.js";
import { scanLine } from "./scan.js";
import { createScan, type LineScan } from "./tokens.js";

/** Takes the bags of one line; `row` counts from the window's first line. */
export interface BagSink {
  begin(rows: number): void;
  take(row: number, bags: LineBags): void;
}

export interface FeatureWindow {
  /** The first line of the window, and its lines. */
  readonly start: number;
  readonly rows: number;
  /** Lines of the window that are only context: they belong to the window before or after. */
  readonly contextBefore: number;
  readonly contextAfter: number;
  /** rows × COLUMN_COUNT */
  readonly hand: Float32Array;
}

export interface WindowSize {
  /** Lines of a window without its context; more than this in a document makes several windows. */
  readonly lines: number;
  readonly context: number;
}

/** Scratch memory of one caller; not to be shared between overlapping calls. */
export interface Workspace {
  readonly scan: LineScan;
  readonly bags: LineBags;
}

export function createWorkspace(): Workspace {
  return { scan: createScan(), bags: createBags() };
}

/** The features of a document, window by window. The sink holds the bags of the window last yielded. */
export function* featureWindows(
  texts: readonly string[],
  { scan, bags }: Workspace,
  sink: BagSink,
  size: WindowSize,
): Generator<FeatureWindow, void, undefined> {
  if (texts.length === 0) return;
  const single = texts.length <= size.lines + 2 * size.context;
  const collector = createFactCollector(texts.length);
  let hand = new Float32Array(single ? texts.length * COLUMN_COUNT : 0);
  const describe = (text: string, row: number): void => {
    fillLine(scan, text, hand, row * COLUMN_COUNT);
    fillBags(scan, bags);
    sink.take(row, bags);
  };
  if (single) sink.begin(texts.length);
  for (const [line, text] of texts.entries()) {
    scanLine(scan, text);
    collector.add(scan, text);
    // A document of one window is described on the way: no line is scanned twice.
    if (single) describe(text, line);
  }
  const facts = collector.finish();
  for (let core = 0; core < texts.length; core += single ? texts.length : size.lines) {
    const end = single ? texts.length : Math.min(texts.length, core + size.lines);
    const start = single ? 0 : Math.max(0, core - size.context);
    const stop = single ? end : Math.min(texts.length, end + size.context);
    if (!single) {
      hand = new Float32Array((stop - start) * COLUMN_COUNT);
      sink.begin(stop - start);
    }
    for (let line = start; line < stop; line++) {
      if (!single) {
        const text = texts[line] ?? "";
        scanLine(scan, text);
        describe(text, line - start);
      }
      fillPlace(facts, line, hand, (line - start) * COLUMN_COUNT);
    }
    yield { start, rows: stop - start, contextBefore: core - start, contextAfter: stop - end, hand };
  }
}
