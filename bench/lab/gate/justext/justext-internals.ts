/** Loads the parts of the `justext` labeller that only the comparison with jusText needs from outside. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "../../../systems/root.js";

/** As in the package's `label/papers/justext/classify.ts`. */
export interface Paragraph {
  readonly length: number;
  readonly linkChars: number;
  readonly stopShare: number;
  readonly isHeading: boolean;
  readonly hasCopyright: boolean;
  readonly isChoice: boolean;
}

export interface Judged {
  readonly first: "good" | "near-good" | "short" | "bad";
  readonly isContent: boolean;
  readonly why: string;
}

/** What of a line the labeller reads; the records of the public interface have it. */
export interface PlainLine {
  readonly text: string;
  readonly block: string;
  readonly path: string;
  readonly linkChars: number;
}

export interface Internals {
  classify(paragraphs: readonly Paragraph[]): Judged[];
  readParagraphs(lines: readonly PlainLine[], stated?: string): { readonly paragraphs: readonly Paragraph[] };
  readWords(text: string, lists?: ReadonlyMap<string, number>): Uint32Array;
  shareOf(words: Uint32Array, bit: number): number;
}

const FILES = ["classify", "justext-labeller", "stop-lists"];
const NAMES: readonly (keyof Internals)[] = ["classify", "readParagraphs", "readWords", "shareOf"];

/** From the compiled package: these are no part of its public interface. */
export async function loadInternals(): Promise<Internals> {
  const load = async (file: string): Promise<object> =>
    (await import(
      pathToFileURL(join(ROOT, "dist", "label", "papers", "justext", `${file}.js`)).href
    )) as object; // a module is an object
  const internals = Object.assign({}, ...(await Promise.all(FILES.map(load)))) as Internals; // checked below
  const missing = NAMES.filter((name) => typeof internals[name] !== "function");
  if (missing.length > 0) throw new Error(`the package has no ${missing.join(", ")} where it was`);
  return internals;
}
