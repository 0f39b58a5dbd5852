/** Loads the internals of the `text` labeller that only measurements use. */
import type { ConditionOption } from "thresher";
import { loadFrom, type Places } from "../../systems/internals.js";

/** Passed from one function to the next; this code does not read it. */
type Opaque = object;

export interface Window {
  readonly rows: number;
  readonly hand: Float32Array;
}

interface Workspace {
  readonly scan: Opaque;
  readonly bags: Opaque;
}

/** Receives the bags of n-grams of each line. */
export interface Sink {
  begin(rows: number, start: number): void;
  take(row: number, bags: Opaque, text: string): void;
}

export interface NetworkInput {
  readonly rows: number;
  readonly hand: Float32Array;
  readonly bags: Float32Array;
  readonly pieces?: Float32Array;
  readonly condition: Float32Array;
}

interface Session {
  run(input: NetworkInput): Promise<object>;
  close(): Promise<void>;
}

interface Model {
  readonly network: Uint8Array;
  readonly pieces?: Opaque;
  readonly window: { readonly lines: number; readonly context: number };
}

export interface TextLine {
  readonly text: string;
  readonly block: "text";
  readonly path: "";
  readonly linkChars: 0;
  readonly breakBefore: "line";
}

export interface TextDocument {
  readonly id: string;
  readonly url: "";
  readonly source: "text";
  readonly meta: Readonly<Record<string, never>>;
  readonly notes: readonly never[];
  readonly lines: readonly TextLine[];
}

export interface LabelledText {
  readonly lines: readonly { readonly text: string; readonly label: "content" | "boilerplate" }[];
}

/** Mirrors the functions in the package's `label/` folder. */
export interface Internals {
  readonly CONDITION_OPTIONS: readonly ConditionOption[];
  scanLine(scan: Opaque, text: string): void;
  fillBags(scan: Opaque, bags: Opaque): void;
  createWorkspace(): Workspace;
  featureWindows(texts: readonly string[], workspace: Workspace, sink: Sink, size: object): Iterable<Window>;
  createTextPool(model: Model, pieces?: Opaque): Sink & { values(): Float32Array; pieces?(): Float32Array };
  loadTextModel(folder?: string): Model;
  chooseEngine(): Promise<unknown>;
  openModel(network: Uint8Array, folder: string, engine: unknown): Promise<Session>;
  saidShares(option: ConditionOption): Float32Array;
  openRegisterJudge(): Promise<{
    judge(lines: readonly string[]): Promise<object | undefined>;
    close(): Promise<void>;
  }>;
  conditionInput(said: Float32Array, texts: readonly string[]): Float32Array;
  createTextLabeller(options: {
    readonly focus: "balanced";
    readonly condition?: ConditionOption;
    readonly modelDir?: string;
  }): Promise<{
    label(batch: readonly TextDocument[]): Promise<readonly LabelledText[]>;
    close(): Promise<void>;
  }>;
}

const PLACES: Places<Internals> = {
  "label/features/scan-line": ["scanLine"],
  "label/features/bags": ["fillBags"],
  "label/features/windows": ["createWorkspace", "featureWindows"],
  "label/network/pool": ["createTextPool"],
  "label/network/engines": ["chooseEngine"],
  "label/network/session": ["openModel"],
  "label/text/condition": ["CONDITION_OPTIONS", "saidShares", "conditionInput"],
  "label/text/text-folder": ["loadTextModel", "createTextLabeller"],
  "label/registers/register-folder": ["openRegisterJudge"],
};

export function loadInternals(): Promise<Internals> {
  return loadFrom(PLACES);
}
