/** The turns of many hosts at once into events, as fast as the hosts allow and as somebody takes the events. */
import type { Crew } from "./crew.js";
import { takeTurn } from "./turn.js";
import type { CrawlEvent, CrawlFigures } from "./types.js";

export interface Work {
  readonly events: AsyncGenerator<CrawlEvent>;
  /** Gives up what is under way. Resolves when nothing is, and all that was recorded is durable. */
  stop(): Promise<void>;
  readonly active: number;
  readonly endedBy: CrawlFigures["endedBy"];
}

export interface WorkOptions {
  readonly crew: Crew;
  /** When it aborts, what is under way has some time to end, and what was recorded is still handed over. */
  readonly signal: AbortSignal;
  /** Ends what is under way: the signal of the crew. */
  readonly giveUp: () => void;
  /** Pages and bytes of this crawl before this run. */
  readonly spent: { readonly pages: number; readonly bytes: number };
}

/** Called by the recorder. */
export interface Bell {
  ring: () => void;
  fail: (error: unknown) => void;
}

/** Events that may wait for somebody to take them, and bytes of their pages: beyond, nothing new is asked for. */
const HELD_EVENTS = 256;
const HELD_BYTES = 64 << 20;
/** For what is under way when the signal aborts. */
const DRAIN_MS = 3000;
/** The longest time that a timer of Node can wait. */
const MAX_WAIT_MS = 2 ** 31 - 1;

export function startWork({ crew, signal, giveUp, spent }: WorkOptions, bell: Bell): Work {
  const { frontier, recorder, options, counts } = crew;
  const active = new Set<Promise<void>>();
  let state: "running" | "stopping" | "ended" = "running";
  // Read through a function: it changes while the loops below wait.
  const isIn = (which: typeof state): boolean => state === which;
  let endedBy: CrawlFigures["endedBy"];
  let failure: { readonly error: unknown } | undefined;
  let wakeWork = (): void => undefined;
  let wakeReader = (): void => undefined;

  const pagesLeft = (): number => options.budgets.pages - spent.pages - counts.pages;
  const isSpent = (): boolean => pagesLeft() <= 0 || spent.bytes + counts.bytes >= options.budgets.bytes;
  const hasRoom = (): boolean => {
    const held = recorder.held();
    // Any turn may give a page.
    return (
      active.size < Math.min(options.politeness.hosts, pagesLeft()) &&
      held.events + active.size < HELD_EVENTS &&
      held.bytes < HELD_BYTES
    );
  };
  const beginStop = (reason: CrawlFigures["endedBy"]): void => {
    if (!isIn("running")) return;
    state = "stopping";
    endedBy = reason;
    wakeWork();
  };
  bell.ring = () => {
    wakeReader();
  };
  bell.fail = (error) => {
    // What is given up because of the stop is no failure of its own.
    if (!crew.signal.aborted) failure ??= { error };
    beginStop(undefined);
    giveUp();
  };
  const launch = (): void => {
    while (hasRoom()) {
      const host = frontier.take(Date.now());
      if (host === undefined) return;
      const turn = takeTurn(host, crew)
        .catch(bell.fail)
        .finally(() => {
          active.delete(turn);
          wakeWork();
        });
      active.add(turn);
    }
  };
  const pause = (): Promise<void> => {
    const next = hasRoom() && !isSpent() ? frontier.nextTime() : undefined;
    return new Promise((resolve) => {
      const wait = next === undefined ? MAX_WAIT_MS : Math.min(Math.max(next - Date.now(), 1), MAX_WAIT_MS);
      const timer = setTimeout(resolve, wait);
      wakeWork = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  };
  const work = async (): Promise<void> => {
    while (isIn("running")) {
      if (isSpent()) {
        if (active.size === 0) endedBy = "budget";
      } else launch();
      if (active.size === 0 && (isSpent() || frontier.nextTime() === undefined)) break;
      await pause();
    }
    const timer = setTimeout(giveUp, DRAIN_MS);
    await Promise.all(active);
    clearTimeout(timer);
    await recorder.flush();
  };
  const onAbort = (): void => {
    beginStop("signal");
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort);
  const worked = work()
    .catch((error: unknown) => {
      failure ??= { error };
    })
    .finally(() => {
      state = "ended";
      signal.removeEventListener("abort", onAbort);
      wakeReader();
    });
  const stop = async (): Promise<void> => {
    beginStop("signal");
    giveUp();
    await worked;
  };
  const read = async function* (): AsyncGenerator<CrawlEvent> {
    try {
      for (;;) {
        const event = recorder.take();
        if (event !== undefined) {
          wakeWork();
          yield event;
        } else if (isIn("ended")) break;
        else await new Promise<void>((resolve) => (wakeReader = resolve));
      }
      if (failure !== undefined) throw failure.error;
    } finally {
      await stop();
    }
  };
  return {
    events: read(),
    stop,
    get active() {
      return active.size;
    },
    get endedBy() {
      return endedBy;
    },
  };
}
