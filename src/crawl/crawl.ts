/** Seeds into pages: a crawl in a folder, which one process works on, and which any later one goes on with. */
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { openTransport } from "../acquire/transport.js";
import { OutputError } from "../outcome.js";
import { takeLock } from "../shard/lock.js";
import { firstWarc, openWarc, type WarcArchive } from "../write/warc.js";
import { OpenedCrawl } from "./opened.js";
import { resolveOptions, type ResolvedOptions } from "./options.js";
import { openScope } from "./scope.js";
import { openStore, type Store } from "./store.js";
import type { Crawl, CrawlOptions } from "./types.js";

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
    const close = closers.pop();
    if (close === undefined) return;
    try {
      await close();
    } finally {
      // Whatever could not be closed, the folder must be free in the end.
      await closeAll();
    }
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
    return new OpenedCrawl({ options: resolved, scope, store, archive, transport, closeAll });
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
