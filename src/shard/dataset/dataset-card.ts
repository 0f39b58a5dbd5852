/** Formats the card of a dataset: metadata for the hub, and a description of the cleaning for people. */
import { tellCount } from "../../count.js";
import { readModelPapers, type ModelPapers } from "../../label/model-papers.js";
import { asksRegisters, DEFAULTS } from "../../options/options.js";
import { REASONS } from "../../outcome.js";
import { compareTexts } from "../../text-order.js";
import { VERSION } from "../../version.js";
import type { DuplicatesNote } from "../duplicates/dedup.js";
import type { Job } from "../job.js";

export interface DatasetFacts {
  /** The name of the folder. */
  readonly name: string;
  readonly job: Job;
  readonly documents: number;
  readonly words: number;
  /** UTF-16 code units. */
  readonly characters: number;
  /** Number of documents by language. */
  readonly languages: ReadonlyMap<string, number>;
  readonly read: number;
  readonly rejected: number;
  readonly reasons: ReadonlyMap<string, number>;
  readonly passedOver: ReadonlyMap<string, number>;
  /** The completed duplicate detection whose decisions were applied, if any. */
  readonly duplicates: DuplicatesNote | undefined;
  /** Number of shards left out because they are not done. */
  readonly missing: number;
}

/** The size categories of the hub, each with its lowest number of documents. */
const SIZES = [
  ["n<1K", 0],
  ["1K<n<10K", 1e3],
  ["10K<n<100K", 1e4],
  ["100K<n<1M", 1e5],
  ["1M<n<10M", 1e6],
  ["10M<n<100M", 1e7],
  ["100M<n<1B", 1e8],
  ["1B<n<10B", 1e9],
  ["10B<n<100B", 1e10],
] as const;

/** What a person fills in; a card without one of them has been edited. */
const TO_FILL_IN = ["license: unknown # TODO", "TODO: say what this corpus is"] as const;

/** Whether a person has not filled in anything yet. */
export function isUnedited(card: string): boolean {
  return TO_FILL_IN.every((text) => card.includes(text));
}

/**
 * Formats the card as Markdown with YAML front matter. It depends only on the facts, so the same corpus gets the same
 * card.
 */
export function describeDataset(facts: DatasetFacts): string {
  return `${describeHead(facts)}
# ${inLine(facts.name)}

${TO_FILL_IN[1]}, where its pages come from, and on what terms they may be used, and fill in the \`license\` above.

${describeTexts(facts)}
${describeCleaning(facts)}
${describeModels(facts)}`;
}

function describeHead({ languages, documents }: DatasetFacts): string {
  const codes = [...new Set(byCount(languages).map(([lang]) => lang.split("-")[0] ?? ""))];
  // Other text could inject YAML.
  const known = codes.filter((code) => /^[a-z]{2,3}$/.test(code)).map((code) => `  - "${code}"\n`);
  const size = SIZES.findLast(([, from]) => documents >= from)?.[0] ?? SIZES[0][0];
  return `---
${TO_FILL_IN[0]}: the terms on which the texts may be used
${known.length === 0 ? "" : `language:\n${known.join("")}`}size_categories:
  - "${size}"
task_categories:
  - text-generation
tags:
  - thresher
configs:
  - config_name: default
    data_files:
      - split: train
        path: data/train-*.parquet
---
`;
}

function describeTexts({ documents, words, characters, languages, missing }: DatasetFacts): string {
  const rows = byCount(languages).map(([lang, count]) => `| ${inLine(lang)} | ${count} |`);
  const unknown = documents - [...languages.values()].reduce((sum, count) => sum + count, 0);
  if (unknown > 0) rows.push(`| unknown | ${unknown} |`);
  const partial =
    missing === 0
      ? ""
      : `\nIt is not complete: ${missing === 1 ? "1 shard was" : `${missing} shards were`} not done when it was written.\n`;
  return `## What it holds

${tellCount(documents, "document")}, ${tellCount(words, "word")}, ${tellCount(characters, "character")} of text.
${partial}
| language | documents |
| -------- | --------: |
${rows.join("\n")}

Each row is a document: \`id\`, \`url\`, \`title\`, \`lang\`, \`meta\`, \`text\`, \`words\`, \`score\` (the mean probability of its
lines to be main content), \`source\` and \`fingerprint\` (a digest of program, models and options). The columns are the
same in every dataset that Thresher writes.
`;
}

function describeCleaning(facts: DatasetFacts): string {
  const { job, read, documents, rejected, reasons, passedOver, duplicates } = facts;
  const rows = byCount(reasons).map(
    ([reason, count]) => `| \`${inLine(reason)}\` | ${count} | ${explain(reason)} |`,
  );
  const others = byCount(passedOver).map(([what, count]) => `${inLine(what)} ${count}`);
  const without =
    others.length === 0
      ? ""
      : `\nRecords without a page, which do not count as rejects: ${others.join(", ")}.\n`;
  return `## How it was made

Thresher ${inLine(job.version)} read ${tellCount(job.bytes, "byte")} in ${tellCount(job.shards, "shard")}: of ${tellCount(read, "document")}, ${documents} became text,
and ${rejected} ${rejected === 1 ? "was" : "were"} rejected${duplicates === undefined ? "" : describeDuplicates(duplicates)}. Fingerprint of the job: \`${inLine(job.fingerprint)}\`. This card was written by version ${VERSION}.

| reason of the reject | documents | what it means |
| -------------------- | --------: | ------------- |
${rows.join("\n")}
${without}
Options:

\`\`\`json
${JSON.stringify(withoutPaths(job.options), undefined, 2).replaceAll("`", "'")}
\`\`\`
`;
}

/**
 * Describes the duplicates. All shards were done when they were counted, so the documents read are those kept, rejected
 * or counted here.
 */
function describeDuplicates({ duplicate, nearDuplicate, stripped, lines }: DuplicatesNote): string {
  const repeated =
    lines === null
      ? ""
      : `; ${stripped} of the texts lost lines that occur in ${tellCount(lines, "earlier document")}`;
  return `, ${duplicate} were left out as copies of an earlier document, and ${nearDuplicate} as near copies${repeated}`;
}

function describeModels({ job: { options } }: DatasetFacts): string {
  const { clean } = options;
  const papers = readModelPapers({
    ...(clean.labeller && { labeller: clean.labeller }),
    ...(clean.modelDir !== undefined && { modelDir: clean.modelDir }),
    mayAskText: clean.comments === "keep" || clean.comments === "only",
    registers: asksRegisters({ ...DEFAULTS, ...clean }),
  });
  if (papers.length === 0) return "## Models\n\nNo trained model was used.\n";
  return `## Models

These models judged lines and documents. The tables list the data that trained them, with its licences:

${papers.map(describeModel).join("\n")}`;
}

function describeModel({ name, use, training }: ModelPapers): string {
  const head = `### ${inLine(name)} (${use})\n\n`;
  if (training === undefined) return `${head}TODO: the model does not name its training data.\n`;
  const rows = training.map(
    (data) => `| ${[data.corpus, data.licence, data.origin].map(inLine).join(" | ")} |`,
  );
  return `${head}| data | licence | origin |\n| ---- | ------- | ------ |\n${rows.join("\n")}\n`;
}

function explain(reason: string): string {
  return Object.entries(REASONS).find(([name]) => name === reason)?.[1] ?? "";
}

/** Drops the folder of the model, which means nothing on other machines, and keeps its name. */
function withoutPaths({ clean: { modelDir, ...clean }, ...options }: Job["options"]): object {
  const model = modelDir === undefined ? {} : { model: modelDir.split(/[\\/]/).at(-1) };
  return { ...options, clean: { ...clean, ...model } };
}

/** Sorted by descending count, then by name. */
function byCount(counts: ReadonlyMap<string, number>): (readonly [string, number])[] {
  return [...counts].sort((a, b) => b[1] - a[1] || compareTexts(a[0], b[0]));
}

/** Escapes foreign text so that it stays within its line and table cell. */
function inLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").replace(/[|`<>[\]*_\\]/g, "\\$&");
}
