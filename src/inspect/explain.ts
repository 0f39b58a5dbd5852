/** Finds the features that counted most for the score of a line, if the network at hand is the one that scored it. */
import type { Document, LabelledLine } from "../document.js";
import { openPageExplainer, openTextExplainer, type Explainer } from "../label/explain/explain-line.js";
import { roundScore } from "../label/label-line.js";
import { readModelCard } from "../label/models/model-card.js";
import { readManifest } from "../label/models/model-folder.js";
import type { Reasons } from "./app/wire.js";

export interface Reasoner {
  explain(document: Document<LabelledLine>, line: number): Promise<Reasons>;
  close(): Promise<void>;
}

/** Largest difference between equal scores, which have three digits; engines differ in the last one. */
const SAME = 0.0025;
/** A smaller effect changes no visible score. */
const LEAST_EFFECT = 0.05;
const MOST_EFFECTS = 8;

/** Uses the shipped models, or that of `folder` for documents of its kind. Opens a network when it is needed. */
export function createReasoner(folder?: string): Reasoner {
  const kind = folder === undefined ? undefined : readModelCard(readManifest(folder)).kind;
  const opened = new Map<string, Promise<Explainer>>();
  const open = (of: "page" | "text"): Promise<Explainer> => {
    const known = opened.get(of);
    if (known !== undefined) return known;
    const from = kind === of ? folder : undefined;
    const made = of === "page" ? openPageExplainer(from) : openTextExplainer(from);
    made.catch(() => undefined); // the caller gets the error
    opened.set(of, made);
    return made;
  };
  return {
    async explain(document, line) {
      const { verdict, condition, lines } = document;
      const about = lines[line];
      if (about === undefined || (verdict === undefined && condition === undefined))
        return { effects: [], unknown: "the network of the labeller of this document is not available" };
      const explainer = await open(verdict === undefined ? "text" : "page");
      const found = await explainer.explain(document, line);
      if (found === undefined) return { effects: [], unknown: "the network did not score this line" };
      const score = about.ownScore ?? about.score;
      // If a rule set the score, it says nothing about the network's own score.
      if (about.why === undefined && Math.abs(roundScore(found.score) - score) > SAME)
        return {
          effects: [],
          unknown: `the available network gives ${found.score.toFixed(3)}; another network, or one with more of the page, gave this score`,
        };
      const effects = found.effects.filter(({ by }) => Math.abs(by) >= LEAST_EFFECT);
      return { score: found.score, effects: effects.slice(0, MOST_EFFECTS) };
    },
    async close() {
      for (const made of await Promise.allSettled(opened.values()))
        if (made.status === "fulfilled") await made.value.close();
    },
  };
}
