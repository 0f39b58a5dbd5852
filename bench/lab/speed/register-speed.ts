/**
 * Measures what it costs to find the registers of a document, compared with labelling its lines. Each document comes
 * only once, as in real use, so that both meet words that they have not seen before.
 * `node dist/bench/lab/speed/register-speed.js FILE.jsonl[.gz]…`; each row is `{"lines": [{"text"}]}`.
 */
import { parseArgs } from "node:util";
import { formatPercent } from "../../report/format.js";
import { timeCpu } from "../../run/profile/cpu-time.js";
import { loadInternals } from "./text-internals.js";
import { readTexts, toDocument } from "./text-speed.js";
import { isMain } from "../is-main.js";

/** The share of the documents that only warm up the code. */
const WARM_UP = 1 / 4;
/** Documents that are labelled before their registers are found. */
const BLOCK = 8;

export interface RegisterCosts {
  readonly documents: number;
  /** Mean CPU microseconds per document. */
  readonly label: number;
  readonly registers: number;
}

async function timeRegisters(documents: readonly (readonly string[])[]): Promise<RegisterCosts> {
  const internals = await loadInternals();
  const labeller = await internals.createTextLabeller({ focus: "balanced" });
  const judge = await internals.openRegisterJudge();
  const from = Math.floor(WARM_UP * documents.length);
  let label = 0;
  let registers = 0;
  for (let at = 0; at < documents.length; at += BLOCK) {
    const block = documents.slice(at, at + BLOCK).map(toDocument);
    const kept: string[][] = [];
    const labelTime = await timeCpu(async () => {
      for (const document of block)
        for (const { lines } of await labeller.label([document]))
          kept.push(lines.filter((line) => line.label === "content").map(({ text }) => text));
    });
    const registersTime = await timeCpu(async () => {
      for (const lines of kept) await judge.judge(lines);
    });
    if (at < from) continue;
    label += labelTime;
    registers += registersTime;
  }
  await labeller.close();
  await judge.close();
  const timed = documents.length - Math.ceil(from / BLOCK) * BLOCK;
  return { documents: timed, label: (label * 1000) / timed, registers: (registers * 1000) / timed };
}

/** Takes one document of each list in turn, because each file may hold only one language. */
function mix<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

async function main(): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true });
  const texts = mix(await Promise.all(positionals.map(readTexts)));
  if (texts.length < 2 * BLOCK) throw new Error(`name files of documents, ${2 * BLOCK} at least`);
  const { documents, label, registers } = await timeRegisters(texts);
  process.stdout.write(
    `${documents} documents; CPU µs a document: lines ${label.toFixed(0)}, registers ${registers.toFixed(0)}; ` +
      `share ${formatPercent(registers / label)}\n`,
  );
}

if (isMain(import.meta.url)) await main();
