/** Builds a results file as a run would write it: ten systems, three corpora, gaps, failures and hostile strings. */
import { MEASURES } from "../../../bench/metrics/measures.js";
import type {
  CorpusScores,
  Measured,
  Results,
  ScoredReport,
  ScoreTable,
  ShownDocument,
  StoredProblems,
  SystemScores,
  TypeConfusion,
} from "../../../bench/report/results.js";

export const HOSTILE = `</script><img src=x onerror=alert(1)>"'&|\`*_[a](javascript:alert(1))\u001b[31m\u202e`;

interface Sketch {
  readonly name: string;
  readonly group: "ours" | "rival" | "stored";
  readonly takes: "pages" | "lines" | "both";
  /** Word cleanliness and loss of the first corpus. */
  readonly clean: number;
  readonly loss: number;
  readonly ms?: number;
}

const SKETCHES: readonly Sketch[] = [
  { name: "raw", group: "ours", takes: "both", clean: 0.412, loss: 0 },
  { name: "body", group: "ours", takes: "pages", clean: 0.522, loss: 0.011, ms: 6.4 },
  { name: "readability", group: "ours", takes: "pages", clean: 0.861, loss: 0.142, ms: 18.2 },
  { name: "body+text", group: "ours", takes: "pages", clean: 0.893, loss: 0.081, ms: 9.9 },
  { name: "readability+text", group: "ours", takes: "pages", clean: 0.932, loss: 0.167, ms: 20.7 },
  { name: "text", group: "ours", takes: "lines", clean: 0.87, loss: 0.09, ms: 2.1 },
  { name: "trafilatura", group: "rival", takes: "pages", clean: 0.908, loss: 0.104, ms: 31.5 },
  { name: "justext", group: "rival", takes: "pages", clean: 0.879, loss: 0.201, ms: 27.4 },
  { name: "resiliparse", group: "rival", takes: "pages", clean: 0.842, loss: 0.118, ms: 1.2 },
  { name: HOSTILE, group: "stored", takes: "pages", clean: 0.9, loss: 0.4 },
];

function measured(value: number | null, spread = 0.012): Measured {
  if (value === null) return { value };
  return { value, low: Math.max(-1, value - spread), high: Math.min(1, value + spread) };
}

/** Derives all measures from cleanliness and loss; `has` states which gold the corpus has. */
function tableFrom(clean: number, loss: number, has: readonly string[]): ScoreTable {
  const recall = 1 - loss;
  const f1 = (2 * clean * recall) / (clean + recall);
  const values: Readonly<Record<string, number>> = {
    ...{
      wordCleanliness: clean,
      wordLoss: loss,
      lineCleanliness: clean - 0.05,
      lineLoss: Math.min(1, loss * 1.2),
    },
    ...{
      lineF1: f1 - 0.03,
      lineF1WithFailures: f1 - 0.035,
      macroF1: f1 - 0.05,
      errorReduction: (f1 - 0.7) * 2,
    },
    ...{ wcxbF1: f1 - 0.05, nothingHere: 0.125, falseAlarms: 0.003, pageType: 0.833 },
    ...{
      moved: 0.004,
      wordF1: f1,
      rougeF1: f1 - 0.015,
      segmentF1: f1 + 0.01,
      wordLossWithFailures: loss + 0.002,
    },
  };
  return Object.fromEntries(
    MEASURES.map(({ name, needs }) => [
      name,
      measured(has.includes(needs) ? (values[name] ?? f1 - 0.02) : null),
    ]),
  );
}

function scoredFrom(quality: number): ScoredReport {
  const curve = Array.from({ length: 101 }, (_, step) => {
    const threshold = step / 100;
    const recall = Math.max(0, 1 - threshold ** (6 * quality));
    return {
      threshold,
      precision: recall === 0 ? null : Math.min(0.99, quality + 0.4 * threshold * (1 - quality) * 2.4),
      recall,
    };
  });
  const bins = Array.from({ length: 10 }, (_, bin) => {
    const score = bin === 4 ? null : bin / 10 + 0.05;
    const content = score === null ? null : Math.min(1, Math.max(0, score + (0.5 - score) * 0.12));
    return {
      low: bin / 10,
      high: (bin + 1) / 10,
      lines: score === null ? 0 : bin === 0 || bin === 9 ? 4200 : 240,
      score,
      content,
    };
  });
  const buckets = (names: readonly string[]) =>
    names.map((bucket, index) => ({
      bucket,
      lines: 300 + index * 40,
      accuracy: index === 2 ? null : 0.8 + index * 0.012,
    }));
  return {
    curve,
    averagePrecision: quality + 0.08,
    breakEven: { threshold: 0.47, precision: quality + 0.03, recall: quality + 0.03 },
    calibrationError: 0.034,
    bins,
    byPosition: buckets([
      "first line",
      ...Array.from({ length: 10 }, (_, tenth) => `${tenth * 10}–${tenth * 10 + 10} %`),
    ]),
    byLength: buckets(["0–1", "2–3", "4–6", "7–12", "13–25", "26–50", "51–100", "over 100"]),
  };
}

function documentsOf(name: string): ShownDocument[] {
  if (name.startsWith("body+") || name.startsWith("readability")) {
    return ["news/https-example.org-a-rather-long-identifier-of-a-page-0001", HOSTILE].map((id, index) => ({
      id,
      url:
        index === 0
          ? "https://example.org/news/2024/05/17/a-page?with=parameters&and=more"
          : "javascript:alert(1)",
      lang: index === 0 ? "en" : "ar",
      ...(index === 0 ? { pageType: "article" } : {}),
      lineF1: index === 0 ? 0.412 : null,
      ...(index === 0 ? { bestOther: { system: "trafilatura", lineF1: 0.951 } } : {}),
      lines: [
        { text: "Home News Sport Contact", gold: 0, label: 0, score: 0.021 },
        {
          text: "The harbour was rebuilt after the flood, and the town with it.",
          gold: 1,
          label: 1,
          score: 0.971,
        },
        { text: "By A. Writer, 17 May", gold: 1, label: 0, score: 0.322 },
        { text: "كانت المدينة القديمة هادئة في الصباح.", gold: 1, label: 1, score: 0.91 },
        { text: `Subscribe now ${HOSTILE}`, gold: 0, label: 1, score: 0.63 },
        { text: "A line that nobody could break: ".repeat(12), gold: 1, label: 1, score: 0.99 },
        { text: "x".repeat(300), gold: 0, label: 0, score: 0 },
      ].map(({ score, ...line }) => ({
        ...(line as { text: string; gold: 0 | 1; label: 0 | 1 }), // literals widen in the array above
        ...(name.includes("text") ? { score } : {}),
      })),
      left: 214,
    }));
  }
  return [];
}

interface CorpusSketch {
  readonly corpus: string;
  readonly unit: "pages" | "lines";
  readonly has: readonly string[];
  readonly shift: number;
  readonly documents: number;
  readonly groups: Readonly<Record<string, readonly string[]>>;
  readonly ownMeasures?: readonly string[];
  /** Pages without main content. */
  readonly empty?: number;
}

/** The types that readability+text and a hostile system give to pages of three types. */
const TYPES: Readonly<Record<string, TypeConfusion>> = {
  "readability+text": { article: { article: 70, listing: 10 }, forum: { forum: 30, article: 10 } },
  [HOSTILE]: { article: { [HOSTILE]: 5 } },
};

function systemFrom(
  sketch: Sketch,
  { has, shift, unit, groups, documents, empty = 0 }: CorpusSketch,
): SystemScores {
  const { name, ms } = sketch;
  const clean = Math.min(0.99, sketch.clean + shift);
  const failures: SystemScores["failures"] = {
    crash: name === "trafilatura" ? 2 : 0,
    timeout: name === "trafilatura" ? 1 : 0,
    missing: name === HOSTILE ? 61 : 0,
    reject: 0,
  };
  const isScored = name.includes("text") && name !== HOSTILE && name !== "justext" && has.includes("lines");
  const group = (names: readonly string[]) =>
    Object.fromEntries(
      names.map((label, index) => [
        label,
        {
          documents: 140 - index * 6,
          scores: tableFrom(clean - (index % 5) * 0.03, sketch.loss + (index % 3) * 0.02, has),
        },
      ]),
    );
  return {
    system: name,
    documents,
    failures,
    failed: name === "trafilatura" ? [{ id: "p-17", failure: "crash", detail: HOSTILE }] : [],
    unplaced: name === "raw" ? 0 : 0.006,
    overall: tableFrom(clean, sketch.loss, has),
    nothing: {
      ...{ emptyPages: empty, emptySaid: name === "trafilatura" ? 1 : 0 },
      ...{ fullPages: documents - empty, fullSaid: 2 },
    },
    ...(has.includes("types") && TYPES[name] !== undefined ? { pageTypes: TYPES[name] } : {}),
    groups: Object.fromEntries(Object.entries(groups).map(([key, names]) => [key, group(names)])),
    ...(isScored ? { scored: scoredFrom(name === "body+text" ? 0.84 : 0.8) } : {}),
    ...(name === "raw" || name === "readability+text"
      ? {}
      : {
          versus: {
            ...{ system: "readability+text", measure: "lineF1", documents: documents - 3 },
            ...(name === "trafilatura"
              ? { difference: 0.012, low: 0.002, high: 0.022, p: 0.0004 }
              : { difference: -0.034, low: -0.041, high: -0.027, p: 0.021 }),
          },
        }),
    worst: unit === "pages" && has.includes("lines") ? documentsOf(name) : [],
    ...(ms === undefined
      ? {}
      : {
          cost: {
            pages: documents,
            cpuMs: { mean: ms, p50: ms * 0.7, p99: ms * 6, max: ms * 22 },
            peakBytes: 310e6,
          },
        }),
  };
}

const CORPORA: readonly CorpusSketch[] = [
  {
    ...{ corpus: "cleaneval", unit: "pages", has: ["lines", "text", "types"], shift: 0, documents: 684 },
    ...{ ownMeasures: ["wcxbPrecision", "wcxbRecall", "wcxbF1"], empty: 8 },
    groups: {
      lang: ["en", "de", "fr", "sv", "fi", "es", "zh", "ja", "ar", "ru", "pl", "pt", "it", "nl"],
      pageType: ["article", "forum", "product", "listing", "documentation", HOSTILE],
    },
  },
  {
    ...{ corpus: "trafilatura-eval", unit: "pages", has: ["segments"], shift: -0.02, documents: 990 },
    groups: { lang: ["de"] },
  },
  {
    ...{ corpus: "turku-test", unit: "lines", has: ["lines", "text"], shift: -0.01, documents: 742 },
    groups: { lang: ["fr", "sv", "en"], register: ["narrative", "lyrical"] },
  },
];

function corpusFrom(sketch: CorpusSketch): CorpusScores {
  const { corpus, unit, documents, ownMeasures } = sketch;
  return {
    ...{ corpus, unit, documents },
    ...(ownMeasures === undefined ? {} : { ownMeasures }),
    origin: "https://sigwac.org.uk/cleaneval (a shared task of 2007)",
    licence: "none stated",
    mainContent:
      "The whole text of the page without navigation, link lists, copyright, advertising and templates; titles and comments count.",
    training: "never: for measuring only",
    digest: "sha256:6e0c0f5b93f1d1b7c7d2f0a2f1b9f4f3c8f0a0e1d2c3b4a5968778695a4b3c2d",
    isSample: corpus === "turku-test",
    problems:
      corpus === "cleaneval"
        ? [{ file: "pages.jsonl.gz", line: 12, problem: "duplicate", detail: HOSTILE }]
        : [],
    systems: SKETCHES.filter(({ takes }) => takes === "both" || takes === unit).map((one) =>
      systemFrom(one, sketch),
    ),
  };
}

const AUDIT: StoredProblems = {
  counts: { missing: 61, unknown: 1, repeated: 0, malformed: 2 },
  first: {
    missing: ["p-1", "p-2", HOSTILE],
    unknown: ["p-x"],
    repeated: [],
    malformed: ["a.jsonl:3", "a.jsonl:9"],
  },
};

export const RESULTS: Results = {
  format: "thresher-bench-1",
  date: "2026-11-03T14:25:09.123Z",
  command: "thresher bench cleaneval trafilatura-eval turku-test --systems all",
  version: "0.1.0",
  machine: { cpu: "Some CPU @ 2.40GHz", cores: 2, node: "20.19.0", platform: "linux x64" },
  systems: SKETCHES.map(({ name, group }) => ({
    name,
    group,
    describe: `${name.slice(0, 12)} 1.2.3, published defaults`,
    ...(group === "stored" ? { audit: AUDIT } : {}),
  })),
  unavailable: [{ name: "boilerpy3", why: `no Python here: run npm run bench:rivals ${HOSTILE}` }],
  corpora: CORPORA.map(corpusFrom),
  speed: {
    ...{ pages: "200 pages of fixtures, three times", reference: "readability+text", kind: "cpu" },
    rows: SKETCHES.flatMap(({ name, ms }) =>
      ms === undefined
        ? []
        : [
            {
              ...{ system: name, pages: 600, pagesPerSecond: 1000 / ms, failures: 0 },
              ms: { mean: ms, p50: ms * 0.7, p99: ms * 6, max: ms * 22 },
              peakBytesAboveStart: 120e6,
              start: { wallMs: 410, cpuMs: 380 },
              coreHours: (ms * 2.5e9) / 3.6e6,
              ratio: 20.7 / ms,
            },
          ],
    ),
  },
};

/** The results of a run that could measure nothing. */
export const EMPTY: Results = {
  ...{
    format: "thresher-bench-1",
    date: "2026-11-03T14:25:09.123Z",
    command: "thresher bench",
    version: "0.1.0",
  },
  machine: { cpu: "", cores: 1, node: "20.19.0", platform: "linux x64" },
  ...{ systems: [], unavailable: [], corpora: [] },
};
