/** Tells of a text what kind it is: its registers, and whether a machine wrote it. */
import {
  REGISTERS,
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
  /** Undefined where there is no text. */
  judge(lines: readonly string[]): Promise<RegisterVerdict | undefined>;
  /** The probabilities of a text, as REGISTER_OUTPUTS names them; of one that does not tell, what holds of any. */
  tell(text: string): Promise<readonly number[]>;
  close(): Promise<void>;
}

/** Tells by a model whose network is open; closing the judge closes it. */
export function createRegisterJudge(model: RegisterModel, network: Network): RegisterJudge {
  const { outputs } = model;
  const pool = createRegisterPool(model);
  const priors = outputs.map(({ prior }) => prior);
  /** Undefined where the text does not tell. */
  const tell = async (text: string): Promise<readonly number[] | undefined> => {
    const { columns, pooled, pieces, languages, ...signs } = pool.read(text);
    if (!tellsEnough(signs, pieces) || isMixed(languages)) return undefined;
    const { logits } = await network.run(1, { pooled, columns });
    if (logits?.length !== outputs.length)
      throw new Error(`the model gave no logit for each of ${outputs.length} registers`);
    return outputs.map(({ slope, offset }, at) => sigmoid(slope * (logits[at] ?? 0) + offset));
  };
  return {
    async judge(lines) {
      const text = lines.join("\n");
      if (isBlank(text)) return undefined;
      const told = await tell(text);
      // So little tells nothing: it is of each kind as likely as any text, and of none for certain.
      return told === undefined ? { ...toVerdict(priors, outputs), found: [] } : toVerdict(told, outputs);
    },
    tell: async (text) => (await tell(text)) ?? priors,
    close: () => network.close(),
  };
}

/** The document with what kind of text its content lines are; the others are not looked at. */
export async function addRegisters(
  document: Document<LabelledLine>,
  judge: RegisterJudge,
): Promise<Document<LabelledLine>> {
  const content = document.lines.filter(({ label }) => label === "content");
  const registers = await judge.judge(content.map(({ text }) => text));
  return registers === undefined ? document : { ...document, registers };
}

const SUBS = Object.keys(SUBREGISTERS) as readonly Subregister[]; // keys of a literal are its names
/** By place among SUBS: the place of the main register among the outputs, which begin with those. */
const MAIN_OF = SUBS.map((name) => REGISTERS.indexOf(SUBREGISTERS[name]));

/** A text that is of a register inside of another one is of that one as well. */
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
  for (const [place, name] of SUBS.entries()) {
    const [at, mainAt] = [REGISTERS.length + place, MAIN_OF[place] ?? 0];
    const probability = Math.min(of(at), of(mainAt));
    sub[name] = probability;
    if (isFound(mainAt, of(mainAt)) && isFound(at, probability)) found.push(name);
  }
  // All of both were set.
  return { main, sub, machine: of(REGISTERS.length + SUBS.length), found } as RegisterVerdict;
}
