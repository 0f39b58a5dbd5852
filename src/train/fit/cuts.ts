/** Chooses the cuts of a text model on documents that were scored by models that have not seen them. */
import type { Cuts, Document, LabelledLine } from "../../document.js";
import { isBlank } from "../../label/label-line.js";
import { BETA } from "../../label/page/page-verdict.js";
import { countWords } from "../../language/words.js";

/** Range of cuts, in hundredths. */
const LOWEST = 5;
const HIGHEST = 95;
/** A smaller gain in F-beta means nothing, so the cut stays as near to the old one as possible. */
const SAME = 0.003;

export interface Scored {
  readonly document: Document<LabelledLine>;
  readonly labels: readonly (0 | 1 | null)[];
}

/** Counts lines like the figure that decides on a model: once as lines, once by their words. */
export function chooseCuts(scored: readonly Scored[]): Cuts {
  const counts = [countByScore(scored, () => 1), countByScore(scored, countWords)];
  const choose = (focus: keyof Cuts): number => chooseCut(counts, BETA[focus], oldCut(scored, focus));
  const [precision, balanced, recall] = [choose("precision"), choose("balanced"), choose("recall")];
  return {
    precision: Math.max(precision, balanced),
    balanced,
    recall: Math.min(recall, balanced),
  };
}

/** Amounts of content (`right`) and of the rest (`wrong`) with at least a score, indexed by the score in hundredths. */
interface ByScore {
  readonly right: readonly number[];
  readonly wrong: readonly number[];
}

function countByScore(scored: readonly Scored[], sizeOf: (text: string) => number): ByScore {
  const right = new Array<number>(101).fill(0);
  const wrong = new Array<number>(101).fill(0);
  for (const { document, labels } of scored)
    for (const [at, line] of document.lines.entries()) {
      const label = labels[at] ?? null;
      if (label === null || isBlank(line.text)) continue;
      const of = label === 1 ? right : wrong;
      const score = Math.floor((line.ownScore ?? line.score) * 100 + 1e-9);
      of[score] = (of[score] ?? 0) + sizeOf(line.text);
    }
  for (let at = 99; at >= 0; at -= 1) {
    right[at] = (right[at] ?? 0) + (right[at + 1] ?? 0);
    wrong[at] = (wrong[at] ?? 0) + (wrong[at + 1] ?? 0);
  }
  return { right, wrong };
}

function fBeta({ right, wrong }: ByScore, cut: number, weight: number): number {
  const kept = right[cut] ?? 0;
  const all = kept + (wrong[cut] ?? 0) + weight * (right[0] ?? 0);
  return all === 0 ? 0 : ((1 + weight) * kept) / all;
}

function chooseCut(counts: readonly ByScore[], beta: number, old: number): number {
  const score = (cut: number): number =>
    counts.reduce((sum, one) => sum + fBeta(one, cut, beta ** 2), 0) / counts.length;
  const cuts = Array.from({ length: HIGHEST - LOWEST + 1 }, (_, at) => LOWEST + at);
  const best = Math.max(...cuts.map(score));
  const good = cuts.filter((cut) => score(cut) >= best - SAME);
  const nearest = good.reduce(
    (a, b) => (Math.abs(b - 100 * old) < Math.abs(a - 100 * old) ? b : a),
    good[0] ?? 50,
  );
  return nearest / 100;
}

/** Returns the mean of the documents' earlier cuts. */
function oldCut(scored: readonly Scored[], focus: keyof Cuts): number {
  const cuts = scored.flatMap(({ document }) => document.condition?.cuts?.[focus] ?? []);
  return cuts.reduce((sum, cut) => sum + cut, 0) / Math.max(1, cuts.length);
}
