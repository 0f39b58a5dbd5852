/** Reads the list of documents that trained a model, and computes the digest by which that list names a document. */
import { createHash } from "node:crypto";
import type { GoldDocument } from "./gold.js";

/**
 * The contents of `models/<name>/training.json`: `{"format": "thresher-training-1", "documents": [sha256, …]}`. It has
 * one digest for each document that the weights have seen, before the document was cut, disguised or otherwise changed:
 * the sha256 of its line texts joined by "\n", in UTF-8, as 64 hexadecimal digits.
 */
export interface TrainingManifest {
  readonly format: "thresher-training-1";
  readonly documents: readonly string[];
}

/** Returns the digest of a document as `TrainingManifest` defines it; undefined for a document without lines. */
export function digestLines(document: Pick<GoldDocument, "lines">): string | undefined {
  if (document.lines === undefined || document.lines.length === 0) return undefined;
  return createHash("sha256")
    .update(document.lines.map(({ text }) => text).join("\n"))
    .digest("hex");
}

/** Returns the digests of a manifest; undefined if the JSON is not a valid manifest. */
export function parseManifest(json: string): readonly string[] | undefined {
  const manifest = JSON.parse(json) as Partial<TrainingManifest> | null; // checked below
  const documents = manifest?.documents;
  const isManifest =
    manifest?.format === "thresher-training-1" &&
    Array.isArray(documents) &&
    documents.length > 0 &&
    documents.every((digest) => /^[0-9a-f]{64}$/.test(String(digest)));
  return isManifest ? documents : undefined;
}
