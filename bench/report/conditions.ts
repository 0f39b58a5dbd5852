/** Sorts the systems of a corpus into the steps of cleaning: raw, extracted, extracted and labelled, and the rivals beside them. */
import { HEADLINES, type MeasureName } from "../metrics/measures.js";
import type { CorpusScores, Measured, Results, SystemScores } from "./results.js";

export type Condition = "raw" | "extracted" | "labelled" | "rival" | "stored";

export interface Placed {
  readonly system: SystemScores;
  readonly condition: Condition;
  /** Of our own systems, where the name says it. */
  readonly extractor?: string;
}

/** What each condition is called in a legend. */
export const CONDITION_TITLES: Readonly<Record<Condition, string>> = {
  raw: "raw: nothing removed",
  extracted: "Thresher, extractor only",
  labelled: "Thresher, with a labeller",
  rival: "another program",
  stored: "stored outputs",
};

const OUR_PREFIX = "ours:";
/** The one short name that is an extractor's and means the labeller of that name, too. */
const BOTH = "page";

/** The systems of a corpus with their conditions: raw first, the rest by their standing, the best first. */
export function placeSystems(results: Results, corpus: CorpusScores): Placed[] {
  const groups = new Map(results.systems.map(({ name, group }) => [name, group]));
  const placed = corpus.systems.map((system): Placed => {
    const group = groups.get(system.system) ?? "stored";
    if (group !== "ours") return { system, condition: group };
    if (system.system === "raw") return { system, condition: "raw" };
    const { extractor, labeller } = readName(system.system, corpus.unit);
    return {
      system,
      condition: labeller === "none" ? "extracted" : "labelled",
      ...(extractor === undefined ? {} : { extractor }),
    };
  });
  const headline = findHeadline(corpus);
  const rank = ({ system, condition }: Placed): number =>
    condition === "raw" ? Infinity : (standingOf(system, headline)?.value ?? -Infinity);
  // a difference of two infinities is no number
  return placed.sort((a, b) => (rank(a) === rank(b) ? 0 : rank(a) < rank(b) ? 1 : -1));
}

/** `readability+text`, `readability`, `page` (a labeller on corpora of lines), `ours:extractor=body,labeller=text`. */
function readName(
  name: string,
  unit: CorpusScores["unit"],
): { readonly extractor?: string; readonly labeller?: string } {
  if (name.startsWith(OUR_PREFIX)) {
    const settings = new Map(
      name
        .slice(OUR_PREFIX.length)
        .split(",")
        .map((part): [string, string] => {
          const equals = part.indexOf("=");
          return [part.slice(0, Math.max(0, equals)), part.slice(equals + 1)];
        }),
    );
    const [extractor, labeller] = [settings.get("extractor"), settings.get("labeller")];
    return {
      ...(extractor === undefined ? {} : { extractor }),
      ...(labeller === undefined ? {} : { labeller }),
    };
  }
  if (unit === "lines") return { labeller: name };
  const [extractor = name, labeller = name === BOTH ? name : "none"] = name.split("+");
  return { extractor, labeller };
}

/** The measure that represents a corpus: the first headline that any system has a value of. */
export function findHeadline(corpus: CorpusScores): MeasureName {
  const found = HEADLINES.find((name) =>
    corpus.systems.some(({ overall }) => typeof overall[name]?.value === "number"),
  );
  return found ?? HEADLINES[0];
}

/** Headlines of which a failed page is no part, and the form in which it counts as nothing returned. */
const WITH_FAILURES: Readonly<Partial<Record<MeasureName, MeasureName>>> = {
  lineF1: "lineF1WithFailures",
  wordF1: "wordF1WithFailures",
};

/**
 * The headline by which systems are compared, in the form where a failed page counts as nothing returned: else a
 * system could win by failing on the hard pages. (For the snippets of `segmentF1` such a page is an empty text as it is.)
 */
export function standingOf(system: SystemScores, headline: MeasureName): Measured | undefined {
  const withFailures = system.overall[WITH_FAILURES[headline] ?? headline];
  return typeof withFailures?.value === "number" ? withFailures : system.overall[headline];
}

export interface Steps {
  readonly raw?: Placed;
  /** Our best extractor alone. */
  readonly extracted?: Placed;
  /** The extractor of `labelled` alone, where that is another one. */
  readonly base?: Placed;
  readonly labelled?: Placed;
  /** The best of the other programs; a stored output only where no other ran. */
  readonly rival?: Placed;
  /** The best of all, raw included. */
  readonly best?: Placed;
}

/** The steps to show: our best extractor alone, our best combination with a labeller, and the best rival. */
export function findSteps(results: Results, corpus: CorpusScores): Steps {
  const placed = placeSystems(results, corpus);
  const headline = findHeadline(corpus);
  const first = (isWanted: (item: Placed) => boolean): Placed | undefined => placed.find(isWanted);
  const raw = first(({ condition }) => condition === "raw");
  const labelled = first(({ condition }) => condition === "labelled");
  const extracted = first(({ condition, extractor }) => condition === "extracted" && extractor !== undefined);
  const base = first(
    ({ condition, extractor }) =>
      condition === "extracted" && extractor !== undefined && extractor === labelled?.extractor,
  );
  const rival =
    first(({ condition }) => condition === "rival") ?? first(({ condition }) => condition === "stored");
  const best = [...placed].sort(
    (a, b) => (standingOf(b.system, headline)?.value ?? -2) - (standingOf(a.system, headline)?.value ?? -2),
  )[0];
  return {
    ...(raw === undefined ? {} : { raw }),
    ...(extracted === undefined ? {} : { extracted }),
    ...(base === undefined || base === extracted ? {} : { base }),
    ...(labelled === undefined ? {} : { labelled }),
    ...(rival === undefined ? {} : { rival }),
    ...(best === undefined ? {} : { best }),
  };
}

/** Whether the interval of a system reaches that of the best: then who of them is better is open. */
export function isLevel(system: Measured | undefined, best: Measured | undefined): boolean {
  if (system?.high === undefined || best?.low === undefined) return false;
  return system.high >= best.low;
}
