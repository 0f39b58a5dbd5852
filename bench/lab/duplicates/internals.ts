/** Loads the parts of the package that sign documents; they are no part of its public interface. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "../../systems/root.js";

interface Signature {
  readonly number: number;
  readonly id: string;
  readonly exact: Uint8Array;
  readonly near: object | undefined;
  readonly lines: readonly Uint8Array[];
  readonly rows: readonly number[];
}

export interface Internals {
  signTerms(terms: { readonly count: number; readonly hashes: Uint32Array }): object | undefined;
  digestLine(line: string): Uint8Array;
  formatSignature(signature: Signature): string;
  nameShard(index: number, inputs: readonly object[]): string;
  formatRow(row: { readonly shard: string; readonly inputs: readonly object[] }): string;
}

const FILES = [
  "filter/duplicates/min-hash",
  "filter/duplicates/digest-table",
  "shard/duplicates/signature",
  "shard/manifest",
];

export async function loadInternals(): Promise<Internals> {
  const parts: Partial<Internals>[] = [];
  for (const file of FILES)
    parts.push(
      // The functions that `Internals` lists are in these files.
      (await import(pathToFileURL(join(ROOT, "dist", `${file}.js`)).href)) as Partial<Internals>,
    );
  return Object.assign({}, ...parts) as Internals;
}
