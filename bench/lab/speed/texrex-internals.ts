/** Loads the internals of the `texrex` labeller, and of the steps before it, that only this measurement uses. */
import { loadFrom, type Places } from "../../systems/internals.js";

/** Passed from one function to the next; this code does not read it. */
type Opaque = object;

export interface Lines {
  readonly lines: readonly Opaque[];
  readonly markup?: Opaque;
}

interface Network {
  readonly weights: Float32Array;
}

/** Mirrors the functions in the package's files. */
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
