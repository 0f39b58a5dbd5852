/** Computes digests of gold documents: of one page, to find it again, and of a corpus, to pin what was scored. */
import { createHash, type Hash } from "node:crypto";
import type { GoldDocument } from "./gold.js";

/**
 * The sha256 of what a system sees: the page, or the lines' texts. Labels and names are not in it, so that the same
 * page in two corpora, or in a training set, has one digest.
 */
export function digestDocument(document: GoldDocument): string {
  return createHash("sha256")
    .update(document.html ?? linesOf(document))
    .digest("hex");
}

/** Collects the digest of a corpus while it streams by: ids, what systems see, and the gold, in order. */
export class CorpusDigest {
  private readonly hash: Hash = createHash("sha256");

  add(document: GoldDocument): void {
    const gold = {
      labels: document.lines?.map(({ label }) => label ?? "?").join(""),
      text: document.text,
      with: document.with,
      without: document.without,
      meta: document.meta,
    };
    for (const part of [document.id, document.html ?? linesOf(document), JSON.stringify(gold)]) {
      this.hash.update(`${Buffer.byteLength(part)}:`).update(part); // the length keeps parts from running together
    }
  }

  hex(): string {
    return this.hash.copy().digest("hex");
  }
}

function linesOf(document: GoldDocument): string {
  return (document.lines ?? []).map(({ text }) => text).join("\n");
}
