/** The figures of a run into the JSON of `--stats`. What is under "run" depends on the machine; the rest on the input alone. */
import { findTime, sumRows, type Figures } from "../shard/figures.js";
import { openFile } from "../write/sink.js";

export interface RunFacts {
  readonly version: string;
  readonly fingerprint: string;
  readonly passedOver: Readonly<Record<string, number>>;
  readonly workers: number;
  /** Time of all runs, where the last one went on with what others had done. */
  readonly seconds: number;
  readonly bytesRead: number;
  /** Whether there were several. */
  readonly isResumed: boolean;
  /** What a crawl knows besides. */
  readonly crawl?: Readonly<Record<string, unknown>>;
}

export async function writeStats(path: string, figures: Figures, facts: RunFacts): Promise<void> {
  const sink = await openFile(path);
  await sink.write(`${JSON.stringify(toStats(figures, facts), undefined, 2)}\n`);
  await sink.close();
}

function toStats(figures: Figures, facts: RunFacts): Readonly<Record<string, unknown>> {
  const { version, fingerprint, passedOver, workers, seconds, bytesRead, isResumed } = facts;
  const { documents, rejects, reasons, notes, languages, slowest } = figures;
  const rate = (count: number): number => (seconds > 0 ? round(count / seconds) : 0);
  return {
    version,
    fingerprint,
    documents,
    rejects,
    reasons: sortKeys(reasons),
    notes: sortKeys(notes),
    recordsWithoutPage: sortKeys(passedOver),
    ...(facts.crawl === undefined ? {} : { crawl: facts.crawl }),
    corpus: sumRows(Object.values(languages)),
    languages: sortKeys(languages),
    run: {
      workers,
      isResumed,
      seconds: round(seconds),
      documentsPerSecond: rate(documents + rejects),
      megabytesPerSecond: rate(bytesRead / 1e6),
      peakMemoryMegabytes: Math.round(process.resourceUsage().maxRSS / 1024),
      msPerDocument: Object.fromEntries(
        [0.5, 0.9, 0.99].map((share) => [`p${share * 100}`, findTime(figures, share)]),
      ),
      slowest,
    },
  };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** The order in which something was met may differ where a run went on with another one. */
function sortKeys<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
