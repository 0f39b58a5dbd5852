/** Loads the parts of the `text` labeller that only this comparison needs from outside. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ConditionOption } from "thresher";
import { ROOT } from "../../systems/root.js";

/** Handed from one part to the next; they are not looked into here. */
type Opaque = object;

export interface Window {
  readonly rows: number;
  readonly hand: Float32Array;
}

interface Workspace {
  readonly scan: Opaque;
  readonly bags: Opaque;
}

/** Takes the bags of each line. */
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

/** As in the package's files of `label/`. */
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

const FILES = [
  "features/scan-line",
  "features/bags",
  "features/windows",
  "network/pool",
  "network/engines",
  "network/session",
  "text/condition",
  "text/text-folder",
  "registers/register-folder",
];
const NAMES: readonly (keyof Internals)[] = [
  "scanLine",
  "fillBags",
  "createWorkspace",
  "featureWindows",
  "createTextPool",
  "loadTextModel",
  "chooseEngine",
  "openModel",
  "saidShares",
  "conditionInput",
  "createTextLabeller",
  "openRegisterJudge",
];

/** From the compiled package: these are no part of its public interface. */
export async function loadInternals(): Promise<Internals> {
  const load = async (file: string): Promise<object> =>
    (await import(pathToFileURL(join(ROOT, "dist", "label", `${file}.js`)).href)) as object; // a module is an object
  const internals = Object.assign({}, ...(await Promise.all(FILES.map(load)))) as Internals; // checked below
  const missing = NAMES.filter((name) => typeof internals[name] !== "function");
  if (missing.length > 0) throw new Error(`the package has no ${missing.join(", ")} where it was`);
  return internals;
}
