/**
 * Reads what the command line or a program names as input into one stream of pages: URLs, files, directories, globs,
 * stdin.
 */
import type { Page } from "../document.js";
import { UsageError, type Outcome } from "../outcome.js";
import { isUrl } from "./files.js";
import type { Fetcher } from "./http/fetch.js";
import { isOfMany, kindOfName } from "./kind.js";
import { isObjectAddress } from "./objects/address.js";
import { createObjectOpener } from "./objects/open.js";
import type { Found, LeftForLater, OnOtherFile, PlaceOptions } from "./place.js";
import { createProgress, walkPlaces, type Position } from "./position.js";
import { readPlace, type PlaceReading } from "./read-place.js";
import type { Source } from "./source.js";
import type { WarcStart } from "./warc/warc.js";

export interface InputOptions extends PlaceOptions {
  /** Time for a fetch as a whole. */
  readonly timeoutMs: number;
  /** Names us to servers: "Thresher/<version>". */
  readonly version?: string;
  /** Where an earlier reader of the same inputs stopped: reading goes on behind it. */
  readonly after?: Position;
}

/** Pages of inputs in the order in which they were named. */
export interface InputSource extends Source {
  /** Nothing stops it where no signal is given. */
  pages(signal?: AbortSignal): AsyncGenerator<Outcome<Page>>;
  /**
   * Whether there can be one document only: one URL, or one file or stdin that holds no JSON records. Its kind is
   * told by its content, so the answer is final from the first outcome on; before that it is what the name promises.
   */
  isSingle(): boolean;
  /** How many records held no page and were no failure either, by type: requests, metadata … of a WARC. */
  passedOver(): ReadonlyMap<string, number>;
  /** How many files of folders were passed over, since their names are not those of pages or records. */
  otherFiles(): number;
  /** How many others have such a name and begin with a dot, which hides them. */
  hiddenFiles(): number;
  /** How far reading has come: behind the outcome that was handed over last. Undefined before the first one. */
  position(): Position | undefined;
  /** Bytes read so far, of files as they lie there, and of stdin. */
  bytesRead(): number;
}

/**
 * Opens nothing yet. Throws UsageError where `-` has nothing to read, a URL is said to hold records, or the address of a
 * page is given for inputs that are not one; if only reading shows that, it throws.
 */
export function openInputs(inputs: readonly string[], options: InputOptions & LeftForLater): InputSource {
  if (inputs.includes("")) throw new UsageError("an input is empty; is a variable not set?");
  if (inputs.includes("-") && options.stdin === undefined) throw new UsageError("there is no stdin to read");
  const { from, url } = options;
  const [first = ""] = inputs;
  if (url !== undefined && (inputs.length !== 1 || isPageUrl(first) || isOfMany(from))) throw notOnePage(url);
  if (from !== undefined && isOfMany(from) && inputs.some(isPageUrl)) {
    throw new UsageError(`--from ${from} reads files and stdin; fetch the URL first and pipe it in`);
  }
  let isSingle = inputs.length === 1 && !isOfMany(from ?? kindOfName(inputs[0] ?? ""));
  const others = { name: 0, hidden: 0 };
  const progress = createProgress(options.after);
  const onMany = (): void => {
    if (url !== undefined) throw notOnePage(url);
    isSingle = false;
  };
  return {
    name: "inputs",
    isSingle: () => isSingle,
    passedOver: () => progress.passedOver(),
    otherFiles: () => others.name,
    hiddenFiles: () => others.hidden,
    position: () => progress.position(),
    bytesRead: () => progress.bytesRead(),
    async *pages(signal = new AbortController().signal) {
      // Loaded only for URLs: reading files need not wait for the HTTP client.
      let opened: Promise<Fetcher> | undefined;
      const fetcher = (): Promise<Fetcher> =>
        (opened ??= import("./http/fetch.js").then(({ openFetcher }) => openFetcher(options)));
      const objects = createObjectOpener();
      try {
        for await (const outcome of readInputs(inputs, {
          ...options,
          fetcher,
          objects,
          signal,
          onMany,
          onPassedOver: (type) => {
            progress.onPassedOver(type);
          },
          onStart: (start) => {
            progress.onStart(start);
          },
          onOtherFile: (why) => {
            others[why] += 1;
          },
          progress,
        })) {
          if (signal.aborted) return;
          yield outcome;
        }
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        await (await opened)?.close();
        await objects.close();
      }
    },
  };
}

function isPageUrl(input: string): boolean {
  return isUrl(input) && !isObjectAddress(input);
}

function notOnePage(url: string): UsageError {
  return new UsageError(
    `${url} is said to be the address of one page, but the input is not one page in a file or stdin; leave it out`,
  );
}

interface Reading extends InputOptions, PlaceReading {
  readonly fetcher: () => Promise<Fetcher>;
  readonly onMany: () => void;
  readonly onOtherFile: OnOtherFile;
}

async function* readInputs(inputs: readonly string[], reading: Reading): AsyncGenerator<Outcome<Page>> {
  const { after, progress } = reading;
  for await (const place of walkPlaces(inputs, reading.signal, reading.onOtherFile)) {
    if (!("ok" in place.found) && place.found.isOneOfMany) reading.onMany();
    if (after !== undefined && place.number < after.place) continue;
    const isHalfRead = place.number === after?.place;
    progress.onPlace(place, isHalfRead ? after : undefined);
    // What came out before is read once more, unless a start is known, but nothing else is done with it.
    let done = isHalfRead ? after.outcomes : 0;
    const isFetched = "ok" in place.found || place.found.kind === "url";
    if (isFetched && done > 0) continue;
    for await (const outcome of readFound(place.found, reading, isHalfRead ? after.start : undefined)) {
      progress.onOutcome();
      if (done > 0) done -= 1;
      else yield outcome;
    }
  }
}

async function* readFound(
  found: Found,
  reading: Reading,
  start: WarcStart | undefined,
): AsyncGenerator<Outcome<Page>> {
  if ("ok" in found) yield found;
  else if (found.kind === "url") yield await (await reading.fetcher()).fetchPage(found.id, reading.signal);
  else yield* readPlace(found, reading, start);
}
