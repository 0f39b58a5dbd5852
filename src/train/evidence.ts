/** Runs a shipped network once on each document of gold, and relabels that document under any change of the model. */
import type { Document, LabelledLine, Line } from "../document.js";
import { COLUMNS } from "../label/features/columns.js";
import { createPlaces } from "../label/features/page/place.js";
import { PAGE_COLUMNS } from "../label/features/page/place-columns.js";
import {
  createWorkspace,
  featureWindows,
  type BagSink,
  type MoreColumns,
  type WindowSize,
} from "../label/features/windows.js";
import { isBlank } from "../label/label-line.js";
import { cutLongLines } from "../label/long-lines.js";
import { correctRow, type Correction } from "../label/network/correction.js";
import { chooseEngine } from "../label/network/engines.js";
import { openModel } from "../label/network/session.js";
import { DEFAULT_PAGE_MODEL, DEFAULT_TEXT_MODEL } from "../label/models/shipped-models.js";
import { doubtComments } from "../label/page/page-comments.js";
import { labelPage, scorePage } from "../label/page/page-labeller.js";
import { loadPageModel } from "../label/page/page-folder.js";
import { conditionInput, saidShares } from "../label/text/condition.js";
import { calibrationOf, labelText, scoreDocument } from "../label/text/text-labeller.js";
import { loadTextModel } from "../label/text/text-folder.js";
import { UsageError } from "../outcome.js";
import { changePageModel, changeTextModel, type Change } from "./change.js";
import type { Example, TrainKind } from "./gold-examples.js";

/** What is known about one document before training. */
export interface Evidence {
  readonly example: Example;
  /** The lines that the network scored, and its logits for them before calibration. */
  readonly lines: readonly Line[];
  readonly logits: Float32Array;
  /** The network's input about a text besides its lines. */
  readonly condition?: Float32Array;
  /** Labels of these lines; null also if the line is not the document's own. */
  readonly labels: readonly (0 | 1 | null)[];
  /** Calibrated log-odds of these lines, and their columns: lines × columns. */
  readonly odds: Float32Array;
  readonly columns: Float32Array;
  /** Labels the document as the labeller would with this change, under the balanced focus. */
  relabel(change: Change): Document<LabelledLine>;
}

export interface Base {
  readonly name: string;
  readonly digest: string;
  readonly folder: string;
  readonly columns: readonly string[];
  gather(example: Example): Promise<Evidence>;
  close(): Promise<void>;
}

/** Opens the model to train, by default the shipped one. Throws UsageError if it cannot be trained. */
export async function openBase(kind: TrainKind, folder?: string): Promise<Base> {
  return kind === "page"
    ? openPageBase(folder ?? DEFAULT_PAGE_MODEL)
    : openTextBase(folder ?? DEFAULT_TEXT_MODEL);
}

async function openPageBase(folder: string): Promise<Base> {
  const model = loadPageModel(folder);
  refuseCorrected(model.correction, folder);
  const session = await openModel(model.network, folder, await chooseEngine());
  const workspace = createWorkspace();
  return {
    ...{ name: model.name, digest: model.digest, folder, columns: PAGE_COLUMNS },
    async gather(example) {
      const { document } = example;
      const logits = await scorePage(document, { model, session, workspace });
      const places = createPlaces(logits.of, document.meta.title ?? "");
      const columns = columnsOf(logits.of, { size: model.window, places, count: PAGE_COLUMNS.length });
      return {
        ...{ example, lines: logits.of, logits: logits.lines },
        labels: labelsOf(example, (line) => !isBlank(line.text)),
        odds: doubtComments(logits, model),
        columns,
        relabel: (change) =>
          labelPage(
            document,
            { ...logits, ...correctAll(columns, change) },
            { focus: "balanced", model: changePageModel(model, change) },
          ),
      };
    },
    close: () => session.close(),
  };
}

async function openTextBase(folder: string): Promise<Base> {
  const model = loadTextModel(folder);
  refuseCorrected(model.correction, folder);
  const session = await openModel(model.network, folder, await chooseEngine());
  return {
    ...{ name: model.name, digest: model.digest, folder, columns: COLUMNS },
    async gather(example) {
      // The sentences of a line that is a whole text have no labels of their own.
      const cut = cutLongLines(example.document);
      const document = cut?.document ?? example.document;
      const scored = await scoreDocument(document, { model, session, said: saidShares("auto") });
      const isScored = document.lines.filter((line) => !isBlank(line.text));
      const lines = isScored.filter((_line, at) => scored.indexes[at] === 0);
      const columns = columnsOf(lines, { size: model.window, count: COLUMNS.length });
      const { slope, offset } = calibrationOf(scored.conditions, model);
      let shown = -1;
      const labels = labelsOf(example, (line) => {
        if (isBlank(line.text)) return false;
        shown += 1;
        return scored.indexes[shown] === 0;
      });
      return {
        ...{ example, lines, logits: scored.lines, condition: conditionInput(scored.given, scored.texts) },
        labels: cut === undefined ? labels : lines.map(() => null),
        odds: scored.lines.map((logit) => slope * logit + offset),
        columns,
        relabel(change) {
          const corrected = { ...scored, ...correctAll(columns, change) };
          const by = { focus: "balanced", model: changeTextModel(model, change) } as const;
          const labelled = labelText(document, corrected, by);
          return cut === undefined ? labelled : cut.join(labelled);
        },
      };
    },
    close: () => session.close(),
  };
}

function refuseCorrected(correction: Correction | undefined, folder: string): void {
  if (correction !== undefined)
    throw new UsageError(
      `the model in ${folder} was trained on top of another one; train that one again with all the gold`,
    );
}

function labelsOf({ document, labels }: Example, isScored: (line: Line) => boolean): (0 | 1 | null)[] {
  return document.lines.flatMap((line, at) => (isScored(line) ? [labels[at] ?? null] : []));
}

/** The columns do not need the bags. */
const NO_BAGS: BagSink = { bags: 0, begin: () => undefined, take: () => undefined };

function columnsOf(
  lines: readonly Line[],
  {
    size,
    places,
    count,
  }: { readonly size: WindowSize; readonly places?: MoreColumns; readonly count: number },
): Float32Array {
  const texts = lines.map(({ text }) => text);
  const columns = new Float32Array(lines.length * count);
  for (const window of featureWindows(texts, createWorkspace(), NO_BAGS, size, places)) {
    const { start, rows, contextBefore, contextAfter, hand } = window;
    const own = hand.subarray(contextBefore * count, (rows - contextAfter) * count);
    columns.set(own, (start + contextBefore) * count);
  }
  return columns;
}

function correctAll(columns: Float32Array, { correction }: Change): { readonly corrections?: Float32Array } {
  if (correction === undefined) return {};
  const rows = columns.length / correction.weights.length;
  return {
    corrections: Float32Array.from({ length: rows }, (_, row) => correctRow(columns, row, correction)),
  };
}
