/** Reads what a model says of the documents that trained it, and names a document as it does. */
import { createHash } from "node:crypto";
import type { GoldDocument } from "./gold.js";

/**
 * `models/<name>/training.json`: `{"format": "thresher-training-1", "documents": [sha256, …]}`, for each document that
 * the weights have seen (before it was cut, disguised or otherwise changed) the digest of its line texts joined by
 * "\n", in UTF-8, as 64 hexadecimal digits.
 */
export interface TrainingManifest {
  readonly format: "thresher-training-1";
  readonly documents: readonly string[];
}

export function digestLines(document: Pick<GoldDocument, "lines">): string | undefined {
  if (document.lines === undefined || document.lines.length === 0) return undefined;
  return createHash("sha256")
    .update(document.lines.map(({ text }) => text).join("\n"))
    .digest("hex");
}

/** The digests of a manifest; undefined where it is none. */
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
