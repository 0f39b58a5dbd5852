/** Defines the streams and the signal that every command uses, and escapes control characters in messages. */
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { Writable, type Readable } from "node:stream";
import { tellCount } from "../count.js";
import { readProxies, type Proxies } from "../acquire/http/proxies.js";
import { chunksUntilAborted, type Chunks } from "../acquire/streams.js";
import { parseWebUrl } from "../parse-url.js";

export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  /** A stream of `createMessages`. */
  readonly stderr: Writable & { readonly isTTY?: boolean };
  /** Aborts on Ctrl-C. */
  readonly signal: AbortSignal;
}

const CLEAR_LINE: Uint8Array = Buffer.from("\r\u001b[K");

/** Replaces the current line of the terminal. */
export function overwrite(messages: Writable, text: string): void {
  messages.write(CLEAR_LINE);
  messages.write(text);
}

/**
 * Creates the stream for all messages to people. Strings may hold ids, paths, addresses and messages from outside, so
 * their control characters are escaped; bytes are our own control codes. If a write fails, the message is lost and the
 * work goes on.
 */
export function createMessages(target: Writable & { readonly isTTY?: boolean }): Io["stderr"] {
  const messages = new Writable({
    decodeStrings: false,
    write(chunk: string | Uint8Array, _encoding, done) {
      target.write(typeof chunk === "string" ? escapeControls(chunk) : chunk, () => {
        done();
      });
    },
  });
  return Object.assign(messages, { isTTY: target.isTTY === true });
}

/**
 * Control characters except line feeds and tabs, line and paragraph separators, and characters that change text
 * direction.
 */
const CONTROLS = /[^\P{Cc}\n\t]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

function escapeControls(text: string): string {
  return text.replace(CONTROLS, (character) => {
    const code = character.charCodeAt(0);
    if (character === "\r") return "\\r";
    return code < 0x100 ? `\\x${hex(code, 2)}` : `\\u${hex(code, 4)}`;
  });
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}

/** Escapes line breaks, so that a name or message stays on one line. */
export function toOneLine(text: string): string {
  return text.replaceAll("\r", "\\r").replaceAll("\n", "\\n");
}

/** Returns a function that writes a sentence to stderr, on its own line, in place of a count. */
export function createSay({ stderr }: Pick<Io, "stderr">): (sentence: string) => void {
  return (sentence) => {
    const line = `thresher: ${toOneLine(sentence)}\n`;
    if (stderr.isTTY === true) overwrite(stderr, line);
    else stderr.write(line);
  };
}

/** Milliseconds between two drawings of progress. */
export const REDRAW_MS = 200;

/** Shows on a terminal how often `work` has called `count`, until it ends. */
export async function showCount<T>(
  what: string,
  { stderr, quiet }: Pick<Io, "stderr"> & { readonly quiet?: boolean | undefined },
  work: (count: () => void) => Promise<T>,
): Promise<T> {
  if (stderr.isTTY !== true || quiet === true) return work(() => undefined);
  let counted = 0;
  let drawnAt = Date.now();
  try {
    return await work(() => {
      counted += 1;
      if (Date.now() - drawnAt < REDRAW_MS) return;
      drawnAt = Date.now();
      overwrite(stderr, tellCount(counted, what));
    });
  } finally {
    overwrite(stderr, "");
  }
}

/** Reads a file that may be a pipe. Throws the system's error, and the signal's reason when it aborts. */
export async function readWhole(path: string, signal: AbortSignal): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  const stream: Chunks = createReadStream(path);
  for await (const part of chunksUntilAborted(stream, signal)) parts.push(part);
  signal.throwIfAborted();
  return Buffer.concat(parts);
}

/** Reads the variables that name proxies. Without URLs among the inputs, it does not matter that one is wrong. */
export function readProxiesFor(inputs: readonly string[]): Proxies | undefined {
  return inputs.some((input) => parseWebUrl(input)) ? readProxies(process.env) : undefined;
}

/** Resolves when a user stops the command. */
export async function untilStopped(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}
