/** Names what a command may touch of the world outside; tests hand in their own. Every command imports it. */
import type { Readable, Writable } from "node:stream";

export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  /** Aborts on Ctrl-C. */
  readonly signal: AbortSignal;
}
