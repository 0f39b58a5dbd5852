/** Opens files of the user's own gold as corpora, and reports what is wrong with a file that cannot be used. */
import { statSync } from "node:fs";
import { basename } from "node:path";
import { UsageError } from "thresher";
import type { CorpusDescriptor } from "./descriptors.js";
import type { Corpus, CorpusProblem } from "./gold.js";
import { readJsonlLines } from "./jsonl.js";
import type { Subject } from "../systems/subject.js";
import { readGold } from "./reader.js";
import { corpusNames } from "./registry.js";

const SUFFIX = /\.jsonl(?:\.gz)?$/;

/**
 * Opens each file as a corpus named after the file. Throws UsageError for a file that is missing, holds no gold, has
 * the wrong unit for the subject, or has the name of another corpus.
 */
export async function openOwnGold(paths: readonly string[], subject: Subject = "lines"): Promise<Corpus[]> {
  const taken = new Set(corpusNames(subject));
  const corpora: Corpus[] = [];
  for (const path of new Set(paths)) {
    checkFile(path);
    const name = basename(path).replace(SUFFIX, "");
    if (taken.has(name)) throw new UsageError(`two corpora are called ${name}: give ${path} another name`);
    taken.add(name);
    const descriptor = await describe(path, name);
    if (subject !== "lines" && descriptor.unit !== "pages")
      throw new UsageError(`${path} holds lines, but ${subject} is measured on pages`);
    corpora.push(openFile(path, subject === "metadata" ? { ...descriptor, gold: "metadata" } : descriptor));
  }
  return corpora;
}

function checkFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new UsageError(`there is no file ${path}; --corpus takes files of gold`);
  if (found.isDirectory()) throw new UsageError(`${path} is a folder; --corpus takes files of gold`);
  if (!found.isFile()) throw new UsageError(`${path} is a pipe or a device; --corpus takes files of gold`);
  if (!SUFFIX.test(path)) throw new UsageError(`${path} is not a .jsonl or .jsonl.gz file, as gold must be`);
}

async function describe(path: string, name: string): Promise<CorpusDescriptor> {
  return {
    name,
    origin: path,
    licence: "not stated",
    languages: [],
    splits: ["all"],
    unit: await readUnit(path),
    mainContent: "What the makers of this gold say it is.",
    training: "not known: we have not checked whether our models learned from these pages",
    files: [{ path, split: "all" }],
    isOwn: true,
  };
}

/** Reads from the first row whether the file holds pages or lines. Throws UsageError if the row has neither. */
async function readUnit(path: string): Promise<Corpus["unit"]> {
  for await (const event of readJsonlLines(path)) {
    const where = `${path}:${event.number}`;
    if (event.kind === "broken") throw new UsageError(`${where}: ${event.detail}`);
    const row = parse(event.text, where);
    if (typeof row === "object" && row !== null) {
      if ("html" in row) return "pages";
      if ("lines" in row) return "lines";
    }
    throw new UsageError(
      `${where}: neither "html" nor "lines" (bench/corpora/README.md has the form of gold)`,
    );
  }
  throw new UsageError(`${path} has no rows`);
}

function parse(json: string, where: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new UsageError(`${where}: not JSON`, { cause });
  }
}

/** Opens the file as a corpus. Reading it throws UsageError with the first problem if no row can be used. */
function openFile(path: string, descriptor: CorpusDescriptor): Corpus {
  let problems: CorpusProblem[] = [];
  return {
    ...descriptor,
    async *documents() {
      problems = [];
      let count = 0;
      for await (const document of readGold(descriptor, "", (problem) => problems.push(problem))) {
        count += 1;
        yield document;
      }
      const [first] = problems;
      if (count === 0 && first !== undefined) throw new UsageError(`${path}:${first.line}: ${first.detail}`);
    },
    problems: () => problems,
  };
}
