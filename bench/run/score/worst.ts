/**
 * Picks the documents of a system that are worth a look: those with its worst scores, and those where another system is
 * much better.
 */
import type { Score } from "../../metrics/fractions.js";
import type { ShownDocument } from "../../report/results.js";
import type { GoldDocument } from "../../corpora/gold.js";
import { measure, round } from "./score-sums.js";
import type { Judged } from "./judge.js";

/** How many documents are shown of each kind, worst and disputed. */
const SHOWN = 3;
/** Limits on the lines shown for a document: a results file holds many documents, and people read it on a phone. */
const MAX_LINES = 40;
const MAX_CHARS = 160;

/** The line F1 of every system on every document: by system, then by id. */
export type LineF1s = ReadonlyMap<string, ReadonlyMap<string, Score>>;

/** Returns the line F1 by document id, for documents whose lines were judged. */
export function lineF1s(judged: readonly Judged[]): Map<string, Score> {
  return new Map(
    judged.flatMap((one) => (one.said === undefined ? [] : [[one.id, measure(one.columns).lineF1] as const])),
  );
}

interface Candidate {
  readonly one: Judged;
  readonly lineF1: number;
  readonly bestOther?: { readonly system: string; readonly lineF1: number };
}

export function showWorst(
  system: string,
  judged: readonly Judged[],
  { documents, scores }: { documents: ReadonlyMap<string, GoldDocument>; scores: LineF1s },
): ShownDocument[] {
  const own = scores.get(system);
  const candidates = judged.flatMap((one): Candidate[] => {
    const lineF1 = own?.get(one.id) ?? null;
    if (lineF1 === null) return [];
    const bestOther = findBestOther(system, one.id, scores);
    return [{ one, lineF1, ...(bestOther === undefined ? {} : { bestOther }) }];
  });
  const byId = (a: Candidate, b: Candidate): number => (a.one.id < b.one.id ? -1 : 1);
  const worst = [...candidates].sort((a, b) => a.lineF1 - b.lineF1 || byId(a, b)).slice(0, SHOWN);
  const gap = ({ lineF1, bestOther }: Candidate): number => (bestOther?.lineF1 ?? 0) - lineF1;
  const disputed = candidates
    .filter((candidate) => !worst.includes(candidate) && gap(candidate) > 0)
    .sort((a, b) => gap(b) - gap(a) || byId(a, b))
    .slice(0, SHOWN);
  return [...worst, ...disputed].flatMap((candidate) => {
    const document = documents.get(candidate.one.id);
    return document === undefined ? [] : [show(candidate, document)];
  });
}

function findBestOther(
  system: string,
  id: string,
  scores: LineF1s,
): { readonly system: string; readonly lineF1: number } | undefined {
  let best: { system: string; lineF1: number } | undefined;
  for (const [name, byId] of scores) {
    const lineF1 = byId.get(id) ?? null;
    if (name === system || lineF1 === null) continue;
    if (best === undefined || lineF1 > best.lineF1) best = { system: name, lineF1: lineF1 };
  }
  return best === undefined ? undefined : { ...best, lineF1: round(best.lineF1) ?? 0 };
}

function show({ one, lineF1, bestOther }: Candidate, document: GoldDocument): ShownDocument {
  const { id, url, lang, pageType, lines = [] } = document;
  const from = findWindow(one, document);
  const shown = lines.slice(from, from + MAX_LINES).map(({ text, label }, offset) => {
    const score = one.scores?.[from + offset];
    return {
      text: text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS - 1)}…` : text,
      gold: label,
      label: one.said?.[from + offset] === 1 ? (1 as const) : (0 as const),
      ...(score === undefined || Number.isNaN(score) ? {} : { score: Math.round(score * 1000) / 1000 }),
    };
  });
  return {
    id,
    url,
    lang,
    ...(pageType === undefined ? {} : { pageType }),
    lineF1: round(lineF1),
    ...(bestOther === undefined ? {} : { bestOther }),
    lines: shown,
    left: lines.length - shown.length,
  };
}

/** Returns the index of the first line to show: the first window that holds the most wrong lines. */
function findWindow({ said }: Judged, { lines = [] }: GoldDocument): number {
  const isWrong = (at: number): number => {
    const label = said?.[at] ?? -1;
    return label === -1 || label === lines[at]?.label ? 0 : 1;
  };
  let [wrong, most, best] = [0, -1, 0];
  for (let end = 0; end < lines.length; end += 1) {
    wrong += isWrong(end);
    const from = end - MAX_LINES + 1;
    if (from > 0) wrong -= isWrong(from - 1);
    if (wrong > most) [most, best] = [wrong, Math.max(0, from)];
  }
  return best;
}
