/**
 * Runs the turns of many hosts at once and gives their events, as fast as the hosts allow and as the reader takes them.
 */
import type { Crew } from "./turns/crew.js";
import { takeTurn } from "./turns/turn.js";
import type { CrawlEvent, CrawlFigures } from "./types.js";
import { MAX_TIMER_MS } from "../time/max-timer.js";

interface RunOptions {
  readonly crew: Crew;
  /** Ends what is under way: aborts the signal of the crew. */
  readonly giveUp: () => void;
  /** Pages and bytes of this crawl before this run. */
  readonly spent: { readonly pages: number; readonly bytes: number };
}

/** Events that may wait to be taken, and bytes of their pages: beyond these, no new request is sent. */
const HELD_EVENTS = 256;
const HELD_BYTES = 64 << 20;
/** Milliseconds that exchanges under way have to finish when the run is to end. */
const DRAIN_MS = 3000;

/** Begins at once. The caller must stop it, or read it to its end. */
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

  /** The number of hosts with a turn under way. */
  get active(): number {
    return this.#active.size;
  }

  /** How many pages the budget still allows. */
  get pagesLeft(): number {
    return this.#crew.options.budgets.pages - this.#spent.pages - this.#crew.counts.pages;
  }

  /** Whether it ended because of an error. */
  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** Wakes the reader: there are events to take. */
  notify(): void {
    this.#wakeReader();
  }

  /** Ends the run because of an error, which reading it then throws. */
  fail(error: unknown): void {
    // The error of an exchange that is given up because of the end is no failure of its own.
    if (!this.#crew.signal.aborted) this.#failure ??= { error };
    this.end(undefined);
    this.#giveUp();
  }

  /** Begins nothing new; exchanges under way have some time to finish, and recorded events are still handed over. */
  end(reason: CrawlFigures["endedBy"]): void {
    if (this.#state !== "running") return;
    this.#state = "stopping";
    this.endedBy = reason;
    this.#wakeWork();
  }

  /** Gives up what is under way. Resolves when nothing is any more, and all that was recorded is durable. */
  async stop(): Promise<void> {
    this.end("signal");
    this.#giveUp();
    await this.#worked;
  }

  /** Gives the events as they become durable. */
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
      if (this.#active.size === 0 && (isSpent || frontier.nextTime() === undefined)) {
        if (isSpent) this.endedBy = "budget";
        break;
      }
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

  /** Waits until a turn ends, an event is taken, or the next host's time comes. */
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
      // Any turn may give a page.
      this.#active.size < Math.min(options.politeness.hosts, this.pagesLeft) &&
      held.events + this.#active.size < HELD_EVENTS &&
      held.bytes < HELD_BYTES
    );
  }
}
