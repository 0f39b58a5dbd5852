/**
 * Remembers the documents that a run kept, and finds copies of them among later ones.
 *
 * A document is compared only with those that were kept before it, so the outcome depends only on the order of the
 * input, and a reject names a document that is in the output. Copies do not chain: if B is like A, and C is like B but
 * not like A, C is kept.
 *
 * A million kept documents take some 100 MB (exact) or 750 MB (near) of table and log. What exceeds the memory budget
 * is in temporary files, and costs at most .2 ms a document as long as the system's page cache holds them.
 */
import type { Kept } from "../kept-text.js";
import { KEEP, type Refusal, type Verdict } from "../filter.js";
import { openLog, type Budget } from "./byte-store.js";
import { digestText, openTable } from "./digest-table.js";
import {
  countEqual,
  LEAST_SIMILARITY,
  SIGNATURE_BYTES,
  signTerms,
  toSimilarity,
  type Signature,
} from "./min-hash.js";

/** What is compared and remembered of a document. */
export interface Trace {
  readonly id: string;
  readonly exact: Uint8Array | undefined;
  readonly near: Signature | undefined;
}

/** A copy that was found. */
export interface Copy {
  /** The id of the document that was kept. */
  readonly of: string;
  /** The number of equal values in their signatures; undefined if the texts are the same. */
  readonly equal?: number;
}

interface DocumentMemory {
  judge(trace: Trace): Verdict;
  /** Finds the document that this one is a copy of; undefined if it is no copy. */
  find(trace: Trace): Copy | undefined;
  /** Remembers a document that is kept. */
  add(trace: Trace): void;
  close(): void;
}

const NOTHING = new Uint8Array(0);

export function openDocumentMemory(which: "exact" | "near", budget: Budget): DocumentMemory {
  const exact = openTable(budget);
  const near = which === "near" ? openTable(budget) : undefined;
  const log = openLog(budget);

  /** Finds the most similar of the kept documents that share a band with this one. */
  const findNear = ({ bits, bands }: Signature): Copy | undefined => {
    let best: Required<Copy> | undefined;
    const compared = new Set<number>();
    for (const band of bands) {
      const offset = near?.get(band);
      if (offset === undefined || compared.has(offset)) continue;
      compared.add(offset);
      const entry = log.read(offset);
      const equal = countEqual(bits, entry.subarray(0, bits.length));
      if (toSimilarity(equal) >= LEAST_SIMILARITY && equal > (best?.equal ?? 0))
        best = { of: entry.toString("utf8", bits.length), equal };
    }
    return best;
  };
  const find = (trace: Trace): Copy | undefined => {
    const offset = trace.exact === undefined ? undefined : exact.get(trace.exact);
    if (offset !== undefined)
      return { of: log.read(offset).toString("utf8", near === undefined ? 0 : SIGNATURE_BYTES) };
    return trace.near === undefined ? undefined : findNear(trace.near);
  };

  return {
    find,
    judge(trace) {
      const copy = find(trace);
      return copy === undefined ? KEEP : refuseCopy(copy);
    },
    add({ id, exact: key, near: signature }) {
      if (key === undefined) return;
      const bits = near === undefined ? NOTHING : (signature?.bits ?? new Uint8Array(SIGNATURE_BYTES));
      const offset = log.append(Buffer.concat([bits, Buffer.from(id)]));
      exact.set(key, offset);
      // A band keeps its first document, so what is found does not depend on how much came between.
      for (const band of signature?.bands ?? []) if (near?.get(band) === undefined) near?.set(band, offset);
    },
    close() {
      for (const part of [exact, near, log]) part?.close();
    },
  };
}

/** Reads what is needed to find copies of a document. Computing a signature takes time, so only "near" has one. */
export function traceDocument(kept: Kept, which: "exact" | "near"): Trace {
  return {
    id: kept.document.id,
    exact: digestText(kept.lines.map(({ text }) => text)),
    near: which === "near" ? signTerms(kept.terms) : undefined,
  };
}

/** Returns the refusal of a copy, with the detail of its reject. */
export function refuseCopy({ of, equal }: Copy): Refusal {
  if (equal === undefined) return { keep: false, reason: "duplicate", detail: `of ${of}`, of };
  const detail = `of ${of}, similarity about ${toSimilarity(equal).toFixed(2)}`;
  return { keep: false, reason: "near-duplicate", detail, of };
}
