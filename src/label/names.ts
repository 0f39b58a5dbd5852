/** Names the labellers, and says what each asks of those who use it; `registry.ts` has what creates them. */

interface LabellerNeeds {
  /** It reads what markup there is around lines (`MarkedDocument`). */
  readonly markup?: true;
  /** It reads the tags around lines, and so cannot label plain text. */
  readonly page?: true;
  /** None is shipped, and it cannot do without. */
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

export type LabellerName = keyof typeof NEEDS;
export const labellerNeeds: Readonly<Record<LabellerName, LabellerNeeds>> = NEEDS;
// Object.keys of a literal: its keys are the names.
export const LABELLER_NAMES = Object.keys(NEEDS) as readonly LabellerName[];
