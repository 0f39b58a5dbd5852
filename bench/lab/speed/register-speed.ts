/**
 * Measures what it costs to tell the registers of a document, beside what labelling its lines costs, in turns.
 * `node dist/bench/lab/speed/register-speed.js FILE.jsonl[.gz]… [--rounds N]`, a row being `{"lines": [{"text"}]}`.
 */
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { formatPercent } from "../../report/format.js";
import { loadInternals } from "./text-internals.js";
import { medianOf } from "../../run/profile/page-stages.js";
import { toDocument } from "./text-speed.js";

const WARM_UP = 5;
const ROUNDS = 15;
const MOST_DOCUMENTS = 300;

export interface RegisterCosts {
  readonly documents: number;
  /** CPU microseconds a document, medians over rounds. */
  readonly label: number;
  readonly registers: number;
  /** The median of the rounds' own shares: what else runs moves both times of a round alike. */
  readonly share: number;
}

/** In each round all documents are labelled, and then the registers of the content lines are told. */
export async function timeRegisters(
  documents: readonly (readonly string[])[],
  rounds = ROUNDS,
): Promise<RegisterCosts> {
  const internals = await loadInternals();
  const labeller = await internals.createTextLabeller({ focus: "balanced" });
  const judge = await internals.openRegisterJudge();
  const built = documents.map(toDocument);
  const labelled = (await Promise.all(built.map((document) => labeller.label([document])))).flat();
  const kept = labelled.map(({ lines }) =>
    lines.filter(({ label }) => label === "content").map(({ text }) => text),
  );
  const times: { label: number; registers: number }[] = [];
  for (let round = -WARM_UP; round < rounds; round += 1) {
    const label = await timeEach(built, (document) => labeller.label([document]));
    const registers = await timeEach(kept, (lines) => judge.judge(lines));
    if (round >= 0) times.push({ label, registers });
  }
  await labeller.close();
  await judge.close();
  return {
    documents: documents.length,
    label: medianOf(times.map(({ label }) => label)),
    registers: medianOf(times.map(({ registers }) => registers)),
    share: medianOf(times.map(({ label, registers }) => registers / label)),
  };
}

async function timeEach<T>(all: readonly T[], work: (one: T) => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (const one of all) await work(one);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / all.length;
}

async function readTexts(file: string): Promise<string[][]> {
  const bytes = await readFile(file);
  const rows = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString().split("\n");
  return rows
    .filter((row) => row !== "")
    .map((row) => {
      const { lines } = JSON.parse(row) as { lines: readonly { text: string }[] }; // the form that this is for
      return lines.map(({ text }) => text);
    });
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { rounds: { type: "string" } },
  });
  const documents = (await Promise.all(positionals.map(readTexts))).flat().slice(0, MOST_DOCUMENTS);
  if (documents.length === 0) throw new Error("name files of documents");
  const { label, registers, share } = await timeRegisters(
    documents,
    values.rounds === undefined ? ROUNDS : Number(values.rounds),
  );
  process.stdout.write(
    `${documents.length} documents; CPU µs a document: lines ${label.toFixed(0)}, registers ${registers.toFixed(0)}; ` +
      `share ${formatPercent(share)}\n`,
  );
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
