/** Applies the decisions on duplicates to the text of a shard: keeps documents, removes lines, or rejects. */
import { refuseCopy } from "../../filter/duplicates/document-memory.js";
import { formatJson, parseJson, toFields } from "../../json.js";
import { reject, type Reject } from "../../outcome.js";
import { BadShard, TryAgain } from "../attempt/failures.js";
import { readOutput, unpackLines } from "../read-output.js";
import type { Receipt } from "../receipt.js";
import type { Store } from "../store/store.js";
import { parseDecision, parseHead, type Decision } from "./decision.js";
import { nameDecisions, type DuplicatesNote } from "./dedup.js";
import { stripRecord } from "./strip-record.js";
import { messageOf } from "../../thrown.js";

export type DecidedShard = Pick<Receipt, "shard" | "text" | "signatures">;

/** A document after the decisions: its record, or its reject. */
export type Decided = { readonly line: string } | { readonly reject: Reject };

/**
 * Yields all documents of a shard in order. Throws BadShard when the decisions are damaged, and TryAgain when they are
 * out of date.
 */
export async function* readDecided(
  store: Store,
  shard: DecidedShard,
  note: DuplicatesNote,
): AsyncGenerator<Decided> {
  const decisions = await readDecisions(store, shard, note);
  let number = 0;
  for await (const line of readOutput(store, shard.text)) {
    const decision = decisions.get(number);
    yield decision === undefined ? { line } : apply(line, decision);
    number += 1;
  }
}

const EMPTIED = "every line occurs in many earlier documents";

function apply(line: string, decision: Decision): Decided {
  const record = toFields(parseJson(line));
  const { id, url } = record;
  const of = { id: String(id), url: String(url) };
  if ("copy" in decision) {
    const { reason, detail } = refuseCopy(decision.copy);
    return { reject: reject(of, "filter", reason, detail) };
  }
  const left = stripRecord(record, decision.dropped);
  return left === undefined
    ? { reject: reject(of, "filter", "duplicate", EMPTIED) }
    : { line: formatJson(left) };
}

/** Reads the decisions on one shard into memory. */
async function readDecisions(
  store: Store,
  { shard, text, signatures }: DecidedShard,
  note: DuplicatesNote,
): Promise<Map<number, Decision>> {
  const file = nameDecisions(shard);
  const decisions = new Map<number, Decision>();
  let head: ReturnType<typeof parseHead> | undefined;
  let copies = 0;
  const outdated = (): Error => new TryAgain(`${file} is out of date; run thresher shard dedup again`);
  for await (const line of unpackLines(store, file, outdated))
    try {
      if (head === undefined) head = parseHead(line);
      else {
        const decision = parseDecision(line);
        decisions.set(decision.number, decision);
        if ("copy" in decision) copies += 1;
      }
    } catch (cause) {
      throw new BadShard(`${file} is damaged: ${messageOf(cause)}; run thresher shard dedup again`, {
        cause,
      });
    }
  if (head?.shard !== shard || copies !== head.copies || decisions.size !== copies + head.stripped)
    throw new BadShard(`${file} is damaged: it is incomplete; run thresher shard dedup again`);
  const isOfNote = head.wishes.documents === note.dedup && (head.wishes.lines ?? null) === note.lines;
  if (head.signatures !== signatures?.sha256 || head.documents !== text.records || !isOfNote)
    throw outdated();
  return decisions;
}
