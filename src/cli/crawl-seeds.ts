/** The arguments and options that name seeds into the seeds, and into what is wrong with those that are none. */
import { readSeedFile, readSeeds, type SeedOptions, type SeedUrl } from "../acquire/seeds.js";
import type { Seed } from "../crawl/types.js";
import type { Outcome, Reject } from "../outcome.js";
import { openFile } from "../write/sink.js";
import type { Sink } from "../write/writer.js";
import type { CrawlFlags } from "./crawl-flags.js";
import type { Io } from "./io.js";

export interface Seeds {
  /** Whether nobody named any. */
  readonly isEmpty: boolean;
  /** What is none goes to `refuse`. Throws the signal's reason when it aborts. */
  read(refuse: (reject: Reject) => Promise<void>): AsyncGenerator<Seed>;
}

/** A pipe is read where nothing else is named; `isGoingOn` says that an earlier run left enough to do. */
export function findSeeds(
  named: readonly string[],
  { seeds: files = [], sitemap = [], feed = [], column }: CrawlFlags,
  { io, isGoingOn }: { readonly io: Io; readonly isGoingOn: boolean },
): Seeds {
  const lists = [...sitemap, ...feed];
  const isSilent = named.length + files.length + lists.length === 0;
  const takesPipe = isSilent && io.stdin.isTTY !== true && !isGoingOn;
  const inputs = takesPipe ? ["-"] : named;
  const options: SeedOptions = { stdin: io.stdin, ...(column === undefined ? {} : { column }) };
  const readAll = async function* (): AsyncGenerator<Outcome<SeedUrl>> {
    yield* readSeeds(inputs, options, io.signal);
    for (const file of files) yield* readSeedFile(file, options, io.signal);
  };
  return {
    isEmpty: isSilent && !takesPipe,
    async *read(refuse) {
      for await (const seed of readAll()) {
        if (seed.ok) yield { url: seed.value.url };
        else await refuse(seed);
      }
      io.signal.throwIfAborted();
      for await (const list of readSeeds(lists, options, io.signal)) {
        if (list.ok) yield { url: list.value.url, kind: "list" };
        else await refuse(list);
      }
      io.signal.throwIfAborted();
    },
  };
}

/** Seeds that are told one by one; the file has all of them. */
const MAX_TOLD = 5;

export interface BadSeeds {
  readonly count: number;
  add(reject: Reject): Promise<void>;
  close(): Promise<void>;
}

/** A file is made when there is something to write, at `path` if there is one. */
export function openBadSeeds(path: string | undefined, say: (sentence: string) => void): BadSeeds {
  let count = 0;
  let sink: Sink | undefined;
  return {
    get count() {
      return count;
    },
    async add(reject) {
      count += 1;
      const { id, reason, detail } = reject;
      if (count <= MAX_TOLD) say(`${id} is no seed: ${reason}: ${detail ?? ""}`);
      if (path === undefined) return;
      sink ??= await openFile(path);
      await sink.write(`${JSON.stringify({ id, reason, detail })}\n`);
    },
    async close() {
      if (count > MAX_TOLD) say(`${count} seeds are none${path === undefined ? "" : `; ${path} lists each`}`);
      await sink?.close();
    },
  };
}
