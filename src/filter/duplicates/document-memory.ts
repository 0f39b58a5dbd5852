/**
 * Remembers the documents that a run kept, and finds their copies among later ones.
 *
 * First come, first kept: a document is compared with those that were kept before it, so the outcome depends on the order
 * of the input and on nothing else, and a reject names a document that is in the output. Chains do not grow: where B is
 * like A and C is like B but not like A, C stays.
 *
 * A million kept documents take some 100 MB (exact) or 750 MB (near) of table and log. What does not fit into the
 * memory that it may use lies in temporary files, at .2 ms a document at most as long as the system's cache holds them.
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

/** What is compared and kept of a document. */
export interface Trace {
  readonly id: string;
  readonly exact: Uint8Array | undefined;
  readonly near: Signature | undefined;
}

/** What a document is a copy of. */
export interface Copy {
  /** The document that was kept. */
  readonly of: string;
  /** In how many values their signatures agree; absent where the texts are the same. */
  readonly equal?: number;
}

interface DocumentMemory {
  judge(trace: Trace): Verdict;
  /** Undefined where the document is no copy. */
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

  /** The kept document that is most like this one, by the bands that they share. */
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
      // The first document of a band stays, so that what is found does not depend on how much came between.
      for (const band of signature?.bands ?? []) if (near?.get(band) === undefined) near?.set(band, offset);
    },
    close() {
      for (const part of [exact, near, log]) part?.close();
    },
  };
}

/** Reads of a document what finds its copies. Signing its terms takes time, so it is done only where that is asked. */
export function traceDocument(kept: Kept, which: "exact" | "near"): Trace {
  return {
    id: kept.document.id,
    exact: digestText(kept.lines.map(({ text }) => text)),
    near: which === "near" ? signTerms(kept.terms) : undefined,
  };
}

/** The verdict on a copy, in the words of its reject. */
export function refuseCopy({ of, equal }: Copy): Refusal {
  if (equal === undefined) return { keep: false, reason: "duplicate", detail: `of ${of}`, of };
  const detail = `of ${of}, similarity about ${toSimilarity(equal).toFixed(2)}`;
  return { keep: false, reason: "near-duplicate", detail, of };
}
