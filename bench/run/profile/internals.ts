/** Loads the functions of the page path that only its profile needs and that are not part of the public interface. */
import { loadFrom, type Places } from "../../systems/internals.js";

/** A value that one function returns and another takes; the profile does not read it. */
type Opaque = object;

export interface ReadDocument {
  readonly lines: readonly { readonly text: string }[];
  readonly paths?: Opaque;
  readonly statedTitle?: string;
  readonly meta: { readonly title?: string };
}

export type Read = { readonly ok: true; readonly value: ReadDocument } | { readonly ok: false };

interface Window {
  readonly rows: number;
  readonly start: number;
  readonly hand: Float32Array;
}

interface Sink {
  readonly bags?: number;
  begin(rows: number, start: number): void;
  take(row: number, bags: Opaque, text: string): void;
}

interface PageModel {
  readonly window: Opaque;
  readonly network: Uint8Array;
}

interface Session {
  readonly takesGroups: boolean;
  run(input: object): Promise<object>;
  close(): Promise<void>;
}

/** The functions, with the signatures that they have in the package's files. */
export interface Internals {
  decodePage(bytes: Uint8Array): { readonly text: string; readonly notes: readonly string[] };
  parseQuickly(page: object): Opaque;
  createPageExtractor(options: object): { extract(page: Opaque): Read };
  createPlaces(lines: ReadDocument["lines"], title: string, paths?: Opaque): Opaque;
  createPaths(places: Opaque): Opaque;
  createLineGroups(places: Opaque): (start: number, rows: number) => object;
  createWorkspace(): { readonly bagValues: Opaque };
  featureWindows(
    texts: readonly string[],
    workspace: Opaque,
    sink: Sink,
    size: Opaque,
    places: Opaque,
  ): Iterable<Window>;
  createPagePool(model: PageModel, paths: Opaque, room: Opaque): Sink & { values(): Float32Array };
  loadPageModel(folder?: string): PageModel;
  chooseEngine(): Promise<unknown>;
  openModel(network: Uint8Array, folder: string, engine: unknown): Promise<Session>;
  createPageLabeller(options: object): Promise<{
    label(batch: readonly object[], tools: object): Promise<readonly object[]>;
    close(): Promise<void>;
  }>;
}

const PLACES: Places<Internals> = {
  "parse/charset": ["decodePage"],
  "parse/quick-tree": ["parseQuickly"],
  "extract/body": ["createPageExtractor"],
  "label/features/page/place": ["createPlaces"],
  "label/features/page/path-bags": ["createPaths"],
  "label/features/page/line-groups": ["createLineGroups"],
  "label/features/windows": ["createWorkspace", "featureWindows"],
  "label/network/pool": ["createPagePool"],
  "label/network/engines": ["chooseEngine"],
  "label/network/session": ["openModel"],
  "label/page/page-folder": ["loadPageModel", "createPageLabeller"],
};

export function loadInternals(): Promise<Internals> {
  return loadFrom(PLACES);
}
