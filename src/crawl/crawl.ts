/** Seeds into pages: a crawl in a folder, which one process works on, and which any later one goes on with. */
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { openTransport, type Transport } from "../acquire/transport.js";
import { OutputError, reject, UsageError } from "../outcome.js";
import { takeLock } from "../shard/lock.js";
import { firstWarc, openWarc, type WarcArchive } from "../write/warc.js";
import type { Counts, Crew } from "./crew.js";
import { readFigures } from "./figures.js";
import { createFrontier, hostNameOf } from "./frontier.js";
import { resolveOptions, type ResolvedOptions } from "./options.js";
import { listOutcomes } from "./outcomes.js";
import { planFetches } from "./plan.js";
import { createRandom } from "./politeness.js";
import { openRecorder } from "./recorder.js";
import { replayEvents } from "./replay.js";
import { openRobotsKeeper } from "./robots-keeper.js";
import { startWork, type Bell, type Work } from "./run.js";
import { openScope, type Scope } from "./scope.js";
import { addSeeds, type Refusal } from "./seeds.js";
import { openStore, type Store } from "./store.js";
import type { Crawl, CrawlEvent, CrawlOptions } from "./types.js";
import type { NewEntry } from "./url-table.js";

/** Folders that this process works in: the lock keeps only others out. */
const OPEN = new Set<string>();

/**
 * Throws OutputError where another process works in the folder or what is in it is damaged, UsageError where the state
 * is of another version or the options make no sense.
 */
export async function openCrawl(options: CrawlOptions): Promise<Crawl> {
  const resolved = resolveOptions(options);
  const scope = openScope(resolved.scope);
  const stateDir = await makeFolder(join(options.dir, "state"));
  if (OPEN.has(stateDir)) throw new OutputError(`a crawl in ${options.dir} is open already`);
  OPEN.add(stateDir);
  const closers: (() => Promise<void> | void)[] = [() => void OPEN.delete(stateDir)];
  const closeAll = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const lock = await takeLock(join(stateDir, "lock"), `the crawl in ${options.dir}`);
    closers.push(() => lock.release());
    const store = openStore(stateDir);
    closers.push(() => {
      store.close();
    });
    const archive = resolved.warc ? await openArchive(resolved, store) : undefined;
    if (archive !== undefined) closers.push(() => archive.close());
    const transport = openTransport({
      version: resolved.version,
      ...resolved.transport,
      connections: 1,
      keepRaw: resolved.warc,
    });
    closers.push(() => transport.close());
    return createCrawl({ options: resolved, scope, store, archive, transport, closeAll });
  } catch (error) {
    await closeAll();
    throw error;
  }
}

async function makeFolder(path: string): Promise<string> {
  try {
    await mkdir(path, { recursive: true });
    return await realpath(path);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new OutputError(`cannot make the folder ${path}: ${message}`, { cause });
  }
}

async function openArchive(options: ResolvedOptions, store: Store): Promise<WarcArchive> {
  const dir = join(options.dir, "warc");
  const { warcFile, warcBytes } = store.marks;
  const mark = warcFile === 0 ? firstWarc(dir) : { file: warcFile, bytes: warcBytes };
  if (warcFile === 0) {
    // What is begun and not marked is taken away after a break.
    store.mark({ warcFile: mark.file });
    store.commit();
  }
  const { userAgent, contact } = options.transport;
  const name = `Thresher/${options.version}`;
  return openWarc({
    dir,
    mark,
    maxBytes: options.warcBytes,
    info: [
      ["software", name],
      ["format", "WARC File Format 1.1"],
      ["conformsTo", "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"],
      ["http-header-user-agent", userAgent ?? (contact === undefined ? name : `${name} (+${contact})`)],
      ["robots", options.robots],
    ],
  });
}

interface Parts {
  readonly options: ResolvedOptions;
  readonly scope: Scope;
  readonly store: Store;
  readonly archive: WarcArchive | undefined;
  readonly transport: Transport;
  readonly closeAll: () => Promise<void>;
}

interface Running {
  readonly crew: Crew;
  readonly work: Work;
}

function createCrawl(parts: Parts): Crawl {
  const { options, scope, store, transport } = parts;
  const { userAgent } = options.transport;
  const robots = openRobotsKeeper({ hosts: store.hosts, userAgent, robotsMs: options.politeness.robotsMs });
  const counts: Counts = {
    pages: 0,
    exchanges: 0,
    bytes: 0,
    retried: 0,
    leftOut: { "out-of-scope": 0, trap: 0, nofollow: 0 },
  };
  let running: Running | undefined;
  let isBusy = false;
  let endedBy: Work["endedBy"];
  let closing: Promise<void> | undefined;
  /** While a run is under way only its recorder knows how far the archive is. */
  const commit = async (): Promise<void> => {
    if (running === undefined) store.commit();
    else await running.crew.recorder.flush();
  };
  const addWaiting = (entry: NewEntry): boolean =>
    store.urls.add(entry, store.hosts.idOf(hostNameOf(entry.url)));
  const refuse = async (entry: NewEntry, { reason, detail }: Refusal): Promise<void> => {
    if (!addWaiting(entry)) return;
    const id = store.urls.idOf(entry.url) ?? 0;
    const finish = { result: "rejected", reason, detail } as const;
    const outcome = reject({ id: entry.url, url: entry.url }, "acquire", reason, detail);
    if (running !== undefined) return running.crew.recorder.record({ id, finish, outcome });
    const number = store.marks.recorded + 1;
    store.mark({ recorded: number });
    store.urls.finish(id, { ...finish, number });
  };
  const start = (signal: AbortSignal): Running => {
    const end = new AbortController();
    const bell: Bell = { ring: () => undefined, fail: () => undefined };
    const wasRunning = store.marks.isRunning === 1;
    const spent = { pages: countPages(store), bytes: store.urls.bytes() };
    Object.assign(counts, { pages: 0, exchanges: 0, bytes: 0, retried: 0 });
    const crew: Crew = {
      options,
      store,
      robots,
      scope,
      transport,
      signal: end.signal,
      random: createRandom(options.politeness.randomSeed),
      counts,
      frontier: createFrontier({
        store,
        pagesPerHost: options.budgets.pagesPerHost,
        notBefore: wasRunning ? Date.now() + options.politeness.delayMs : 0,
      }),
      recorder: openRecorder({
        store,
        archive: parts.archive,
        onReady: () => {
          bell.ring();
        },
        onFailure: (error) => {
          bell.fail(error);
        },
      }),
    };
    store.mark({ isRunning: 1 });
    store.commit();
    const giveUp = (): void => {
      end.abort();
    };
    return { crew, work: startWork({ crew, signal, giveUp, spent }, bell) };
  };
  async function* run(signal: AbortSignal): AsyncGenerator<CrawlEvent> {
    if (isBusy || closing !== undefined) throw new UsageError("the crawl is running already, or closed");
    isBusy = true;
    endedBy = undefined;
    try {
      const warcDir = join(options.dir, "warc");
      const { maxBytes } = options.transport;
      if (options.recrawl && isComplete(store)) store.urls.requeueAll();
      yield* replayEvents({ store, warcDir, maxBytes, signal });
      if (isClosing() || signal.aborted) return;
      running = start(signal);
      yield* running.work.events;
    } finally {
      if (running !== undefined) await finishRun(running);
      isBusy = false;
    }
  }
  const isClosing = (): boolean => closing !== undefined;
  const finishRun = async ({ work }: Running): Promise<void> => {
    await work.stop();
    const { urls } = store.hosts.countWaiting();
    // What waits although nothing stopped the run is what each host may have no more of.
    endedBy = work.endedBy ?? (urls > 0 ? "budget" : undefined);
    running = undefined;
    if (store.marks.isRunning === 0) return;
    store.mark({ isRunning: 0 });
    store.commit();
  };
  const close = async (): Promise<void> => {
    if (running !== undefined) await finishRun(running);
    await parts.closeAll();
  };
  return {
    run,
    add: (seeds) =>
      addSeeds(seeds, {
        scope,
        refuse,
        add: (entry) => (running === undefined ? addWaiting(entry) : running.crew.frontier.add(entry)),
        commit,
      }),
    async confirm(through, rejects = []) {
      for (const { number, reason, detail } of rejects) store.urls.rejectClean(number, reason, detail);
      if (through > store.marks.confirmed) store.mark({ confirmed: Math.min(through, store.marks.recorded) });
      await commit();
    },
    plan: (signal, limit) => planFetches({ options, store, robots, transport, counts, signal }, limit),
    outcomes: () => listOutcomes(store, () => endedBy === "budget"),
    figures: () =>
      readFigures({
        store,
        counts,
        endedBy: running?.work.endedBy ?? endedBy,
        hostsActive: running?.work.active ?? 0,
        hostsWaiting: running?.crew.frontier.size(),
      }),
    close: () => (closing ??= close()),
  };
}

/** Whether all that a crawl knew has ended, and the caller has all of it. */
function isComplete({ marks, hosts }: Store): boolean {
  return marks.recorded > 0 && marks.confirmed >= marks.recorded && hosts.countWaiting().urls === 0;
}

function countPages({ urls }: Store): number {
  return urls
    .tallies()
    .filter(({ result }) => result === "page")
    .reduce((sum, { count }) => sum + count, 0);
}
