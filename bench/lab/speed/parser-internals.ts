/** Loads the functions behind the package's light tree that only this comparison needs from outside. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
// Its declarations: the sources are outside of what the benchmark is compiled from.
import type { ParsedPage } from "../../../dist/tree.js";
import { ROOT } from "../../systems/root.js";

type Parse = (page: Pick<ParsedPage, "id" | "url" | "html">) => ParsedPage;

export interface Internals {
  readonly parseHtml: Parse;
  readonly parseQuickly: Parse;
  readonly walkLines: (page: ParsedPage) => readonly { readonly text: string }[];
}

/** From the compiled package: these are no part of its public interface. */
export async function loadInternals(): Promise<Internals> {
  const load = async (file: string): Promise<object> =>
    (await import(pathToFileURL(join(ROOT, "dist", file)).href)) as object; // a module is an object
  const files = ["parse/standard-tree.js", "parse/quick-tree.js", "extract/lines/walk.js"];
  const internals = Object.assign({}, ...(await Promise.all(files.map(load)))) as Partial<Internals>; // checked below
  const { parseHtml, parseQuickly, walkLines } = internals;
  if (parseHtml === undefined || parseQuickly === undefined || walkLines === undefined)
    throw new Error("the package has no parseHtml, parseQuickly or walkLines where they were");
  return { parseHtml, parseQuickly, walkLines };
}
