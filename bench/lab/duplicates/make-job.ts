/**
 * Makes a job whose shards are done, with the signatures of made-up documents, as input for `thresher shard dedup` and
 * its Spark job.
 * `node dist/bench/lab/duplicates/make-job.js FOLDER [--documents 1000000] [--shards 20]`.
 */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { loadInternals, type Internals } from "./internals.js";
import { makeDocument } from "./made-documents.js";
import { isMain } from "../is-main.js";

const FINGERPRINT = "0123456789abcdef";
/** Lines of the document's own words; each document also has two of the lines that many documents share. */
const OWN_LINES = 10;
const SHARED_LINES = 2000;

async function makeJob(folder: string, documents: number, shards: number): Promise<void> {
  const internals = await loadInternals();
  for (const name of ["signatures", "receipts", "_tmp"]) mkdirSync(join(folder, name), { recursive: true });
  let manifest = "";
  let bytes = 0;
  for (let index = 0; index < shards; index += 1) {
    const inputs = [{ uri: `part-${index}.jsonl`, bytes: 1, etag: "1", offset: 0, length: null }];
    const shard = internals.nameShard(index, inputs);
    manifest += internals.formatRow({ shard, inputs });
    const from = Math.floor((documents * index) / shards);
    const to = Math.floor((documents * (index + 1)) / shards);
    bytes += writeShard(folder, { shard, from, to }, internals);
  }
  writeFileSync(join(folder, "manifest.jsonl"), manifest);
  const job = {
    ...{ contract: 1, version: "0", fingerprint: FINGERPRINT, pipeline: "", options: {}, root: folder },
    ...{ shards, bytes, manifest: sha256(manifest) },
  };
  writeFileSync(join(folder, "job.json"), `${JSON.stringify(job)}\n`);
  process.stdout.write(`${JSON.stringify({ documents, shards, packedBytes: bytes })}\n`);
}

interface Part {
  readonly shard: string;
  readonly from: number;
  readonly to: number;
}

/** Returns the size of the signature file in bytes. */
function writeShard(folder: string, { shard, from, to }: Part, internals: Internals): number {
  const plain: string[] = [];
  for (let number = from; number < to; number += 1) plain.push(sign(number, from, internals));
  const text = plain.join("");
  const packed = gzipSync(text);
  const file = `signatures/${shard}.jsonl.gz`;
  writeFileSync(join(folder, file), packed);
  const facts = {
    ...{ file, records: to - from },
    ...{ bytes: packed.length, plainBytes: text.length, sha256: sha256(text) },
  };
  const receipt = {
    shard,
    fingerprint: FINGERPRINT,
    in: to - from,
    out: to - from,
    sha256: "",
    signatures: facts,
  };
  writeFileSync(join(folder, "receipts", `${shard}.json`), JSON.stringify(receipt));
  return packed.length;
}

function sign(number: number, from: number, internals: Internals): string {
  const { words } = makeDocument(number);
  const lines = Array.from({ length: OWN_LINES }, (_, at) => words.subarray(at * 12, at * 12 + 12).join(" "));
  lines.unshift(
    `menu ${Math.floor(SHARED_LINES ** ((number % 997) / 997))}`,
    `foot ${number % SHARED_LINES}`,
  );
  const digest = createHash("sha256").update(new Uint8Array(words.buffer)).digest();
  return internals.formatSignature({
    number: number - from,
    id: `made:${number}`,
    exact: digest.subarray(0, 10),
    near: internals.signTerms({ count: words.length, hashes: words }),
    lines: lines.map((line) => internals.digestLine(line)),
    rows: lines.map((_, row) => row),
  });
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

if (isMain(import.meta.url)) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      documents: { type: "string", default: "1000000" },
      shards: { type: "string", default: "20" },
    },
  });
  await makeJob(positionals[0] ?? "out/duplicates", Number(values.documents), Number(values.shards));
}
