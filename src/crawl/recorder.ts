/**
 * Records what became of URLs in the archive and the state, together and in one order, and hands over the events that
 * are durable.
 */
import type { Exchange } from "../acquire/http/transport.js";
import type { Page } from "../document.js";
import type { Outcome } from "../outcome.js";
import type { WarcArchive } from "../write/warc/warc-archive.js";
import { packExchange, type WarcOriginal } from "../write/warc/warc-exchange.js";
import type { Store } from "./state/store.js";
import type { Finish } from "./state/url-table.js";
import type { CrawlEvent } from "./types.js";

interface Recording {
  /** The number of the entry. */
  readonly id: number;
  readonly finish: Finish;
  /** Kept in the archive where there is one. */
  readonly exchange?: Exchange;
  /** The earlier record that is still good. */
  readonly original?: WarcOriginal;
  /** Set where it is an event. */
  readonly outcome?: Outcome<Page>;
  /** Makes the changes of the state that belong to it. */
  readonly apply?: () => void;
}

export interface Recorder {
  /** Records what became of one URL; durable some time later. */
  record(recording: Recording): Promise<void>;
  /** Makes durable all that was recorded. */
  flush(): Promise<void>;
  /** Takes the next event that is durable. */
  take(): CrawlEvent | undefined;
  /** Counts events that were not taken yet, and the bytes of their pages. */
  held(): { readonly events: number; readonly bytes: number };
}

interface RecorderOptions {
  readonly store: Store;
  readonly archive: WarcArchive | undefined;
  /** Called when there are events to take. */
  readonly onReady: () => void;
  /** Called with the error of a flush that the recorder began itself. */
  readonly onFailure: (error: unknown) => void;
}

/** Milliseconds for which records are gathered before a flush: each durable write takes the disk some milliseconds. */
const FLUSH_MS = 50;
const FLUSH_EVENTS = 200;

export function openRecorder({ store, archive, onReady, onFailure }: RecorderOptions): Recorder {
  const fresh: CrawlEvent[] = [];
  const ready: CrawlEvent[] = [];
  let bytes = 0;
  let last: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  /** Works one after the other: what a commit makes durable must be in the archive as a whole. */
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined); // the caller of this work gets the error
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
    async record({ id, finish, exchange, original, outcome, apply }) {
      const packed =
        exchange === undefined || archive === undefined ? undefined : await packExchange(exchange, original);
      await inTurn(async () => {
        const place = packed === undefined ? undefined : await archive?.append(packed);
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
      });
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
