/**
 * Reads inputs that the command line or a program names (URLs, files, directories, globs, stdin) into one stream of
 * pages.
 */
import type { Page } from "../document.js";
import { reject, UsageError, type Outcome } from "../outcome.js";
import { parseUrl } from "../parse-url.js";
import { isUrl } from "./files.js";
import type { FetchOptions, Fetcher } from "./http/fetch.js";
import { hasFields, isOfMany, kindOfName, type InputKind } from "./kind.js";
import { isObjectAddress } from "./objects/address.js";
import { createObjectOpener } from "./objects/open.js";
import type { Found, LeftForLater, OnOtherFile, PlaceOptions } from "./place.js";
import { createProgress, walkPlaces, type Position } from "./position.js";
import { readPlace, type PlaceReading } from "./read-place.js";
import type { Source } from "./source.js";
import type { WarcStart } from "./warc/warc.js";

/** What `openInputs` may be told about its inputs. */
export interface InputOptions extends PlaceOptions {
  /** Milliseconds for a whole fetch. */
  readonly timeoutMs: number;
  /** The version in our `user-agent` header: "Thresher/<version>". */
  readonly version?: string;
  /** The proxy or proxies for URLs. */
  readonly proxy?: NonNullable<FetchOptions["proxy"]>;
  /** Where an earlier reader of the same inputs stopped: reading continues after it. */
  readonly after?: Position;
}

/** Gives the pages of inputs in the order in which the inputs were named. */
export interface InputSource extends Source {
  /** Without a signal, it cannot be stopped. */
  pages(signal?: AbortSignal): AsyncGenerator<Outcome<Page>>;
  /**
   * Whether there can be only one document: one URL, or one file or stdin that does not hold records. The content
   * decides, so the answer is final only from the first outcome on; before that it is a guess from the name.
   */
  isSingle(): boolean;
  /** How many records had no page and were not failures, by type: requests, metadata … in a WARC. */
  passedOver(): ReadonlyMap<string, number>;
  /** How many files in directories were skipped because their names are not those of pages or records. */
  otherFiles(): number;
  /**
   * How many files with a page's or record's name were skipped because they are hidden (the name begins with a dot).
   */
  hiddenFiles(): number;
  /** Whether `column` is given, but none of the inputs that were read has named fields. */
  ignoresColumn(): boolean;
  /** The position after the last outcome that was yielded; undefined before the first one. */
  position(): Position | undefined;
  /** Bytes read so far: of files as stored (before unpacking), and of stdin. */
  bytesRead(): number;
}

/**
 * Opens nothing yet. Throws UsageError if an input is empty, if `-` is given without stdin, if a URL is said to hold
 * records, or if `url` is given for inputs that are not one page. If only reading shows that, `pages` throws it.
 */
export function openInputs(inputs: readonly string[], options: InputOptions & LeftForLater): InputSource {
  checkInputs(inputs, options);
  const { from, url } = options;
  let isSingle = inputs.length === 1 && !isOfMany(from ?? kindOfName(inputs[0] ?? ""));
  const others = { name: 0, hidden: 0 };
  const kinds = new Set<InputKind>();
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
    ignoresColumn: () => options.column !== undefined && kinds.size > 0 && ![...kinds].some(hasFields),
    position: () => progress.position(),
    bytesRead: () => progress.bytesRead(),
    async *pages(signal = new AbortController().signal) {
      // Imported only for URLs, so that reading files need not wait for the HTTP client.
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
          onKind: (kind) => {
            if (isOfMany(kind)) onMany();
            kinds.add(kind);
          },
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

/** Throws UsageError for what the inputs and the options alone show to be wrong. */
function checkInputs(inputs: readonly string[], options: InputOptions & LeftForLater): void {
  if (inputs.includes("")) throw new UsageError("an input is empty; is a variable not set?");
  if (inputs.includes("-") && options.stdin === undefined) throw new UsageError("there is no stdin to read");
  const { from, url } = options;
  const [first = ""] = inputs;
  if (url !== undefined && (inputs.length !== 1 || isPageUrl(first) || isOfMany(from))) throw notOnePage(url);
  if (from !== undefined && isOfMany(from) && inputs.some(isPageUrl)) {
    throw new UsageError(`--from ${from} reads files; download the URL to a file first`);
  }
}

function isPageUrl(input: string): boolean {
  return isUrl(input) && !isObjectAddress(input);
}

function notOnePage(url: string): UsageError {
  return new UsageError(
    `the address ${url} can be given only for one page in a file or on stdin; leave it out`,
  );
}

interface Reading extends InputOptions, PlaceReading {
  readonly fetcher: () => Promise<Fetcher>;
  /** Called as soon as the inputs show that they may hold more than one document. */
  readonly onMany: () => void;
  readonly onKind: (kind: InputKind) => void;
  readonly onOtherFile: OnOtherFile;
}

async function* readInputs(inputs: readonly string[], reading: Reading): AsyncGenerator<Outcome<Page>> {
  const { after, progress } = reading;
  for await (const place of walkPlaces(inputs, reading.signal, reading.onOtherFile)) {
    if (!("ok" in place.found) && place.found.isOneOfMany) reading.onMany();
    if (after !== undefined && place.number < after.place) continue;
    const isHalfRead = place.number === after?.place;
    progress.onPlace(place, isHalfRead ? after : undefined);
    // Outcomes from before the position are read again, unless a start is known, and dropped.
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
  else if (found.kind === "url") {
    reading.onKind("html");
    const page = await (await reading.fetcher()).fetchPage(found.id, reading.signal);
    yield reading.from === undefined ? refuseRecords(page) : page;
  } else yield* readPlace(found, reading, start);
}

/** Refuses what has the name of records, unless it is an HTML page, which may show them. */
function refuseRecords(page: Outcome<Page>): Outcome<Page> {
  const { url } = page.ok ? page.value : page;
  if (!isOfMany(kindOfName(parseUrl(url)?.pathname ?? ""))) return page;
  const advice = "records are read from files; download it first";
  if (!page.ok)
    return page.reason === "unsupported-type" ? { ...page, detail: `${page.detail ?? ""}; ${advice}` } : page;
  const { content } = page.value;
  const isText = content.kind === "bytes" && content.format === "text";
  return isText ? reject(page.value, "acquire", "not-a-page", advice) : page;
}
