/** The light tree of the package and the functions behind it, which only this comparison needs from outside. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "../systems/root.js";

/** As in the package's `tree.ts`. */
export interface LightText {
  readonly kind: "text";
  value: string;
  parent: LightElement | null;
  start: number;
  end: number;
}

export interface LightElement {
  readonly kind: "element";
  readonly tag: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly namespace: "html" | "svg" | "mathml";
  parent: LightElement | null;
  readonly children: (LightText | LightElement)[];
}

export interface LightPage {
  readonly id: string;
  readonly url: string;
  readonly html: string;
  readonly root: LightElement;
  readonly elements: number;
  readonly depth: number;
  readonly notes: readonly string[];
}

type Parse = (page: Pick<LightPage, "id" | "url" | "html">) => LightPage;

export interface Internals {
  readonly parseHtml: Parse;
  readonly parseQuickly: Parse;
  readonly walkLines: (page: LightPage) => readonly { readonly text: string }[];
}

/** From the compiled package: these are no part of its public interface. */
export async function loadInternals(): Promise<Internals> {
  const load = async (file: string): Promise<object> =>
    (await import(pathToFileURL(join(ROOT, "dist", file)).href)) as object; // a module is an object
  const files = ["parse/tree.js", "parse/quick-tree.js", "extract/blocks.js"];
  const internals = Object.assign({}, ...(await Promise.all(files.map(load)))) as Partial<Internals>; // checked below
  const { parseHtml, parseQuickly, walkLines } = internals;
  if (parseHtml === undefined || parseQuickly === undefined || walkLines === undefined)
    throw new Error("the package has no parseHtml, parseQuickly or walkLines where they were");
  return { parseHtml, parseQuickly, walkLines };
}
