/** Names what a command may touch of the world outside, and keeps foreign control codes from the terminal. Every command imports it. */
import { Writable, type Readable } from "node:stream";

export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  /** As `createMessages` makes it. */
  readonly stderr: Writable & { readonly isTTY?: boolean };
  /** Aborts on Ctrl-C. */
  readonly signal: AbortSignal;
}

const CLEAR_LINE: Uint8Array = Buffer.from("\r\u001b[K");

/** Writes in place of the line that is there. */
export function overwrite(messages: Writable, text: string): void {
  messages.write(CLEAR_LINE);
  messages.write(text);
}

/**
 * The stream through which everything goes that people are told. Strings hold ids, paths, addresses and messages of
 * others, so their control characters are shown escaped; bytes are our own control codes. What cannot be written is lost,
 * and the work goes on.
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

/** Control characters but line feeds and tabs, and those that turn the direction of text. */
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

/** A name or message that has to stay within its line, whatever is in it. */
export function toOneLine(text: string): string {
  return text.replaceAll("\r", "\\r").replaceAll("\n", "\\n");
}

/** What tells people a sentence, in a line of its own. */
export function createSay({ stderr }: Pick<Io, "stderr">): (sentence: string) => void {
  return (sentence) => void stderr.write(`thresher: ${toOneLine(sentence)}\n`);
}

/** Resolves when a person stops the command. */
export function untilStopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else
      signal.addEventListener("abort", () => {
        resolve();
      });
  });
}
