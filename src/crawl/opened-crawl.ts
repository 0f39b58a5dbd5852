/** Runs a crawl in its open folder: adds seeds, yields events, and records what the caller has confirmed. */
import { setMaxListeners } from "node:events";
import { join } from "node:path";
import type { Transport } from "../acquire/http/transport.js";
import { OutputError, reject, UsageError } from "../outcome.js";
import { createRandom } from "../random.js";
import type { WarcArchive } from "../write/warc/warc-archive.js";
import { askAgain, askAllAgain, askFailedAgain } from "./ask-again.js";
import { estimateMsLeft, listOutcomes, readFigures } from "./crawl-figures.js";
import type { ResolvedOptions } from "./crawl-options.js";
import { CrawlRun } from "./crawl-run.js";
import { createCounts, type Crew } from "./turns/crew.js";
import { planFetches } from "./plan.js";
import type { Scope } from "./reach/scope.js";
import { openRecorder, type Recorder } from "./recorder.js";
import { replayEvents } from "./replay.js";
import { MAX_DELAY_MS } from "./robots/politeness.js";
import { openRobotsKeeper, type RobotsKeeper } from "./robots/robots-keeper.js";
import { addSeeds, type Refusal, type Seeds } from "./seed-entries.js";
import { createFrontier, hostNameOf, type Frontier } from "./state/frontier.js";
import type { Store } from "./state/store.js";
import type { NewEntry } from "./state/url-table.js";
import type {
  CleanReject,
  Crawl,
  CrawlEvent,
  CrawlFigures,
  CrawlOutcome,
  PlannedFetch,
  SeedFigures,
} from "./types.js";

/** What `openCrawl` has opened. */
interface OpenedParts {
  readonly options: ResolvedOptions;
  readonly scope: Scope;
  readonly store: Store;
  readonly archive: WarcArchive | undefined;
  readonly transport: Transport;
  readonly closeAll: () => Promise<void>;
}

/** The parts of a run in progress. */
interface Running {
  readonly run: CrawlRun;
  readonly frontier: Frontier;
  readonly recorder: Recorder;
}

/** A crawl whose state, archive and connections are open; `#running` is set during a run. */
export class OpenedCrawl implements Crawl {
  readonly #parts: OpenedParts & { readonly robots: RobotsKeeper };
  #counts = createCounts();
  #running: Running | undefined;
  #isBusy = false;
  #endedBy: CrawlFigures["endedBy"];
  /** Whether a run has failed; then the state of the archive is unknown, and nothing more may become durable. */
  #isBroken = false;
  /** Whether the crawl was complete before seeds were added. */
  #wasComplete = false;
  #closing: Promise<void> | undefined;
  #isClosed = false;

  constructor(parts: OpenedParts) {
    const { options, store } = parts;
    const robots = openRobotsKeeper({
      hosts: store.hosts,
      userAgent: options.transport.userAgent,
      robotsMs: options.politeness.robotsMs,
    });
    this.#parts = { ...parts, robots };
  }

  async add(seeds: Seeds): Promise<SeedFigures> {
    this.#checkOpen();
    this.#wasComplete ||= this.#running === undefined && isComplete(this.#parts.store);
    return addSeeds(seeds, {
      scope: this.#parts.scope,
      add: (entry) => this.#running?.frontier.add(entry) ?? this.#addWaiting(entry),
      refuse: (entry, why) => this.#refuse(entry, why),
      commit: () => this.#commit(),
    });
  }

  async *run(signal: AbortSignal): AsyncGenerator<CrawlEvent> {
    if (this.#isBusy || this.#closing !== undefined)
      throw new UsageError("the crawl is already running, or closed");
    this.#checkWhole();
    this.#isBusy = true;
    this.#endedBy = undefined;
    const end = (): void => {
      this.#running?.run.end("signal");
    };
    signal.addEventListener("abort", end);
    try {
      const { options, store } = this.#parts;
      this.#beginRecrawl();
      const { maxBytes } = options.transport;
      const isOver = (): boolean => this.#closing !== undefined || signal.aborted;
      yield* replayEvents({ store, warcDir: join(options.dir, "warc"), maxBytes, isOver });
      if (isOver()) return;
      this.#askAgain();
      this.#running = this.#start();
      yield* this.#running.run.events();
    } finally {
      signal.removeEventListener("abort", end);
      try {
        await this.#finishRun();
      } finally {
        this.#isBusy = false;
      }
    }
  }

  async confirm(through: number, rejects: readonly CleanReject[] = []): Promise<void> {
    this.#checkOpen();
    const { store } = this.#parts;
    for (const { number, reason, detail } of rejects) store.urls.rejectClean(number, reason, detail);
    const confirmed = Math.min(through, store.marks.recorded);
    if (confirmed > store.marks.confirmed) store.mark({ confirmed });
    await this.#commit();
  }

  plan(signal: AbortSignal, limit?: number): AsyncGenerator<PlannedFetch> {
    this.#checkOpen();
    this.#beginRecrawl();
    this.#askAgain();
    const frontier = { add: (entry: NewEntry) => this.#addWaiting(entry) };
    const tools = { ...this.#parts, frontier, counts: this.#counts, signal };
    return planFetches(tools, limit);
  }

  outcomes(): AsyncGenerator<CrawlOutcome> {
    this.#checkOpen();
    return listOutcomes(this.#parts.store, () => this.#endedBy === "budget");
  }

  figures(): CrawlFigures {
    this.#checkOpen();
    const running = this.#running;
    const { store, options } = this.#parts;
    const counts = this.#counts;
    return readFigures({
      ...{ store, counts },
      msLeft:
        running &&
        estimateMsLeft(store, {
          ...{ counts, options },
          startedAt: running.run.startedAt,
          pagesLeft: running.run.pagesLeft,
        }),
      endedBy: running?.run.endedBy ?? this.#endedBy,
      hostsActive: running?.run.active ?? 0,
      hostsWaiting: running?.frontier.size(),
    });
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#finishAndClose());
  }

  async #finishAndClose(): Promise<void> {
    try {
      await this.#finishRun();
    } finally {
      this.#isClosed = true;
      await this.#parts.closeAll();
    }
  }

  #beginRecrawl(): void {
    const { options, store } = this.#parts;
    if (options.recrawl && (this.#wasComplete || isComplete(store))) askAllAgain(this.#parts);
    this.#wasComplete = false;
  }

  #askAgain(): void {
    askAgain(this.#parts);
    if (isComplete(this.#parts.store)) askFailedAgain(this.#parts);
  }

  /** Adds an entry when no run is in progress. */
  #addWaiting(entry: NewEntry): boolean {
    const { urls, hosts } = this.#parts.store;
    return urls.add(entry, hosts.idOf(hostNameOf(entry.url)));
  }

  /** Records a seed that may not be fetched as a reject. */
  async #refuse(entry: NewEntry, { reason, detail }: Refusal): Promise<void> {
    const { store } = this.#parts;
    if (!this.#addWaiting(entry)) return;
    const id = store.urls.idOf(entry.url) ?? 0;
    const finish = { result: "rejected", attempts: 0, reason, detail } as const;
    const outcome = reject({ id: entry.url, url: entry.url }, "acquire", reason, detail);
    if (this.#running !== undefined) return this.#running.recorder.record({ id, finish, outcome });
    const number = store.marks.recorded + 1;
    store.mark({ recorded: number });
    store.urls.finish(id, { ...finish, number });
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new UsageError("the crawl is closed");
  }

  #checkWhole(): void {
    if (this.#isBroken) throw new OutputError("the crawl failed; open it again to continue");
  }

  /** Makes the state durable. During a run, only its recorder knows how far the archive was written. */
  async #commit(): Promise<void> {
    this.#checkWhole();
    if (this.#running === undefined) this.#parts.store.commit();
    else await this.#running.recorder.flush();
  }

  #start(): Running {
    const { options, store, archive, scope, transport, robots } = this.#parts;
    const { politeness, budgets } = options;
    const resumedAt = store.marks.isRunning === 1 ? Date.now() : 0;
    const { reach } = store.marks;
    store.mark({ isRunning: 1, ...(reach === "" && { reach: JSON.stringify(options.scope) }) });
    store.commit();
    this.#counts = createCounts();
    const frontier = createFrontier({
      store,
      pagesPerHost: budgets.pagesPerHost,
      notBefore: resumedAt === 0 ? 0 : resumedAt + politeness.delayMs,
      longestRestMs: Math.max(politeness.maxRetryAfterMs, MAX_DELAY_MS),
    });
    const recorder = openRecorder({
      store,
      archive,
      onReady: () => {
        run.notify();
      },
      onFailure: (error) => {
        run.fail(error);
      },
    });
    const end = new AbortController();
    // Each exchange in progress listens to the signal, so many listeners are no leak.
    setMaxListeners(0, end.signal);
    const crew: Crew = {
      ...{ options, store, frontier, recorder, scope, transport, robots },
      resumedAt,
      signal: end.signal,
      random: createRandom(politeness.randomSeed),
      counts: this.#counts,
    };
    const giveUp = (): void => {
      end.abort();
    };
    const run = new CrawlRun({
      crew,
      giveUp,
      spent: { pages: countPages(store), bytes: store.urls.bytes() },
    });
    return { run, frontier, recorder };
  }

  async #finishRun(): Promise<void> {
    const { store } = this.#parts;
    const running = this.#running;
    if (running === undefined) return;
    await running.run.stop();
    if (this.#running !== running) return;
    this.#running = undefined;
    this.#isBroken = running.run.hasFailed;
    if (this.#isBroken) return;
    // If no signal ended the run, the URLs that still wait exceed a budget.
    const isLeft = store.hosts.countWaiting().urls > 0;
    this.#endedBy = isLeft ? (running.run.endedBy ?? "budget") : undefined;
    store.mark({ isRunning: 0 });
    store.commit();
  }
}

/** Whether all URLs of a crawl are done, and the caller has confirmed all events. */
function isComplete({ marks, hosts }: Store): boolean {
  return marks.confirmed >= marks.recorded && hosts.countWaiting().urls === 0;
}

/** Counts the pages that were fetched in all runs. */
function countPages({ urls }: Store): number {
  return urls
    .tallies()
    .filter(({ result }) => result === "page")
    .reduce((sum, { count }) => sum + count, 0);
}
