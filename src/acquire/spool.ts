/** A stream into a file of its own, for formats that are read from their end. */
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Chunks } from "./streams.js";

export interface Spool {
  readonly path: string;
  remove(): Promise<void>;
}

/** The file is whole when this comes back, and whoever asked for it removes it. Throws what the stream or the disk says. */
export async function spool(chunks: Chunks): Promise<Spool> {
  const folder = await mkdtemp(join(tmpdir(), "thresher-"));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const path = join(folder, "input");
  try {
    await pipeline(chunks, createWriteStream(path, { mode: 0o600 }));
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, remove };
}
