/**
 * Compares the decisions on a job of `make-job` with exact Jaccard similarities on a sample, and with the theory of
 * MinHash.
 * `node dist/bench/lab/duplicates/judge.js FOLDER [--sample 40000]`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { layOut } from "../../report/markdown-table.js";
import { compareRuns, makeDocument } from "./made-documents.js";
import { isMain } from "../is-main.js";

/** The same values as in src/filter/duplicates/min-hash.ts. */
const BANDS = 14;
const VALUES_A_BAND = 8;
/** Pairs below this similarity count as different when precision is computed. */
const LEAST_SIMILARITY = 0.72;
const STEP = 0.05;

interface Decision {
  readonly number: number;
  readonly reason?: string;
  readonly id: string;
}

/** Maps each dropped document to the document that stays instead. */
function readDecisions(folder: string): { readonly owners: Map<number, number>; readonly documents: number } {
  const owners = new Map<number, number>();
  let from = 0;
  for (const row of readFileSync(join(folder, "manifest.jsonl"), "utf8").trimEnd().split("\n")) {
    const { shard } = JSON.parse(row) as { shard: string };
    const text = gunzipSync(readFileSync(join(folder, "duplicates", `${shard}.jsonl.gz`))).toString();
    const [head = "", ...lines] = text.trimEnd().split("\n");
    for (const line of lines) {
      const { number, reason, id } = JSON.parse(line) as Decision;
      if (reason !== undefined) owners.set(from + number, Number(id.slice("made:".length)));
    }
    from += (JSON.parse(head) as { documents: number }).documents;
  }
  return { owners, documents: from };
}

interface Tally {
  pairs: number;
  found: number;
  similarity: number;
  theory: number;
}

/** Formats a table of recall by similarity, and the share of dropped documents that are similar, both on a sample. */
function judge(folder: string, sample: number): string {
  const { owners, documents } = readDecisions(folder);
  const tallies = new Map<number, Tally>();
  let planted = 0;
  let dropped = 0;
  const alike = { least: 0, half: 0, planted: 0 };
  const step = Math.max(1, Math.floor(documents / sample));
  for (let number = documents - 1; number >= 0; number -= step) {
    const { words, of } = makeDocument(number);
    const owner = owners.get(number);
    if (owner !== undefined) {
      dropped += 1;
      const similarity = compareRuns(words, makeDocument(owner).words);
      if (similarity >= LEAST_SIMILARITY) alike.least += 1;
      if (similarity >= 0.5) alike.half += 1;
      if (of !== undefined && (owner === of || makeDocument(owner).of === of)) alike.planted += 1;
    }
    if (of === undefined) continue;
    planted += 1;
    const similarity = compareRuns(words, makeDocument(of).words);
    const key = Math.min(1, Math.floor(similarity / STEP + 1e-9) * STEP);
    const tally = tallies.get(key) ?? { pairs: 0, found: 0, similarity: 0, theory: 0 };
    tallies.set(key, tally);
    tally.pairs += 1;
    tally.similarity += similarity;
    tally.theory += 1 - (1 - similarity ** VALUES_A_BAND) ** BANDS;
    if (owner !== undefined) tally.found += 1;
  }
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  const rows = [...tallies]
    .sort(([a], [b]) => a - b)
    .map(([, { pairs, found, similarity, theory }]) => [
      (similarity / pairs).toFixed(3),
      String(pairs),
      percent(found / pairs),
      percent(theory / pairs),
    ]);
  const table = layOut(["Jaccard, mean", "pairs", "dropped", "share a band, by theory"], rows);
  return [
    `${documents} documents; ${planted} copies and ${dropped} dropped ones in the sample`,
    table,
    `of what was dropped, ${percent(alike.planted / dropped)} is a made copy, ${percent(alike.least / dropped)} has a` +
      ` Jaccard similarity of ${LEAST_SIMILARITY} to the document that is kept, ${percent(alike.half / dropped)} one of .5`,
  ].join("\n");
}

if (isMain(import.meta.url)) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { sample: { type: "string", default: "40000" } },
  });
  process.stdout.write(`${judge(positionals[0] ?? "out/duplicates", Number(values.sample))}\n`);
}
