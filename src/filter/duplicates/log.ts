/** Entries one after another, found again by their offset: in memory first, in a temporary file beyond a budget. */
import { openTemporary, type Budget, type TemporaryFile } from "./store.js";

export interface Log {
  /** The offset by which the entry is read again. */
  append(entry: Uint8Array): number;
  read(offset: number): Buffer;
  close(): void;
}

const LENGTH_BYTES = 4;
const FIRST_BYTES = 65_536;

export function openLog(budget: Budget): Log {
  budget.take(FIRST_BYTES);
  /** All entries as long as there is no file; then those that are not in it yet. */
  let held = Buffer.alloc(FIRST_BYTES);
  let filled = 0;
  let file: TemporaryFile | undefined;
  let written = 0;

  const flush = (): void => {
    file ??= openTemporary();
    file.write(written, held.subarray(0, filled));
    written += filled;
    filled = 0;
  };
  const makeRoom = (bytes: number): void => {
    if (filled + bytes <= held.length) return;
    const wanted = Math.max(held.length * 2, filled + bytes);
    if (file === undefined && budget.take(wanted - held.length)) {
      held = Buffer.concat([held.subarray(0, filled)], wanted);
      return;
    }
    flush();
    if (bytes > FIRST_BYTES) held = Buffer.alloc(bytes);
    else if (held.length !== FIRST_BYTES) {
      budget.give(Math.max(0, held.length - FIRST_BYTES));
      held = Buffer.alloc(FIRST_BYTES);
    }
  };

  return {
    append(entry) {
      const offset = written + filled;
      makeRoom(LENGTH_BYTES + entry.length);
      held.writeUInt32LE(entry.length, filled);
      held.set(entry, filled + LENGTH_BYTES);
      filled += LENGTH_BYTES + entry.length;
      return offset;
    },
    read(offset) {
      if (offset >= written) {
        const at = offset - written;
        return held.subarray(at + LENGTH_BYTES, at + LENGTH_BYTES + held.readUInt32LE(at));
      }
      if (file === undefined) throw new Error("the log has no such entry");
      const length = Buffer.alloc(LENGTH_BYTES);
      file.read(offset, length);
      const entry = Buffer.alloc(length.readUInt32LE());
      file.read(offset + LENGTH_BYTES, entry);
      return entry;
    },
    close() {
      file?.close();
    },
  };
}
