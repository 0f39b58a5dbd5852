/** Bytes by offset, in memory as long as a budget lasts and in an unnamed temporary file beyond it. */
import {
  closeSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readSync,
  rmdirSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OutputError } from "../../outcome.js";

/** How many bytes of memory all stores together may still take. */
export interface Budget {
  /** False, and nothing taken, where fewer are left. */
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
  /** Bytes that are valid until the next call; those that nobody wrote are 0. */
  read(at: number, length: number): Buffer;
  write(at: number, bytes: Uint8Array): void;
  close(): void;
}

/** A store of so many bytes, all 0. */
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

/** What one access moves. Records of a table lie within one page: their size divides it. */
const PAGE = 4096;

/** A file behind one page of memory: neighbours cost nothing, and the system's cache serves the rest. */
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

export interface TemporaryFile {
  readonly descriptor: number;
  /** Fills all of `into`. */
  read(at: number, into: Buffer): void;
  write(at: number, from: Buffer): void;
  close(): void;
}

/** A file whose name is gone as soon as it is open: whatever ends the process leaves nothing behind. */
export function openTemporary(): TemporaryFile {
  const descriptor = guard(() => {
    const folder = mkdtempSync(join(tmpdir(), "thresher-"));
    const path = join(folder, "index");
    const opened = openSync(path, "wx+");
    unlinkSync(path);
    rmdirSync(folder);
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
      if (isOpen) closeSync(descriptor);
      isOpen = false;
    },
  };
}

function guard<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new OutputError(`cannot keep the index of duplicates in ${tmpdir()}: ${String(cause)}`, { cause });
  }
}
