/** Loads the parts of the `texrex` labeller, and of what comes before it, that only this measurement needs from outside. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "../../systems/root.js";

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

const FILES: Readonly<Record<keyof Internals, string>> = {
  parseQuickly: "parse/quick-tree",
  createPageExtractor: "extract/body",
  countMarkup: "extract/markup",
  describeLines: "label/papers/texrex/texrex-features",
  runNetwork: "label/papers/texrex/texrex-model",
  loadTexrexModel: "label/papers/texrex/texrex-model",
  createTexrexLabeller: "label/papers/texrex/texrex-labeller",
};

/** From the compiled package: these are no part of its public interface. */
export async function loadInternals(): Promise<Internals> {
  const load = async (file: string): Promise<object> =>
    (await import(pathToFileURL(join(ROOT, "dist", `${file}.js`)).href)) as object; // a module is an object
  const internals = Object.assign({}, ...(await Promise.all(Object.values(FILES).map(load)))) as Internals; // checked below
  for (const name of Object.keys(FILES))
    if (typeof (internals as unknown as Readonly<Record<string, unknown>>)[name] !== "function")
      // any key may be asked for
      throw new Error(`the package has no ${name} where it was`);
  return internals;
}
