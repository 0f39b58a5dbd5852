/** Describes a corpus in sentences: how clean each step is, what it loses, which system is best, and what it costs. */
import {
  findHeadline,
  findSteps,
  isLevel,
  placeSystems,
  standingOf,
  type Placed,
  type Steps,
} from "./conditions.js";
import { countFailures, findMeasure, formatMeasure, groupMeasures } from "./tables/columns.js";
import { addInterval, formatInterval, formatMs, formatPercent, shorten, toOneLine } from "./format.js";
import type { CorpusScores, Results, SystemScores } from "./results.js";

/** Returns plain-text sentences; leaves out what was not measured. */
export function summarize(results: Results, corpus: CorpusScores): string[] {
  const steps = findSteps(results, corpus);
  return [
    ...describeSteps(steps),
    ...describeBest(results, corpus, steps),
    ...describeOlder(corpus),
    ...describeFailing(results, corpus),
  ];
}

function share(placed: Placed | undefined, name: string): number | null {
  return placed?.system.overall[name]?.value ?? null;
}

function describeSteps({ raw, base, extracted, labelled }: Steps): string[] {
  const sentences: string[] = [];
  const before = share(raw, "wordCleanliness");
  if (before !== null) sentences.push(`Of the words of the raw text, ${formatPercent(before)} are content.`);
  for (const step of [base, extracted]) {
    const figures = describeFigures(step);
    if (step !== undefined && figures !== undefined) {
      sentences.push(`The extractor ${toOneLine(step.system.system)} alone: ${figures}.`);
    }
  }
  const figures = describeFigures(labelled);
  if (labelled !== undefined && figures !== undefined) {
    const change = describeChange(labelled, base ?? extracted);
    sentences.push(`With a labeller, ${toOneLine(labelled.system.system)}: ${figures}${change}.`);
  }
  return sentences;
}

function describeFigures(step: Placed | undefined): string | undefined {
  const clean = share(step, "wordCleanliness");
  const lost = share(step, "wordLoss");
  if (clean === null || lost === null) return undefined;
  return `${formatPercent(clean)} clean, ${formatPercent(lost)} of the content lost`;
}

function describeChange(labelled: Placed, before: Placed | undefined): string {
  const [after, lost] = [share(labelled, "wordLoss"), share(before, "wordLoss")];
  if (before === undefined || after === null || lost === null) return "";
  const points = `${(Math.abs(after - lost) * 100).toFixed(1)} points`;
  return `; that is ${points} ${after >= lost ? "more" : "less"} lost than by ${toOneLine(before.system.system)} alone`;
}

function describeBest(results: Results, corpus: CorpusScores, { best, labelled }: Steps): string[] {
  const headline = findHeadline(corpus);
  const standing = best === undefined ? undefined : standingOf(best.system, headline);
  if (best === undefined || typeof standing?.value !== "number") return [];
  const placed = placeSystems(results, corpus);
  const level = placed.filter(
    ({ system }) => system !== best.system && isLevel(standingOf(system, headline), standing),
  );
  const value = addInterval(formatMeasure(headline, standing.value), formatInterval(standing));
  const cost = best.system.cost === undefined ? "" : ` at ${formatMs(best.system.cost.cpuMs.mean)} ms a page`;
  const others = level.length === 0 ? "" : `; not clearly behind: ${listNames(level)}`;
  const first = `Best ${findMeasure(headline).title}: ${toOneLine(best.system.system)}, ${value}${cost}${others}.`;
  if (labelled === undefined || labelled.system === best.system) return [first];
  const ranked = placed.filter(({ condition }) => condition !== "raw");
  const own = standingOf(labelled.system, headline)?.value;
  const rank = ranked.findIndex(({ system }) => system === labelled.system) + 1;
  if (typeof own !== "number" || rank === 0) return [first];
  const ours = `Our best with a labeller, ${toOneLine(labelled.system.system)}, is ${ordinal(rank)} of ${ranked.length} with ${formatMeasure(headline, own)}`;
  const ourCost =
    labelled.system.cost === undefined ? "" : ` at ${formatMs(labelled.system.cost.cpuMs.mean)} ms a page`;
  return [first, `${ours}${ourCost}.`];
}

/** The package's default system, and our older systems that it replaces. */
const DEFAULT = "page";
const OLDER = ["readability", "readability+text"];

/** Says where an older system of ours is better than the default, so that readers need not search the tables for it. */
function describeOlder(corpus: CorpusScores): string[] {
  const find = (name: string): SystemScores | undefined =>
    corpus.systems.find(({ system }) => system === name);
  const page = find(DEFAULT);
  if (page === undefined) return [];
  return groupMeasures(corpus).flatMap((measure) => {
    const own = standingOf(page, measure);
    const better = OLDER.flatMap((name) => {
      const older = find(name);
      const standing = older === undefined ? undefined : standingOf(older, measure);
      if (typeof standing?.value !== "number" || standing.value <= (own?.value ?? Infinity)) return [];
      return [
        `${name} (${formatMeasure(measure, standing.value)}${isLevel(own, standing) ? ", not clearly" : ""})`,
      ];
    });
    if (better.length === 0) return [];
    const title = findMeasure(measure).title;
    return [`Better than ${DEFAULT} (${title} ${formatMeasure(measure, own?.value)}): ${better.join(", ")}.`];
  });
}

function listNames(placed: readonly Placed[]): string {
  const names = placed.slice(0, 3).map(({ system }) => shorten(toOneLine(system.system), 32));
  return placed.length > 3 ? `${names.join(", ")} and ${placed.length - 3} more` : names.join(", ");
}

function ordinal(rank: number): string {
  const tens = Math.floor(rank / 10) % 10;
  const suffix = tens === 1 ? "th" : (["th", "st", "nd", "rd"][rank % 10] ?? "th");
  return `${rank}${suffix}`;
}

/** Names the systems that failed on more than 2 % of the documents, because their other figures cover only the rest. */
function describeFailing(results: Results, corpus: CorpusScores): string[] {
  const failing = placeSystems(results, corpus).filter(
    ({ system }) => countFailures(system) * 50 > system.documents,
  );
  if (failing.length === 0) return [];
  return [`Failed on more than 2 % of the documents: ${listNames(failing)}.`];
}
