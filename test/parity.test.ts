import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { TEXT_CONDITIONS, type Line, type TextCondition } from "../src/document.js";
import { loadPageModel } from "../src/label/page/page-folder.js";
import { calibrate } from "../src/label/page/page-model.js";
import { loadFasttextModel } from "../src/label/papers/fasttext/fasttext-model.js";
import { probabilityOf } from "../src/label/papers/fasttext/fasttext-labeller.js";
import { openLineEncoder, scoreLines } from "../src/label/papers/boilernet/boilernet-labeller.js";
import { loadBoilernetModel } from "../src/label/papers/boilernet/boilernet-model.js";
import { createWorkspace } from "../src/label/features/windows.js";
import { readModelCard } from "../src/label/models/model-card.js";
import { readManifest } from "../src/label/models/model-folder.js";
import { openRegisterJudge } from "../src/label/registers/register-folder.js";
import { readRegisterModel } from "../src/label/registers/register-model.js";
import { loadTextModel } from "../src/label/text/text-folder.js";
import { scorePage } from "../src/label/page/page-labeller.js";
import { saidShares } from "../src/label/text/condition.js";
import { scoreText } from "../src/label/text/text-labeller.js";
import { scoreBlocks } from "../src/label/papers/texrex/texrex-labeller.js";
import { loadTexrexModel } from "../src/label/papers/texrex/texrex-model.js";
import type { Engine } from "../src/label/network/engine.js";
import { chooseEngine } from "../src/label/network/engines.js";
import { createPortableEngine } from "../src/label/network/portable/portable-engine.js";
import { createPlainProducts } from "../src/label/network/portable/vectors/products.js";
import { openModel, openNetwork } from "../src/label/network/session.js";
import { isBlank, sigmoid } from "../src/label/label-line.js";
import type { PageMarkup } from "../src/document/markup-counts.js";

const MODELS = fileURLToPath(new URL("../models/", import.meta.url));
const TOLERANCE = 1e-5;

/** The scores are calibrated, as PyTorch computes them from the same features and the shipped calibration table. */
interface RecordedText {
  readonly id: string;
  readonly lines: readonly string[];
  readonly scores: readonly number[];
  /** The probability of each condition that the text may be in. */
  readonly conditions: readonly number[];
  /** The scores for each condition, if the caller states it. */
  readonly said: Readonly<Record<TextCondition, readonly number[]>>;
}

interface RecordedPage {
  readonly id: string;
  readonly url?: string;
  readonly title?: string;
  /** Lines of plain text have only their text. */
  readonly lines: readonly (Pick<Line, "text"> & Partial<Line>)[];
  readonly scores: readonly number[];
  /** The logits of the page: one for each type, then one for main content. */
  readonly page: readonly number[];
}

/** A page's blocks, as texrex sees them, with the inputs of its features. */
interface RecordedBlocks {
  readonly id: string;
  readonly markup?: PageMarkup;
  readonly lines: readonly Line[];
  readonly scores: readonly number[];
}

/** Reads the file that the trainer wrote; a wrong shape makes the comparisons fail. */
function readRecorded<T>(folder: string): T[] {
  const lines = readFileSync(join(folder, "parity.jsonl"), "utf8").trim().split("\n");
  expect(lines.length).toBeGreaterThan(5);
  return lines.map((line) => JSON.parse(line) as T);
}

function expectNumbers(numbers: ArrayLike<number>, recorded: readonly number[], of: string): void {
  expect(numbers.length).toBe(recorded.length);
  for (const [at, wanted] of recorded.entries())
    expect(Math.abs((numbers[at] ?? Number.NaN) - wanted), `${of}, ${at + 1}`).toBeLessThan(TOLERANCE);
}

async function compareText(folder: string, engine: Engine): Promise<void> {
  const model = loadTextModel(folder);
  const session = await openModel(model.network, folder, engine);
  for (const { id, lines, scores, conditions, said } of readRecorded<RecordedText>(folder)) {
    const scored = await scoreText(lines, { model, session, said: saidShares("auto") });
    expectNumbers(scored.lines, scores, `${id}, line`);
    expectNumbers(scored.conditions, conditions, `${id}, condition`);
    for (const name of TEXT_CONDITIONS) {
      const known = await scoreText(lines, { model, session, said: saidShares(name) });
      expectNumbers(known.lines, said[name], `${id}, said to be ${name}, line`);
    }
  }
  await session.close();
}

async function comparePage(folder: string, engine: Engine): Promise<void> {
  const model = loadPageModel(folder);
  const session = await openModel(model.network, folder, engine);
  const workspace = createWorkspace();
  for (const recorded of readRecorded<RecordedPage>(folder)) {
    const { id, url = "", title } = recorded;
    const lines = recorded.lines.map((line): Line => ({
      block: "text",
      path: "",
      linkChars: 0,
      breakBefore: "line",
      ...line,
    }));
    const meta = title === undefined ? {} : { title };
    const document = { id, url, source: "html", meta, notes: [], lines } as const;
    const logits = await scorePage(document, { model, session, workspace });
    const scores = Float64Array.from(logits.lines, (logit) => calibrate(logit, model.calibration));
    expectNumbers(scores, recorded.scores, `${id}, line`);
    expect(logits.page.length).toBe(recorded.page.length);
    for (const [at, logit] of logits.page.entries()) {
      const wanted = recorded.page[at] ?? Number.NaN;
      // Logits are unbounded, and single precision has only seven digits.
      const allowed = TOLERANCE * Math.max(1, Math.abs(wanted));
      expect(Math.abs(logit - wanted), `${id}, logit ${at} of the page`).toBeLessThan(allowed);
    }
  }
  await session.close();
}

function compareFasttext(folder: string): Promise<void> {
  const model = loadFasttextModel(folder);
  for (const { id, lines, scores } of readRecorded<Pick<RecordedText, "id" | "lines" | "scores">>(folder)) {
    const scored = lines.map((line) => probabilityOf(line, model));
    expectNumbers(scored, scores, `${id}, line`);
  }
  return Promise.resolve();
}

async function compareBoilernet(folder: string, engine: Engine): Promise<void> {
  const model = await loadBoilernetModel(folder);
  const network = await openNetwork(model.network, folder, engine);
  const encoder = await openLineEncoder(model.encoder);
  const { slope, offset } = model.calibration;
  for (const { id, lines, scores } of readRecorded<Pick<RecordedPage, "id" | "lines" | "scores">>(folder)) {
    const placed = lines.map((line): Line => ({
      block: "text",
      path: "",
      linkChars: 0,
      breakBefore: "line",
      ...line,
    }));
    const seen = placed.filter(({ text }) => !isBlank(text));
    const logits = await scoreLines(seen, { model, network, encoder });
    const scored = Float64Array.from(logits, (logit) => sigmoid(slope * logit + offset));
    expectNumbers(scored, scores, `${id}, line`);
  }
  await network.close();
  await encoder.close();
}

function compareTexrex(folder: string): Promise<void> {
  const model = loadTexrexModel(folder);
  for (const { id, lines, scores, markup } of readRecorded<RecordedBlocks>(folder)) {
    const document = { id, url: "", source: "html", meta: {}, notes: [], lines } as const;
    const scored = scoreBlocks({ ...document, ...(markup && { markup }) }, model);
    expect(scored.by).toBe(markup === undefined ? "text" : "page");
    expectNumbers(scored.scores, scores, `${id}, line`);
  }
  return Promise.resolve();
}

/** Texts with their probabilities, or null if the text is too short. */
interface RecordedKinds {
  readonly id: string;
  readonly text: string;
  readonly probabilities: readonly number[] | null;
}

async function compareRegisters(folder: string, engine: Engine): Promise<void> {
  const model = readRegisterModel(readManifest(folder));
  const judge = await openRegisterJudge(folder, engine);
  for (const { id, text, probabilities } of readRecorded<RecordedKinds>(folder)) {
    const wanted = probabilities ?? model.outputs.map(({ prior }) => prior);
    expectNumbers(await judge.tell(text), wanted, id);
  }
  await judge.close();
}

const COMPARE: Readonly<Record<string, (folder: string, engine: Engine) => Promise<void>>> = {
  text: compareText,
  page: comparePage,
  texrex: compareTexrex,
  boilernet: compareBoilernet,
  fasttext: compareFasttext,
  registers: compareRegisters,
};

const models = readdirSync(MODELS).filter((name) => existsSync(join(MODELS, name, "model.json")));

const ENGINES: Readonly<Record<string, () => Promise<Engine>>> = {
  native: () => chooseEngine("native"),
  portable: () => chooseEngine("portable"),
  plain: () => Promise.resolve(createPortableEngine(createPlainProducts)),
};

describe.each(Object.keys(ENGINES))("with the engine %s", (engine) => {
  it.each(models)("%s gives the scores of the trainer within 1e-5", async (name) => {
    const folder = join(MODELS, name);
    const { kind } = readModelCard(readManifest(folder));
    const compare = COMPARE[kind];
    const open = ENGINES[engine];
    if (compare === undefined || open === undefined)
      throw new Error(`no comparison for models of kind "${kind}"`);
    await compare(folder, await open());
  });
});
