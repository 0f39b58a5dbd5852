/** Loads the internals of the package that compute signatures of documents. */
import { loadFrom, type Places } from "../../systems/internals.js";

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

const PLACES: Places<Internals> = {
  "filter/duplicates/min-hash": ["signTerms"],
  "filter/duplicates/digest-table": ["digestLine"],
  "shard/duplicates/signature": ["formatSignature"],
  "shard/plan/manifest": ["nameShard", "formatRow"],
};

export function loadInternals(): Promise<Internals> {
  return loadFrom(PLACES);
}
