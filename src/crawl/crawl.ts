/** Opens a crawl in a folder, in which only one process works at a time, and a later one can resume the crawl. */
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { userAgentOf } from "../acquire/http/exchange.js";
import { openTransport } from "../acquire/http/transport.js";
import { OutputError } from "../outcome.js";
import { messageOf } from "../thrown.js";
import { takeLock } from "../write/files/lock.js";
import { firstWarc, openWarc, type WarcArchive } from "../write/warc/warc-archive.js";
import { resolveOptions, type ResolvedOptions } from "./crawl-options.js";
import { OpenedCrawl } from "./opened-crawl.js";
import { openScope } from "./reach/scope.js";
import { openStore, type Store } from "./state/store.js";
import type { Crawl, CrawlOptions } from "./types.js";

/** Folders that this process works in, because the lock only keeps other processes out. */
const OPEN = new Set<string>();

/**
 * Opens a crawl. Throws OutputError if another process works in the folder or its content is damaged, UsageError if the
 * state has another version or an option is wrong.
 */
export async function openCrawl(options: CrawlOptions): Promise<Crawl> {
  const resolved = resolveOptions(options);
  const scope = openScope(resolved.scope);
  const stateDir = await makeFolder(join(options.dir, "state"));
  if (OPEN.has(stateDir)) throw new OutputError(`a crawl in ${options.dir} is already open`);
  OPEN.add(stateDir);
  const closers: (() => Promise<void> | void)[] = [() => void OPEN.delete(stateDir)];
  const closeAll = async (): Promise<void> => {
    const close = closers.pop();
    if (close === undefined) return;
    try {
      await close();
    } finally {
      // The folder must be unlocked in the end, even if closing something fails.
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
    throw new OutputError(`cannot make the folder ${path}: ${messageOf(cause)}`, { cause });
  }
}

async function openArchive(options: ResolvedOptions, store: Store): Promise<WarcArchive> {
  const dir = join(options.dir, "warc");
  const { warcFile, warcBytes } = store.marks;
  const mark = warcFile === 0 ? firstWarc(dir) : { file: warcFile, bytes: warcBytes };
  if (warcFile === 0) {
    // After a crash, a file without a mark would be removed.
    store.mark({ warcFile: mark.file });
    store.commit();
  }
  const { version, transport } = options;
  return openWarc({
    dir,
    mark,
    maxBytes: options.warcBytes,
    info: [
      ["software", `Thresher/${version}`],
      ["format", "WARC File Format 1.1"],
      ["conformsTo", "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"],
      ["http-header-user-agent", userAgentOf({ ...transport, version })],
      ["robots", options.robots],
    ],
  });
}
