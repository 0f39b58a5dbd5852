/** Loads the functions behind the package's light tree that only this comparison uses. */
// Imports the built declarations, because the benchmark is compiled without the sources.
import type { ParsedPage } from "../../../dist/document/tree.js";
import { loadFrom, type Places } from "../../systems/internals.js";

type Parse = (page: Pick<ParsedPage, "id" | "url" | "html">) => ParsedPage;

export interface Internals {
  readonly parseHtml: Parse;
  readonly parseQuickly: Parse;
  readonly walkLines: (page: ParsedPage) => readonly { readonly text: string }[];
}

const PLACES: Places<Internals> = {
  "parse/standard-tree": ["parseHtml"],
  "parse/quick-tree": ["parseQuickly"],
  "extract/lines/walk": ["walkLines"],
};

export function loadInternals(): Promise<Internals> {
  return loadFrom(PLACES);
}
