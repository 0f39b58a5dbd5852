/** Computes digests of gold documents: of one page, to find it again, and of a whole corpus, to pin what was scored. */
import { createHash, type Hash } from "node:crypto";
import type { GoldDocument } from "./gold.js";

/**
 * Returns the sha256, in hexadecimal digits, of what a system sees: the page, or the texts of the lines. It leaves out
 * labels and names, so the same page has the same digest in two corpora or in a training set.
 */
export function digestDocument(document: GoldDocument): string {
  return createHash("sha256")
    .update(document.html ?? linesOf(document))
    .digest("hex");
}

/**
 * Computes the digest of a corpus as its documents stream by, from their ids, what systems see, and the gold, in order.
 */
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
