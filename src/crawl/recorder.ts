/** What became of URLs into the archive and the state, together and in one order, and from there to whoever reads the events. */
import type { Exchange } from "../acquire/http/transport.js";
import type { Page } from "../document.js";
import type { Outcome } from "../outcome.js";
import type { WarcArchive } from "../write/warc/warc-archive.js";
import { packExchange, type WarcOriginal } from "../write/warc/warc-exchange.js";
import type { Store } from "./state/store.js";
import type { CrawlEvent } from "./types.js";
import type { Finish } from "./state/url-table.js";

export interface Recording {
  /** Of the entry. */
  readonly id: number;
  readonly finish: Finish;
  /** Kept in the archive where there is one. */
  readonly exchange?: Exchange;
  /** What a 304 says is still good. */
  readonly original?: WarcOriginal;
  /** Makes it an event. */
  readonly outcome?: Outcome<Page>;
  /** Changes of the state that belong to it. */
  readonly apply?: () => void;
}

export interface Recorder {
  record(recording: Recording): Promise<void>;
  /** Makes all durable that was recorded. */
  flush(): Promise<void>;
  /** The next event that is durable. */
  take(): CrawlEvent | undefined;
  /** Events, and bytes of their pages, that nobody has taken. */
  held(): { readonly events: number; readonly bytes: number };
}

export interface RecorderOptions {
  readonly store: Store;
  readonly archive: WarcArchive | undefined;
  /** Called when there are events to take. */
  readonly onReady: () => void;
  /** Called with what a flush of its own failed with. */
  readonly onFailure: (error: unknown) => void;
}

/** How long what was recorded waits for company: a write that is to survive takes the disk some milliseconds. */
const FLUSH_MS = 50;
const FLUSH_EVENTS = 200;

export function openRecorder({ store, archive, onReady, onFailure }: RecorderOptions): Recorder {
  const fresh: CrawlEvent[] = [];
  const ready: CrawlEvent[] = [];
  let bytes = 0;
  let last: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  /** One after the other: what a commit makes durable must lie in the archive as a whole. */
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined); // whoever asked for it hears of it
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
          ...(place !== undefined && { warcFile: place.file, warcOffset: place.offset }),
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
