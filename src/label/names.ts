/** Lists the names of the labellers and what each one needs; `registry.ts` creates them. */

interface LabellerNeeds {
  /** It reads the counts of markup around lines, if they are known (`MarkedDocument`). */
  readonly markup?: true;
  /** It reads the tags around lines, and so cannot label plain text. */
  readonly page?: true;
  /** It needs a model, and no model is shipped for it. */
  readonly model?: true;
  /** An engine runs the network of its model. */
  readonly engine?: true;
}

const NEEDS = {
  page: { engine: true },
  text: { engine: true },
  transformer: { model: true, engine: true },
  rules: {},
  texrex: { markup: true },
  boilernet: { page: true, engine: true },
  fasttext: {},
  justext: {},
  none: {},
} satisfies Readonly<Record<string, LabellerNeeds>>;

/** What labels the lines, as `--labeller` names it. */
export type LabellerName = keyof typeof NEEDS;
export const labellerNeeds: Readonly<Record<LabellerName, LabellerNeeds>> = NEEDS;
// Object.keys has the type string[]; the keys of this literal are exactly the names.
export const LABELLER_NAMES = Object.keys(NEEDS) as readonly LabellerName[];
