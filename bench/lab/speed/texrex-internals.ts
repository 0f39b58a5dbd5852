/** Loads the parts of the `texrex` labeller, and of what comes before it, that only this measurement needs from outside. */
import { loadFrom, type Places } from "../../systems/internals.js";

/** Handed from one part to the next; it is not looked into here. */
type Opaque = object;

export interface Lines {
  readonly lines: readonly Opaque[];
  readonly markup?: Opaque;
}

interface Network {
  readonly weights: Float32Array;
}

/** As in the package's files. */
export interface Internals {
  parseQuickly(page: { readonly id: string; readonly url: string; readonly html: string }): Opaque;
  createPageExtractor(): { extract(page: Opaque): { readonly ok: boolean; readonly value?: Lines } };
  countMarkup(document: Lines, html: string): Lines;
  describeLines(lines: readonly Opaque[], markup?: Opaque): Float32Array;
  runNetwork(weights: Float32Array, rows: Float32Array): Float32Array;
  loadTexrexModel(folder: string): { readonly page: Network };
  createTexrexLabeller(options: { readonly focus: "balanced"; readonly modelDir?: string }): {
    label(batch: readonly Lines[]): Promise<readonly Opaque[]>;
    close(): Promise<void>;
  };
}

const PLACES: Places<Internals> = {
  "parse/quick-tree": ["parseQuickly"],
  "extract/body": ["createPageExtractor"],
  "extract/markup": ["countMarkup"],
  "label/papers/texrex/texrex-features": ["describeLines"],
  "label/papers/texrex/texrex-model": ["runNetwork", "loadTexrexModel"],
  "label/papers/texrex/texrex-labeller": ["createTexrexLabeller"],
};

export function loadInternals(): Promise<Internals> {
  return loadFrom(PLACES);
}
