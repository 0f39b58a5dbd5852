/** Stands in for a stdout that was closed before the program began (`>&-`), and fails each time that something is written to it. */
import { fstatSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { basename } from "node:path";
import { Writable } from "node:stream";

/** The shells that close a stream for a command. */
const SHELL = /^(?:[abkz]|ba|da|fi|tc|mk|ya)?c?sh\d*$|^busybox$/;
const DEVICE = "/dev/null";

/** Every write to it fails. */
export function createClosed(): Writable {
  const closed = new Writable({
    write(_chunk, _encoding, done) {
      done(new Error("it is closed"));
    },
  });
  // `errored` says later that something was lost.
  return closed.on("error", () => undefined);
}

/**
 * Node.js opens the null device in place of a closed stdout, for reading and writing. A program that throws our output away
 * may have opened it in the same way; a shell does not. So it counts as closed below a shell whose own stdout is another.
 * Only Linux lets us look.
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
    return false; // the system does not tell
  }
}

function isNullForBoth(fd: number): boolean {
  const { rdev } = fstatSync(fd);
  if (rdev === 0 || rdev !== statSync(DEVICE).rdev) return false;
  // The lowest bits, in octal: 0 reads, 1 writes, 2 does both (open(2)).
  return /^flags:\s*\d*2$/m.test(readFileSync(`/proc/self/fdinfo/${fd}`, "utf8"));
}

/** Undefined where there is none: the shell has closed its own as well. */
function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
