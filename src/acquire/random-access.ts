/** A file on disk into any stretch of its bytes. */
import { open } from "node:fs/promises";

export interface RandomAccess {
  readonly size: number;
  /** The bytes [from, to), as many of them as there are. */
  read(from: number, to: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Undefined for what is no file on disk, such as a named pipe. Throws the system's error. */
export async function openRandomAccess(path: string): Promise<RandomAccess | undefined> {
  const file = await open(path);
  const stats = await file.stat();
  if (!stats.isFile()) {
    await file.close();
    return undefined;
  }
  return {
    size: stats.size,
    async read(from, to) {
      const buffer = new Uint8Array(Math.max(0, Math.min(to, stats.size) - from));
      let filled = 0;
      while (filled < buffer.length) {
        const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, from + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return buffer.subarray(0, filled);
    },
    close: () => file.close(),
  };
}
