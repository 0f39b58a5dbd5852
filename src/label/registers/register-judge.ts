/** Scores the registers of a text, and whether it is machine-translated or generated. */
import {
  REGISTERS,
  SUBREGISTER_NAMES,
  SUBREGISTERS,
  type Document,
  type LabelledLine,
  type Register,
  type RegisterVerdict,
  type Subregister,
} from "../../document.js";
import { isBlank, roundScore, sigmoid } from "../label-line.js";
import type { Network } from "../network/session.js";
import type { OutputReading, RegisterModel } from "./register-model.js";
import { createRegisterPool } from "./register-pool.js";
import { isMixed, tellsEnough } from "./telling.js";

export interface RegisterJudge {
  /** Judges the text of some lines; returns undefined when it is blank. */
  judge(lines: readonly string[]): Promise<RegisterVerdict | undefined>;
  /** Returns the probabilities of REGISTER_OUTPUTS for a text, or their priors if the text shows too little. */
  tell(text: string): Promise<readonly number[]>;
  close(): Promise<void>;
}

/** Creates a judge from a model and its open network; closing the judge closes the network. */
export function createRegisterJudge(model: RegisterModel, network: Network): RegisterJudge {
  const { outputs } = model;
  const pool = createRegisterPool(model);
  const priors = outputs.map(({ prior }) => prior);
  /** Returns undefined if the text shows too little or is in two languages. */
  const tell = async (text: string): Promise<readonly number[] | undefined> => {
    const { columns, pooled, pieces, languages, ...signs } = pool.read(text);
    if (!tellsEnough(signs, pieces) || isMixed(languages)) return undefined;
    const { logits } = await network.run(1, { pooled, columns });
    if (logits?.length !== outputs.length)
      throw new Error(`the model did not return one logit for each of ${outputs.length} registers`);
    return outputs.map(({ slope, offset }, at) => sigmoid(slope * (logits[at] ?? 0) + offset));
  };
  return {
    async judge(lines) {
      const text = lines.join("\n");
      if (isBlank(text)) return undefined;
      const told = await tell(text);
      // A text that shows too little gets the priors of all texts, and no register is found in it.
      return told === undefined ? { ...toVerdict(priors, outputs), found: [] } : toVerdict(told, outputs);
    },
    tell: async (text) => (await tell(text)) ?? priors,
    close: () => network.close(),
  };
}

/** Adds the registers of the content lines to a document; other lines do not count. */
export async function addRegisters(
  document: Document<LabelledLine>,
  judge: RegisterJudge,
): Promise<Document<LabelledLine>> {
  const content = document.lines.filter(({ label }) => label === "content");
  const registers = await judge.judge(content.map(({ text }) => text));
  return registers === undefined ? document : { ...document, registers };
}

/** For each subregister, the index of its main register among the outputs, which begin with the main registers. */
const MAIN_OF = SUBREGISTER_NAMES.map((name) => REGISTERS.indexOf(SUBREGISTERS[name]));

/** Builds a verdict. A subregister is at most as likely as its main register, and is found only together with it. */
function toVerdict(probabilities: readonly number[], outputs: readonly OutputReading[]): RegisterVerdict {
  const of = (at: number): number => roundScore(probabilities[at] ?? 0);
  const isFound = (at: number, probability: number): boolean => probability >= (outputs[at]?.cut ?? 1);
  const main: Partial<Record<Register, number>> = {};
  const sub: Partial<Record<Subregister, number>> = {};
  const found: (Register | Subregister)[] = [];
  for (const [at, name] of REGISTERS.entries()) {
    main[name] = of(at);
    if (isFound(at, of(at))) found.push(name);
  }
  for (const [place, name] of SUBREGISTER_NAMES.entries()) {
    const [at, mainAt] = [REGISTERS.length + place, MAIN_OF[place] ?? 0];
    const probability = Math.min(of(at), of(mainAt));
    sub[name] = probability;
    if (isFound(mainAt, of(mainAt)) && isFound(at, probability)) found.push(name);
  }
  // The loops set all fields of `main` and `sub`.
  return { main, sub, machine: of(REGISTERS.length + SUBREGISTER_NAMES.length), found } as RegisterVerdict;
}
