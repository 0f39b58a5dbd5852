/**
 * Runs the turns of many hosts at once and yields their events, as fast as the hosts allow and the reader takes them.
 */
import type { Crew } from "./turns/crew.js";
import { takeTurn } from "./turns/turn.js";
import type { CrawlEvent, CrawlFigures } from "./types.js";
import { MAX_TIMER_MS } from "../time/max-timer.js";

interface RunOptions {
  readonly crew: Crew;
  /** Aborts the signal of the crew, which ends the exchanges in progress. */
  readonly giveUp: () => void;
  /** Pages and bytes of this crawl before this run. */
  readonly spent: { readonly pages: number; readonly bytes: number };
}

/** Events that may wait to be read, and bytes of their pages: above these, no new request is sent. */
const HELD_EVENTS = 256;
const HELD_BYTES = 64 << 20;
/** Milliseconds that exchanges in progress have to finish when the run ends. */
const DRAIN_MS = 3000;

/** A run of a crawl, which starts at once. The caller must stop it, or read its events to the end. */
export class CrawlRun {
  endedBy: CrawlFigures["endedBy"];
  readonly startedAt = Date.now();
  readonly #crew: Crew;
  readonly #giveUp: () => void;
  readonly #spent: RunOptions["spent"];
  readonly #active = new Set<Promise<void>>();
  #state: "running" | "stopping" | "ended" = "running";
  #failure: { readonly error: unknown } | undefined;
  #wakeWork = (): void => undefined;
  #wakeReader = (): void => undefined;
  readonly #worked: Promise<void>;

  constructor({ crew, giveUp, spent }: RunOptions) {
    this.#crew = crew;
    this.#giveUp = giveUp;
    this.#spent = spent;
    this.#worked = this.#work()
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => {
        this.#state = "ended";
        this.#wakeReader();
      });
  }

  /** The number of hosts with a turn in progress. */
  get active(): number {
    return this.#active.size;
  }

  /** The number of pages that the budget still allows. */
  get pagesLeft(): number {
    return this.#crew.options.budgets.pages - this.#spent.pages - this.#crew.counts.pages;
  }

  /** Whether an error ended it. */
  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** Wakes the reader, because there may be events to take, and the work, because seeds may have been added. */
  notify(): void {
    this.#wakeReader();
    this.#wakeWork();
  }

  /** Ends the run because of an error, which is then thrown from `events`. */
  fail(error: unknown): void {
    // Aborted exchanges throw as well; that is no failure of the run.
    if (!this.#crew.signal.aborted) this.#failure ??= { error };
    this.end(undefined);
    this.#giveUp();
  }

  /** Starts nothing new. Exchanges in progress have some time to finish, and recorded events are still yielded. */
  end(reason: CrawlFigures["endedBy"]): void {
    if (this.#state !== "running") return;
    this.#state = "stopping";
    this.endedBy = reason;
    this.#wakeWork();
  }

  /** Aborts what is in progress. Resolves when all work has ended, and all that was recorded is durable. */
  async stop(): Promise<void> {
    this.end("signal");
    this.#giveUp();
    await this.#worked;
  }

  /** Yields the events as they become durable. */
  async *events(): AsyncGenerator<CrawlEvent> {
    try {
      for (;;) {
        const event = this.#crew.recorder.take();
        if (event !== undefined) {
          this.#wakeWork();
          yield event;
        } else if (this.#state === "ended") break;
        else await new Promise<void>((resolve) => (this.#wakeReader = resolve));
      }
      if (this.#failure !== undefined) throw this.#failure.error;
    } finally {
      await this.stop();
    }
  }

  async #work(): Promise<void> {
    const { frontier, recorder } = this.#crew;
    // The constructor must return before the first turn begins.
    await Promise.resolve();
    while (this.#state === "running") {
      const isSpent = this.#isSpent();
      if (!isSpent) this.#launch();
      if (this.#active.size === 0 && (isSpent || frontier.nextTime() === undefined)) break;
      await this.#pause(isSpent);
    }
    const timer = setTimeout(this.#giveUp, DRAIN_MS);
    await Promise.all(this.#active);
    clearTimeout(timer);
    await recorder.flush();
  }

  #launch(): void {
    while (this.#hasRoom()) {
      const host = this.#crew.frontier.take(Date.now());
      if (host === undefined) return;
      const turn = takeTurn(host, this.#crew)
        .catch((error: unknown) => {
          this.fail(error);
        })
        .finally(() => {
          this.#active.delete(turn);
          this.#wakeWork();
        });
      this.#active.add(turn);
    }
  }

  /** Waits until a turn ends, an event is taken, or a host may be asked again. */
  #pause(isSpent: boolean): Promise<void> {
    const next = this.#hasRoom() && !isSpent ? this.#crew.frontier.nextTime() : undefined;
    return new Promise((resolve) => {
      const wait = next === undefined ? MAX_TIMER_MS : Math.min(Math.max(next - Date.now(), 1), MAX_TIMER_MS);
      const timer = setTimeout(resolve, wait);
      this.#wakeWork = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #isSpent(): boolean {
    const { options, counts } = this.#crew;
    return this.pagesLeft <= 0 || this.#spent.bytes + counts.bytes >= options.budgets.bytes;
  }

  #hasRoom(): boolean {
    const { recorder, options } = this.#crew;
    const held = recorder.held();
    return (
      // Each turn in progress may fetch a page.
      this.#active.size < Math.min(options.politeness.hosts, this.pagesLeft) &&
      held.events + this.#active.size < HELD_EVENTS &&
      held.bytes < HELD_BYTES
    );
  }
}
