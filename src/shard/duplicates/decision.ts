/**
 * Formats and parses decisions: what `merge` leaves out of a shard, and why.
 *
 * `duplicates/<shard>.jsonl.gz` begins with a head, which tells how much follows and so lets a cut file be noticed. Then come, by
 * number, the documents that are copies, each with the one that stays, and the documents that lose lines, each with those lines.
 * Every solver writes the same text, byte for byte, so fields have one order and ids are written as signatures have them.
 */
import type { Copy } from "../../filter/duplicates/document-memory.js";
import { toFields } from "../../json.js";

/** What was asked for. */
export interface Wishes {
  readonly documents: "none" | "exact" | "near";
  /** In how many documents a line stays; in all where it is undefined. */
  readonly lines?: number;
}

interface Head {
  readonly shard: string;
  readonly wishes: Wishes;
  /** The SHA-256 of the signatures that were read, unpacked. */
  readonly signatures: string;
  /** Documents of the shard. */
  readonly documents: number;
  /** Those that are copies of others. */
  readonly copies: number;
  /** Those that stay without some of their lines. */
  readonly stripped: number;
}

/** A line that goes: its place among the document's signed lines, and in its text. */
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
    throw new Error("its head is not complete");
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
    throw new Error("a decision names no document that stays");
  return { number, place, copy: { of: id, ...(typeof equal === "number" && { equal }) } };
}

function isDroppedLine(value: unknown): value is DroppedLine {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === "number");
}
