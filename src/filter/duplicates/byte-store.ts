/** Stores bytes by offset, and entries as a log: in memory within a budget, beyond it in unnamed temporary files. */
import {
  closeSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OutputError } from "../../outcome.js";
import { codeOf, messageOf } from "../../thrown.js";

/** The bytes of memory that all stores together may still take. */
export interface Budget {
  /** Takes bytes from the budget. Returns false and takes nothing if fewer are left. */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

export function createBudget(bytes: number): Budget {
  let left = bytes;
  return {
    take(wanted) {
      if (wanted > left) return false;
      left -= wanted;
      return true;
    },
    give(back) {
      left += back;
    },
  };
}

export interface Store {
  /** Returns bytes that are valid until the next call; bytes that were never written are 0. */
  read(at: number, length: number): Buffer;
  write(at: number, bytes: Uint8Array): void;
  close(): void;
}

/** Opens a store of this size, filled with zeros. */
export function openStore(bytes: number, budget: Budget): Store {
  return budget.take(bytes) ? openMemory(bytes, budget) : openPages(bytes);
}

function openMemory(bytes: number, budget: Budget): Store {
  let memory: Buffer | undefined = Buffer.alloc(bytes);
  const open = (): Buffer => {
    if (memory === undefined) throw new Error("the store is closed");
    return memory;
  };
  return {
    read: (at, length) => open().subarray(at, at + length),
    write(at, from) {
      open().set(from, at);
    },
    close() {
      if (memory !== undefined) budget.give(bytes);
      memory = undefined;
    },
  };
}

/** Bytes that one access reads or writes. A record of a table lies within one page, because its size divides PAGE. */
const PAGE = 4096;

/**
 * Opens a file with one of its pages in memory: access to neighbours is free, and the page cache of the system serves
 * the rest.
 */
function openPages(bytes: number): Store {
  const file = openTemporary();
  guard(() => {
    ftruncateSync(file.descriptor, Math.ceil(bytes / PAGE) * PAGE);
  });
  const page = Buffer.alloc(PAGE);
  let number = -1;
  let isDirty = false;
  const turnTo = (wanted: number): void => {
    if (wanted === number) return;
    if (isDirty) file.write(number * PAGE, page);
    isDirty = false;
    file.read(wanted * PAGE, page);
    number = wanted;
  };
  return {
    read(at, length) {
      turnTo(Math.floor(at / PAGE));
      return page.subarray(at % PAGE, (at % PAGE) + length);
    },
    write(at, from) {
      turnTo(Math.floor(at / PAGE));
      page.set(from, at % PAGE);
      isDirty = true;
    },
    close: () => {
      file.close();
    },
  };
}

/** A log of entries, each read again by its offset. */
interface Log {
  /** Appends an entry and returns its offset, for `read`. */
  append(entry: Uint8Array): number;
  read(offset: number): Buffer;
  close(): void;
}

const LENGTH_BYTES = 4;
const FIRST_BYTES = 65_536;

/** Opens an empty log, which writes to a temporary file once the budget has no room for it to grow. */
export function openLog(budget: Budget): Log {
  budget.take(FIRST_BYTES);
  /** All entries as long as there is no file, then those that are not in the file yet. */
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

interface TemporaryFile {
  readonly descriptor: number;
  /** Fills all of `into`. */
  read(at: number, into: Buffer): void;
  write(at: number, from: Buffer): void;
  close(): void;
}

/** Opens a temporary file and removes its name at once, so that nothing is left behind however the process ends. */
function openTemporary(): TemporaryFile {
  const folder = guard(() => mkdtempSync(join(tmpdir(), "thresher-")));
  const descriptor = guard(() => {
    const path = join(folder, "index");
    const opened = openSync(path, "wx+");
    unlinkSync(path);
    removeEmpty(folder);
    return opened;
  });
  let isOpen = true;
  return {
    descriptor,
    read(at, into) {
      guard(() => {
        for (let done = 0; done < into.length;) {
          const read = readSync(descriptor, into, done, into.length - done, at + done);
          if (read === 0) throw new Error("the index ends too early");
          done += read;
        }
      });
    },
    write(at, from) {
      guard(() => {
        for (let done = 0; done < from.length;)
          done += writeSync(descriptor, from, done, from.length - done, at + done);
      });
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      closeSync(descriptor);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Removes an empty folder. On Windows, Node.js 20 and file systems other than NTFS keep the removed name until the file
 * is closed.
 */
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (codeOf(error) !== "ENOTEMPTY") throw error;
  }
}

function guard<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new OutputError(`cannot keep the index of duplicates in ${tmpdir()}: ${messageOf(cause)}`, {
      cause,
    });
  }
}
