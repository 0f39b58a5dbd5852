/** Divides documents into folds so that documents of one host, and near copies, are in the same fold. */
import type { Document } from "../../document.js";
import {
  LEAST_SIMILARITY,
  compareBits,
  signTerms,
  type Signature,
} from "../../filter/duplicates/min-hash.js";
import { readTerms } from "../../filter/terms.js";
import { bareHostOf } from "../../parse-url.js";
import { createRandom, shuffle } from "../../random.js";

export interface Folds {
  /** The fold of each document. */
  readonly of: readonly number[];
  readonly count: number;
  /** Number of groups of documents that belong together. */
  readonly groups: number;
  /** Number of named hosts. */
  readonly hosts: number;
}

const MOST_FOLDS = 5;

/** Makes at most `MOST_FOLDS` folds, the same ones for the same seed. */
export function partIntoFolds(documents: readonly Document[], seed: number): Folds {
  const hosts = documents.map(({ url }) => bareHostOf(url));
  const groupOf = joinGroups(documents, hosts);
  const members = new Map<number, number[]>();
  for (const [at, group] of groupOf.entries()) members.set(group, [...(members.get(group) ?? []), at]);
  const count = Math.min(MOST_FOLDS, members.size);
  const sizes = new Array<number>(count).fill(0);
  const of = new Array<number>(documents.length).fill(0);
  // The largest groups first, the others in random order, each into the smallest fold.
  const order = shuffle([...members.values()], createRandom(seed)).sort((a, b) => b.length - a.length);
  for (const group of order) {
    const fold = sizes.indexOf(Math.min(...sizes));
    sizes[fold] = (sizes[fold] ?? 0) + group.length;
    for (const at of group) of[at] = fold;
  }
  return { of, count, groups: members.size, hosts: new Set(hosts.filter((host) => host !== "")).size };
}

/**
 * Returns the group of each document: its own number, or that of an earlier document of the same host or with nearly
 * the same text.
 */
function joinGroups(documents: readonly Document[], hosts: readonly string[]): number[] {
  const parents = documents.map((_, at) => at);
  const find = (at: number): number => {
    let top = at;
    while (parents[top] !== top) top = parents[top] ?? top;
    return top;
  };
  const join = (one: number, other: number): void => {
    const [low, high] = [find(one), find(other)].sort((a, b) => a - b);
    if (low !== undefined && high !== undefined) parents[high] = low;
  };
  const ofHost = new Map<string, number>();
  const ofBand = new Map<string, { readonly at: number; readonly signature: Signature }>();
  for (const [at, { lines }] of documents.entries()) {
    const host = hosts[at] ?? "";
    const known = ofHost.get(host);
    if (host !== "" && known !== undefined) join(known, at);
    else ofHost.set(host, at);
    const signature = signTerms(readTerms(lines.map(({ text }) => text)));
    for (const [band, key] of signature?.bands.entries() ?? []) {
      const name = `${band}:${Buffer.from(key).toString("base64")}`;
      const other = ofBand.get(name);
      if (signature === undefined) continue;
      if (other === undefined) ofBand.set(name, { at, signature });
      else if (compareBits(other.signature.bits, signature.bits) >= LEAST_SIMILARITY) join(other.at, at);
    }
  }
  return parents.map((_, at) => find(at));
}
