/** Documents that a run kept into a list beside its output, and back for the run that goes on: their names, and their traces. */
import { createReadStream } from "node:fs";
import { OutputError } from "../outcome.js";
import { openGrowing, type GrowingFile } from "../write/growing-file.js";
import { readLines } from "../write/line-feeds.js";

export interface KeptDocument {
  readonly id: string;
  /** What finds its duplicates, where those are looked for. */
  readonly entry?: string;
}

export interface KeptList {
  /** Those of the earlier run. */
  read(): AsyncGenerator<KeptDocument>;
  add(document: KeptDocument): Promise<void>;
  /** Puts all on disk and says how many bytes that are. */
  sync(): Promise<number>;
  close(): Promise<void>;
}

/** The first `length` bytes are those of the earlier run. The file is made when there is something to write. */
export function openKeptList(path: string, length: number): KeptList {
  let file: GrowingFile | undefined;
  const open = async (): Promise<GrowingFile> => (file ??= await openGrowing(path, length));
  return {
    async *read() {
      if (length === 0) return;
      const text = createReadStream(path, { end: length - 1, encoding: "utf8" }) as AsyncIterable<string>;
      for await (const line of readLines(text)) yield JSON.parse(line) as KeptDocument; // as `add` wrote it
    },
    add: (document) =>
      explained(path, async () => {
        await (await open()).write(`${JSON.stringify(document)}\n`);
      }),
    sync: () => explained(path, async () => (file === undefined ? length : file.sync())),
    async close() {
      await file?.close().catch(() => undefined); // nobody needs it any more, or its last lines
    },
  };
}

async function explained<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new OutputError(`cannot write ${path}: ${String(cause)}`, { cause });
  }
}
