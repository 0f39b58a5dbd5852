/** Makes corpora with copies of all kinds, and signs them as shards do. */
import { createRandom } from "../../../src/random.js";
import type { Document, LabelledLine } from "../../../src/document.js";
import { signDocument, type DocumentSignature } from "../../../src/shard/duplicates/signature.js";
import { makeDocument, type LineParts } from "../../filter/documents.js";

const VOCABULARY = 2000;
/** Lines that the made-up sites have on all their pages. */
const FURNITURE = ["Sign up for our newsletter", "All rights reserved", "Read more", "Share this page"];

/**
 * Makes documents in random order: new ones, copies, and documents that differ by a few words from an earlier
 * one, which may itself be a copy, so that there are chains. Some have no words, or no text.
 */
export function makeCorpus(count: number, seed: number): Document<LabelledLine>[] {
  const random = createRandom(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const word = (): string => `v${Math.floor(VOCABULARY ** random())}`;
  const made: { readonly words: readonly string[]; readonly lines: readonly LineParts[] }[] = [];
  return Array.from({ length: count }, (_, number) => {
    const chance = made.length === 0 ? 0 : random();
    const earlier = chance < 0.4 ? undefined : pick(made);
    const words = earlier === undefined ? [] : [...earlier.words];
    if (words.length === 0) for (let left = 40 + random() * 120; left > 0; left -= 1) words.push(word());
    else
      for (let left = words.length * random() * 0.035; left > 0; left -= 1)
        words[Math.floor(random() * words.length)] = word();
    const lines: LineParts[] = [];
    for (let at = 0; at < words.length; at += 25)
      lines.push({ text: words.slice(at, at + 25).join(" "), ...(random() < 0.2 && { block: "li" }) });
    for (const text of FURNITURE)
      if (random() < 0.3) lines.splice(Math.floor(random() * lines.length), 0, { text, breakBefore: "line" });
    if (random() < 0.05) lines.push({ text: "Read more\n\n  x = 1", block: "pre" });
    const odd = random();
    const all = odd < 0.01 ? [{ text: "!!" }] : odd < 0.02 ? [] : lines;
    const document = earlier !== undefined && chance > 0.85 ? earlier : { words, lines: all };
    made.push(document);
    return makeDocument(document.lines, { id: `page ${number}/é"\u0001` });
  });
}

export interface Shard {
  readonly shard: string;
  readonly documents: readonly Document<LabelledLine>[];
  readonly signatures: readonly DocumentSignature[];
}

/** Cuts a corpus into this number of shards, whose names state their order. */
export function cutShards(corpus: readonly Document<LabelledLine>[], count: number): Shard[] {
  return Array.from({ length: count }, (_, index) => {
    const from = Math.floor((corpus.length * index) / count);
    const documents = corpus.slice(from, Math.floor((corpus.length * (index + 1)) / count));
    const shard = `${String(index).padStart(5, "0")}-${"0123456789abcdef".slice(index % 8, (index % 8) + 8)}`;
    return { shard, documents, signatures: documents.map(signDocument) };
  });
}
