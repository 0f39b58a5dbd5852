/**
 * Finds the duplicates of a corpus on one machine, in one pass over the signatures of all shards in the order of the
 * manifest.
 *
 * It works like `--dedup` and `--dedup-lines`, on digests instead of texts and with the same tables: the first copy is
 * kept. The result therefore depends only on the order of the documents in the manifest, not on the number of shards.
 * The tables use the given memory, and disk beyond it; besides them, only the decisions on one shard are in memory.
 */
import { createBudget } from "../../filter/duplicates/byte-store.js";
import { openDocumentMemory, type Copy } from "../../filter/duplicates/document-memory.js";
import { openLineMemory } from "../../filter/duplicates/line-memory.js";
import type { Decision, DroppedLine, Wishes } from "./decision.js";
import type { DocumentSignature } from "./signature.js";

interface SolveOptions {
  readonly wishes: Wishes;
  readonly memoryBytes: number;
}

export interface Solver {
  /** The decision on the next document, which belongs to `shard`; undefined when it stays unchanged. */
  decide(shard: string, signature: DocumentSignature): Decision | undefined;
  close(): void;
}

export function openSolver({ wishes, memoryBytes }: SolveOptions): Solver {
  const budget = createBudget(memoryBytes);
  const documents = wishes.documents === "none" ? undefined : openDocumentMemory(wishes.documents, budget);
  const lines = wishes.lines === undefined ? undefined : openLineMemory(wishes.lines, budget);
  return {
    decide(shard, signature) {
      const { number, id, exact, near } = signature;
      const found = documents?.find({ id, exact, near });
      if (found !== undefined) return { number, ...splitName(found) };
      documents?.add({ id: `${shard}:${number} ${id}`, exact, near });
      if (lines === undefined) return undefined;
      const dropped: DroppedLine[] = [];
      for (const [at, line] of signature.lines.entries())
        if (lines.isFull(line)) dropped.push([at, signature.rows[at] ?? 0]);
      lines.add(distinct(signature.lines));
      return dropped.length === 0 ? undefined : { number, dropped };
    },
    close() {
      documents?.close();
      lines?.close();
    },
  };
}

/** Splits the remembered name of a document into its place and its id. */
function splitName({ of, ...rest }: Copy): { readonly place: string; readonly copy: Copy } {
  const space = of.indexOf(" ");
  return { place: of.slice(0, space), copy: { ...rest, of: of.slice(space + 1) } };
}

/** Returns each digest once, because repeats of a line within one document do not count. */
function distinct(lines: readonly Uint8Array[]): Uint8Array[] {
  return [...new Map(lines.map((line) => [Buffer.from(line).toString("latin1"), line])).values()];
}
