/**
 * Makes JSON Lines of other JSON: of an array of records, and of records that are written over many lines. Nothing but what
 * stands between tokens is changed, so a record that is no JSON stays so, and is turned away alone.
 */
import type { Chunks } from "../streams.js";

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c] as const;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d] as const;
const [LINE_FEED, RETURN, SPACE] = [0x0a, 0x0d, 0x20] as const;

export class JsonValues {
  /** Brackets that are open, but for that of the array around all records. */
  #depth = 0;
  #isInList = false;
  #isInString = false;
  #isEscaped = false;

  /** Whether what was read ends within a record, or within the array of them. */
  get isOpen(): boolean {
    return this.#depth > 0 || this.#isInList || this.#isInString;
  }

  /** A line for each record; line `n` is the record `n`, but where blank lines are between records. */
  async *toLines(chunks: Chunks): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      const bytes = Uint8Array.from(chunk);
      for (let at = 0; at < bytes.length; at += 1) bytes[at] = this.#next(bytes[at] ?? 0);
      yield bytes;
    }
  }

  /** What stands in the place of the next byte. */
  #next(byte: number): number {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) this.#isInString = false;
      return byte;
    }
    if (this.#depth === 0) {
      // Between records: the array around them opens or ends, or the next one begins.
      if (byte === OPEN_LIST && !this.#isInList) {
        this.#isInList = true;
        return SPACE;
      }
      if (byte === CLOSE_LIST && this.#isInList) {
        this.#isInList = false;
        return LINE_FEED;
      }
      if (byte === COMMA && this.#isInList) return LINE_FEED;
    }
    if ((byte === LINE_FEED || byte === RETURN) && this.isOpen) return SPACE;
    if (byte === QUOTE) this.#isInString = true;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) this.#depth += 1;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.#depth = Math.max(0, this.#depth - 1);
    return byte;
  }
}
