/**
 * Formats and parses decisions: which documents and lines `merge` leaves out of a shard, and why.
 *
 * `duplicates/<shard>.jsonl.gz` begins with a header line, which states how many decisions follow, so that a truncated
 * file is detected. Then come, sorted by document number, the documents that are copies, each with the document that
 * stays, and the documents that lose lines, each with those lines. Every solver writes the same text, byte for byte, so
 * fields have a fixed order and ids are written as in the signatures.
 */
import type { Copy } from "../../filter/duplicates/document-memory.js";
import { toFields } from "../../json.js";

/** The requested kinds of duplicate detection. */
export interface Wishes {
  readonly documents: "none" | "exact" | "near";
  /** In how many documents a line may stay; unlimited when undefined. */
  readonly lines?: number;
}

interface Head {
  readonly shard: string;
  readonly wishes: Wishes;
  /** The SHA-256 of the unpacked signatures that were read. */
  readonly signatures: string;
  /** Number of documents of the shard. */
  readonly documents: number;
  /** Number of documents that are copies of others. */
  readonly copies: number;
  /** Number of documents that stay but lose lines. */
  readonly stripped: number;
}

/** A removed line: its index among the document's signed lines, and the row in the document's text. */
export type DroppedLine = readonly [at: number, row: number];

export type Decision =
  | {
      readonly number: number;
      readonly copy: Copy;
      /** "<shard>:<number>" of the document that stays. */
      readonly place: string;
    }
  | { readonly number: number; readonly dropped: readonly DroppedLine[] };

const VERSION = 1;

export function formatHead({ shard, wishes, signatures, documents, copies, stripped }: Head): string {
  const head = {
    ...{ duplicates: VERSION, shard, dedup: wishes.documents, lines: wishes.lines ?? null },
    ...{ signatures, documents, copies, stripped },
  };
  return `${JSON.stringify(head)}\n`;
}

export function formatDecision(decision: Decision): string {
  if ("dropped" in decision)
    return `${JSON.stringify({ number: decision.number, drop: decision.dropped })}\n`;
  const { number, copy, place } = decision;
  const reason = copy.equal === undefined ? "duplicate" : "near-duplicate";
  return `${JSON.stringify({ number, reason, of: place, id: copy.of, equal: copy.equal })}\n`;
}

/** Throws an error that says what is wrong with the line. */
export function parseHead(json: string): Head {
  const { duplicates, shard, dedup, lines, signatures, documents, copies, stripped } = toFields(
    JSON.parse(json),
  );
  if (duplicates !== VERSION) throw new Error("it does not begin with a head of this version");
  const isKnown = dedup === "none" || dedup === "exact" || dedup === "near";
  if (typeof shard !== "string" || typeof signatures !== "string" || !isKnown)
    throw new Error("its head is incomplete");
  if (typeof documents !== "number" || typeof copies !== "number" || typeof stripped !== "number")
    throw new Error("its head has no counts");
  return {
    shard,
    wishes: { documents: dedup, ...(typeof lines === "number" && { lines }) },
    ...{ signatures, documents, copies, stripped },
  };
}

/** Throws an error that says what is wrong with the line. */
export function parseDecision(json: string): Decision {
  const { number, of: place, id, equal, drop } = toFields(JSON.parse(json));
  if (typeof number !== "number") throw new Error("a decision names no document");
  if (Array.isArray(drop) && drop.every(isDroppedLine)) return { number, dropped: drop };
  if (typeof place !== "string" || typeof id !== "string")
    throw new Error("a decision does not name the document that is kept");
  return { number, place, copy: { of: id, ...(typeof equal === "number" && { equal }) } };
}

function isDroppedLine(value: unknown): value is DroppedLine {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === "number");
}
