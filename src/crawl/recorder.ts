/**
 * Records the outcomes of URLs in the archive and the state, together and in one order, and returns the events that are
 * durable.
 */
import type { Exchange } from "../acquire/http/transport.js";
import type { Page } from "../document.js";
import type { Outcome } from "../outcome.js";
import type { WarcArchive, WarcPlace } from "../write/warc/warc-archive.js";
import { packExchange, type WarcOriginal } from "../write/warc/warc-exchange.js";
import type { Store } from "./state/store.js";
import type { Finish } from "./state/url-table.js";
import type { CrawlEvent } from "./types.js";

interface Recording {
  /** The number of the entry. */
  readonly id: number;
  readonly finish: Finish;
  /** Written to the archive, if there is one. */
  readonly exchange?: Exchange;
  /** The uses of its page that robots.txt reserves. */
  readonly reservations?: readonly string[];
  /** The earlier record, if the server or the digest says that its page has not changed. */
  readonly original?: WarcOriginal;
  /** Set if the recording is an event. */
  readonly outcome?: Outcome<Page>;
  /** Makes the changes to the state that belong to it. */
  readonly apply?: () => void;
}

export interface Recorder {
  /** Records the outcome of one URL; it becomes durable some time later. */
  record(recording: Recording): Promise<void>;
  /** Makes everything durable that was recorded. */
  flush(): Promise<void>;
  /** Removes and returns the next durable event. */
  take(): CrawlEvent | undefined;
  /** Counts the events that were not taken yet, and the bytes of their pages. */
  held(): { readonly events: number; readonly bytes: number };
}

interface RecorderOptions {
  readonly store: Store;
  readonly archive: WarcArchive | undefined;
  /** Called when there are events to take. */
  readonly onReady: () => void;
  /** Called with the error of a flush that the recorder started itself. */
  readonly onFailure: (error: unknown) => void;
}

/** Milliseconds for which records are gathered before a flush, because each durable write takes some milliseconds. */
const FLUSH_MS = 50;
const FLUSH_EVENTS = 200;

export function openRecorder({ store, archive, onReady, onFailure }: RecorderOptions): Recorder {
  const fresh: CrawlEvent[] = [];
  const ready: CrawlEvent[] = [];
  let bytes = 0;
  let last: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  /** Runs tasks one after the other, because what a commit makes durable must be complete in the archive. */
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined); // the caller of this task gets the error
    return turn;
  };
  const flush = (): Promise<void> =>
    inTurn(async () => {
      clearTimeout(timer);
      timer = undefined;
      const mark = await archive?.sync();
      if (mark !== undefined) store.mark({ warcFile: mark.file, warcBytes: mark.bytes });
      store.commit();
      ready.push(...fresh.splice(0));
      onReady();
    });
  const flushSoon = (): void => {
    if (fresh.length >= FLUSH_EVENTS) flush().catch(onFailure);
    else timer ??= setTimeout(() => void flush().catch(onFailure), FLUSH_MS);
  };
  return {
    async record({ id, finish, exchange, reservations = [], original, outcome, apply }) {
      const packed =
        exchange === undefined || archive === undefined
          ? undefined
          : await packExchange({ ...exchange, reservations }, original);
      const write = (place?: WarcPlace): void => {
        const number = store.marks.recorded + 1;
        if (outcome !== undefined) store.mark({ recorded: number });
        store.urls.finish(id, {
          ...finish,
          ...(outcome !== undefined && { number }),
          ...(packed !== undefined && { digest: packed.digest }),
          ...(packed !== undefined && original === undefined && { warcRecord: packed.record }),
          ...(place !== undefined &&
            original === undefined && { warcFile: place.file, warcOffset: place.offset }),
        });
        apply?.();
        if (outcome === undefined) return;
        fresh.push({ number, outcome, about: store.urls.outcomeOf(id) });
        bytes += sizeOf(outcome);
      };
      // What is not archived is recorded before anything else runs, so that no turn takes a URL that has just ended.
      if (packed === undefined) write();
      else await inTurn(async () => archive?.append(packed).then(write));
      flushSoon();
    },
    flush,
    take() {
      const event = ready.shift();
      if (event !== undefined) bytes -= sizeOf(event.outcome);
      return event;
    },
    held: () => ({ events: fresh.length + ready.length, bytes }),
  };
}

function sizeOf(outcome: Outcome<Page>): number {
  return outcome.ok && outcome.value.content.kind === "bytes" ? outcome.value.content.bytes.length : 0;
}
