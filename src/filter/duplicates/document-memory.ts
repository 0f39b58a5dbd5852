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
import { KEEP, type Verdict } from "../filter.js";
import { openLog, type Budget } from "./byte-store.js";
import { digestText, openTable } from "./digest-table.js";
import { compareBits, LEAST_SIMILARITY, SIGNATURE_BYTES, signTerms, type Signature } from "./min-hash.js";

/** What is compared and kept of a document. */
export interface Trace {
  readonly id: string;
  readonly exact: Uint8Array | undefined;
  readonly near: Signature | undefined;
}

interface DocumentMemory {
  trace(kept: Kept): Trace;
  judge(trace: Trace): Verdict;
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
  const findNear = ({ bits, bands }: Signature): { id: string; similarity: number } | undefined => {
    let best: { readonly id: string; readonly similarity: number } | undefined;
    const compared = new Set<number>();
    for (const band of bands) {
      const offset = near?.get(band);
      if (offset === undefined || compared.has(offset)) continue;
      compared.add(offset);
      const entry = log.read(offset);
      const similarity = compareBits(bits, entry.subarray(0, bits.length));
      if (similarity >= LEAST_SIMILARITY && similarity > (best?.similarity ?? 0))
        best = { id: entry.toString("utf8", bits.length), similarity };
    }
    return best;
  };

  return {
    trace: (kept) => ({
      id: kept.document.id,
      exact: digestText(kept.lines.map(({ text }) => text)),
      // Reading the terms takes time, so it is done only for signatures.
      near: near === undefined ? undefined : signTerms(kept.terms),
    }),
    judge(trace) {
      const offset = trace.exact === undefined ? undefined : exact.get(trace.exact);
      if (offset !== undefined) {
        const start = near === undefined ? 0 : SIGNATURE_BYTES;
        return { keep: false, reason: "duplicate", detail: `of ${log.read(offset).toString("utf8", start)}` };
      }
      const found = trace.near === undefined ? undefined : findNear(trace.near);
      if (found === undefined) return KEEP;
      const detail = `of ${found.id}, similarity about ${found.similarity.toFixed(2)}`;
      return { keep: false, reason: "near-duplicate", detail };
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
