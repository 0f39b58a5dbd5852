/** Lays out jobs whose shards are done: manifest, receipts and signatures, as runs of shards leave them. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { nameShard, formatRow } from "../../../src/shard/plan/manifest.js";
import { formatSignature } from "../../../src/shard/duplicates/signature.js";
import type { Shard } from "./corpora.js";

const FINGERPRINT = "0123456789abcdef";

/** Names the shards as `plan` does, and returns their names. */
export function layOut(folder: string, shards: readonly Shard[]): string[] {
  const rows = shards.map((_, index) => {
    // Some readers of lines split them at U+2028 and U+0085, which JSON strings may contain.
    const inputs = [{ uri: `part\u2028\u0085${index}.jsonl`, bytes: 1, etag: "1", offset: 0, length: null }];
    return { shard: nameShard(index, inputs), inputs };
  });
  const manifest = rows.map(formatRow).join("");
  for (const name of ["signatures", "receipts", "_tmp"]) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, "manifest.jsonl"), manifest);
  const job = {
    ...{ contract: 1, version: "0", fingerprint: FINGERPRINT, pipeline: "p", options: {}, root: folder },
    ...{ shards: rows.length, bytes: rows.length, manifest: sha256(manifest) },
  };
  writeFileSync(join(folder, "job.json"), JSON.stringify(job));
  for (const [index, { shard }] of rows.entries()) {
    const plain = shards[index]!.signatures.map(formatSignature).join("");
    const packed = gzipSync(plain);
    const signatures = {
      ...{ file: `signatures/${shard}.jsonl.gz`, records: shards[index]!.signatures.length },
      ...{ bytes: packed.length, plainBytes: plain.length, sha256: sha256(plain) },
    };
    writeFileSync(join(folder, signatures.file), packed);
    const receipt = { shard, fingerprint: FINGERPRINT, in: 1, out: 1, sha256: "0", signatures };
    writeFileSync(join(folder, "receipts", `${shard}.json`), JSON.stringify(receipt));
  }
  return rows.map(({ shard }) => shard);
}

/** Reads the decisions on all shards, decompressed, by shard. */
export function readDecisions(folder: string): Record<string, string> {
  const names = readdirSync(join(folder, "duplicates")).sort();
  return Object.fromEntries(
    names.map((name) => [name, gunzipSync(readFileSync(join(folder, "duplicates", name))).toString()]),
  );
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Rewrites a compressed file with other lines. */
export function repack(path: string, change: (lines: string[]) => string[]): void {
  const lines = gunzipSync(readFileSync(path)).toString().trimEnd().split("\n");
  writeFileSync(
    path,
    gzipSync(
      change(lines)
        .map((line) => `${line}\n`)
        .join(""),
    ),
  );
}
