import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { parseLines, thresher } from "../run.js";
import { plan, runAll, writeRecords } from "./job.js";

const LONG_MS = 120_000;
const work = mkdtempSync(join(tmpdir(), "thresher-dataset-"));
const job = join(work, "job");
const corpus = join(work, "a | corpus");
/** `.ci/run` installs the library there; elsewhere `DATASETS_PYTHON` may name a Python that has it. */
const PYTHON = process.env["DATASETS_PYTHON"] ?? join("out", "tools", "bin", "python");
const hasDatasets =
  process.env["CI"] !== undefined ||
  (existsSync(PYTHON) && spawnSync(PYTHON, ["-c", "import datasets"], { timeout: 60_000 }).status === 0);

let texts: Record<string, unknown>[] = [];

beforeAll(async () => {
  const records = writeRecords(join(work, "records.jsonl"), 40);
  const swedish = join(work, "swedish.jsonl");
  const line = "Det här är en text som någon har skrivit för länge sedan, och den är inte särskilt lång. ";
  writeFileSync(
    swedish,
    `${JSON.stringify({ id: "sv", html: `<article><p>${line.repeat(4)}</article>` })}\n`,
  );
  await plan(job, [records, swedish], "--shard-size", "3000", "--min-words", "3", "--identify-lang");
  await runAll(job);
  const merged = join(work, "merged.jsonl");
  expect(await thresher(["shard", "merge", job, "-o", merged])).toMatchObject({ code: 0 });
  texts = parseLines(readFileSync(merged, "utf8"));
  const { code, stderr } = await thresher(["shard", "merge", job, "-o", corpus, "--to", "dataset"]);
  expect(code, stderr).toBe(0);
}, LONG_MS);
afterAll(() => {
  rmSync(work, { recursive: true, force: true });
});

const card = (): string => readFileSync(join(corpus, "README.md"), "utf8");

it("has a card that hubs and people can read", () => {
  const [, head = "", body = ""] = /^---\n(.*?)\n---\n(.*)$/s.exec(card()) ?? [];
  expect(parse(head)).toMatchObject({
    license: "unknown",
    language: expect.arrayContaining(["en", "sv"]) as string[],
    size_categories: ["n<1K"],
    configs: [{ config_name: "default", data_files: [{ split: "train", path: "data/train-*.parquet" }] }],
  });
  expect(body).toContain("# a \\| corpus\n");
  expect(body).toContain(`${texts.length} documents, `);
  expect(body).toMatch(/\| `empty` \| 3 \|/);
  expect(body).toContain('"min-words": 3');
  expect(body).toContain("No trained model was used.");
  expect(body).not.toContain(work);
});

it(
  "holds the texts of the job in its order, as our own reader finds them",
  async () => {
    expect(readdirSync(join(corpus, "data"))).toEqual(["train-00000-of-00001.parquet"]);
    const { code, stdout, stderr } = await thresher([corpus, "--to", "jsonl", "--labeller", "none"]);
    expect(code, stderr).toBe(0);
    expect(parseLines(stdout).map(({ id, text }) => [id, text])).toEqual(
      texts.map(({ id, text }) => [id, text]),
    );
  },
  LONG_MS,
);

it(
  "is identical when it is created again, and rejects other tables in its folder",
  async () => {
    const before = card();
    const table = readFileSync(join(corpus, "data", "train-00000-of-00001.parquet"));
    const make = (): ReturnType<typeof thresher> =>
      thresher(["shard", "merge", job, "-o", corpus, "--to", "dataset"]);
    expect(await make()).toMatchObject({ code: 0 });
    expect(card()).toBe(before);
    expect(readFileSync(join(corpus, "data", "train-00000-of-00001.parquet")).equals(table)).toBe(true);
    const stray = join(corpus, "data", "train-00001-of-00002.parquet");
    cpSync(join(corpus, "data", "train-00000-of-00001.parquet"), stray);
    const refused = await make();
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("train-00001-of-00002.parquet") as string,
    });
    rmSync(stray);
  },
  LONG_MS,
);

it(
  "keeps a card that a person has completed, and writes the new one beside it",
  async () => {
    const before = card();
    const edited = before.replace("license: unknown # TODO: the terms", "license: odc-by # the terms");
    writeFileSync(join(corpus, "README.md"), edited);
    const { code, stderr } = await thresher(["shard", "merge", job, "-o", corpus, "--to", "dataset"]);
    expect({ code, card: card() }).toEqual({ code: 0, card: edited });
    expect(stderr).toMatch(
      /README\.md has been edited and stays as it is; the new card is README\.new\.md\n$/,
    );
    expect(readFileSync(join(corpus, "README.new.md"), "utf8")).toBe(before);
    writeFileSync(join(corpus, "README.md"), before);
    rmSync(join(corpus, "README.new.md"));
  },
  LONG_MS,
);

it.skipIf(!hasDatasets)(
  "can be loaded by the library of Hugging Face",
  () => {
    const program = `
import json, sys
from datasets import load_dataset
rows = load_dataset(sys.argv[1], split="train", cache_dir=sys.argv[2])
print(json.dumps([[row["id"], row["text"], row["words"], row["meta"]["author"]] for row in rows]))
`;
    const env = { ...process.env, HF_HUB_OFFLINE: "1", HF_DATASETS_OFFLINE: "1", HF_HOME: join(work, "hf") };
    const printed = execFileSync(PYTHON, ["-c", program, corpus, join(work, "cache")], {
      env,
      encoding: "utf8",
    });
    expect(JSON.parse(printed)).toEqual(texts.map(({ id, text, words }) => [id, text, words, null]));
  },
  LONG_MS,
);

it("ends with 74 if a merge cannot be written, and does not replace a card that it cannot read", async () => {
  for (const args of [[], ["--to", "text"]])
    expect(await thresher(["shard", "merge", job, "-o", "/dev/full", ...args])).toMatchObject({
      code: 74,
      stderr: expect.stringContaining("cannot write /dev/full") as string,
    });
  const blocked = join(work, "blocked");
  mkdirSync(join(blocked, "README.md"), { recursive: true });
  expect(await thresher(["shard", "merge", job, "-o", blocked, "--to", "dataset"])).toMatchObject({
    code: 74,
    stderr: expect.stringContaining("README.md") as string,
  });
  expect(readdirSync(blocked).toSorted()).toEqual(["README.md", "data"]);
});
