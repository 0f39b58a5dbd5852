/** Detects a stdout that was closed before the program began (`>&-`), and replaces it by a stream that fails. */
import { fstatSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { basename } from "node:path";
import { Writable } from "node:stream";

/** Names of shells, which can close a stream for a command. */
const SHELL = /^(?:[abkz]|ba|da|fi|tc|mk|ya)?c?sh\d*$|^busybox$/;
const DEVICE = "/dev/null";

/** Returns a stream on which every write fails. */
export function createClosed(): Writable {
  const closed = new Writable({
    write(_chunk, _encoding, done) {
      done(new Error("it is closed"));
    },
  });
  // The error is not handled here; `errored` shows later that output was lost.
  return closed.on("error", () => undefined);
}

/**
 * Checks whether stdout was closed. Node.js opens the null device in place of a closed stdout, for reading and writing.
 * A program that discards our output may open it in the same way, but a shell does not. So stdout counts as closed if
 * the parent is a shell whose own stdout is another. Only Linux lets us check.
 */
export function isStdoutClosed(): boolean {
  if (process.platform !== "linux") return false;
  try {
    const parent = `/proc/${process.ppid}`;
    return (
      isNullForBoth(1) &&
      SHELL.test(basename(readlinkSync(`${parent}/exe`))) &&
      linkOf(`${parent}/fd/1`) !== DEVICE
    );
  } catch {
    return false; // `/proc` cannot be read
  }
}

function isNullForBoth(fd: number): boolean {
  // As bigints, because Node.js 20 follows no more links to packages after it has read the status of a pipe as numbers.
  const { rdev } = fstatSync(fd, { bigint: true });
  if (rdev === 0n || rdev !== statSync(DEVICE, { bigint: true }).rdev) return false;
  // In the octal flags, the lowest bits are 0 for reading, 1 for writing and 2 for both (open(2)).
  return /^flags:\s*\d*2$/m.test(readFileSync(`/proc/self/fdinfo/${fd}`, "utf8"));
}

/** Returns the target of a link; undefined if it is missing, because the shell has closed its own stdout as well. */
function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
