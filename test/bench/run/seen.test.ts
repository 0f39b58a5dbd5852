/** Tests that no system is measured on documents that its model trained on, if a corpus requires that. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { digestLines } from "../../../bench/corpora/trained.js";
import { measure } from "../../../bench/run/run-bench.js";
import { whySeen } from "../../../bench/run/seen.js";
import { makeDocument, makeDocuments, makeFolder, makeGold, makeIo } from "../documents.js";

/** Makes a folder of models with one of this kind, trained on these documents; null for one that does not state them. */
function makeModels(kind: string, numbers: readonly number[] | null): string {
  const models = makeFolder();
  const folder = join(models, `${kind}-9`);
  mkdirSync(folder);
  writeFileSync(join(folder, "model.json"), JSON.stringify({ kind }));
  const documents = numbers?.map((at) => digestLines(makeDocument(at)));
  if (documents) {
    const manifest = { format: "thresher-training-1", documents };
    writeFileSync(join(folder, "training.json"), JSON.stringify(manifest));
  }
  return models;
}

describe("a system whose model trained on documents", () => {
  const documents = makeDocuments(4);

  it("is distinguished from one trained on others, and from one without a model", async () => {
    const models = makeModels("text", [1, 3, 7]);
    const seen = "text-9 was trained on 2 of these documents";
    expect(await whySeen("text", documents, models)).toBe(seen);
    expect(await whySeen("ours:focus=recall", documents, models)).toBe(seen);
    expect(await whySeen(`ours:model=${join(models, "text-9")}`, documents, makeFolder())).toBe(seen);
    expect(await whySeen("text", documents.slice(2, 3), models)).toBeUndefined();
    for (const name of ["rules", "justext-ours", "raw", "fasttext", "ours:labeller=rules"])
      expect(await whySeen(name, documents, models)).toBeUndefined();
  });

  it("includes one that does not say what it trained on", async () => {
    const models = makeModels("text", null);
    expect(await whySeen("text", documents, models)).toBe("text-9 does not say what it was trained on");
  });

  it("has no score on a corpus that requires unseen documents, and says why", async () => {
    const row = ({ id, lang, lines }: (typeof documents)[number]): object => ({ id, lang, lines });
    const goldDir = makeGold("lines/turku-tq/sv.train.jsonl.gz", documents.slice(0, 2).map(row));
    writeFileSync(join(goldDir, "lines", "turku-tq", "sv.dev.jsonl.gz"), gzipSync(""));
    const trained = join(makeModels("text", [1]), "text-9");
    const system = `ours:model=${trained}`;
    const io = makeIo();
    const { results, idle } = await measure(
      { corpora: ["turku-tq-sv"], systems: ["raw", system], gold: goldDir, resamples: 0 },
      io,
    );
    expect(results.corpora[0]?.systems.map((one) => one.system)).toEqual(["raw"]);
    expect(idle).toEqual([`${system}: turku-tq-sv: text-9 was trained on 1 of these documents`]);
    expect(io.said()).toContain(`${system}: not measured: turku-tq-sv`);
  });
});
