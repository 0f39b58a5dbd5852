/**
 * Labels lines that many kept documents share as boilerplate, with the reason `corpus-duplicate`.
 *
 * It works in one pass, since a pipe cannot be read twice: a line is content in the first N documents that have it, and
 * boilerplate in all later ones. So N copies of it are kept for any number of workers, and the same input in the same
 * order gives the same text. Several copies in one document count once, and lines of rejected documents do not count.
 * Verbatim text (`pre`) is left alone, because it would lose its braces.
 */
import type { Document, LabelledLine } from "../../document.js";
import type { Budget } from "./byte-store.js";
import { digest, digestLine, normalise, openTable } from "./digest-table.js";

export const WHY_CORPUS_DUPLICATE = "corpus-duplicate";

interface LineMemory {
  /** Labels lines that too many earlier documents had as boilerplate; returns the same document if no line changes. */
  strip(document: Document<LabelledLine>): Document<LabelledLine>;
  /** Whether so many documents have had the line that it is boilerplate in all later ones. */
  isFull(line: Uint8Array): boolean;
  /** Returns the digests of the lines of a document as it was before `strip`, each once. */
  trace(document: Document<LabelledLine>): readonly Uint8Array[];
  /** Counts the lines of a document that is kept. */
  add(lines: readonly Uint8Array[]): void;
  close(): void;
}

/** Opens an empty memory; a line is content in at most `mostDocuments` documents. */
export function openLineMemory(mostDocuments: number, budget: Budget): LineMemory {
  const counts = openTable(budget);
  const isFull = (line: Uint8Array): boolean => (counts.get(line) ?? 0) >= mostDocuments;
  return {
    isFull,
    strip(document) {
      const lines = document.lines.map((line): LabelledLine => {
        if (!isCounted(line) || !isFull(digestLine(line.text))) return line;
        return { ...line, label: "boilerplate", why: WHY_CORPUS_DUPLICATE };
      });
      return lines.every((line, at) => line === document.lines[at]) ? document : { ...document, lines };
    },
    trace(document) {
      const texts = new Set<string>();
      for (const line of document.lines) if (isCounted(line)) texts.add(normalise(line.text));
      return Array.from(texts, digest);
    },
    add(lines) {
      for (const key of lines) {
        const count = counts.get(key) ?? 0;
        // Counts above the limit make no difference.
        if (count < mostDocuments) counts.set(key, count + 1);
      }
    },
    close() {
      counts.close();
    },
  };
}

/** Whether copies of the line are looked for. */
export function isCounted({ label, block, text }: LabelledLine): boolean {
  return label === "content" && block !== "pre" && text.trim() !== "";
}
