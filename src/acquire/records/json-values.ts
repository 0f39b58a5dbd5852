/**
 * Turns other JSON into JSON Lines: an array of records, or records written over many lines; only bytes between tokens
 * are changed, so a record that is not valid JSON stays invalid, and only that record is rejected.
 */
import type { Chunks } from "../streams.js";

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c] as const;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d] as const;
const [LINE_FEED, RETURN, SPACE] = [0x0a, 0x0d, 0x20] as const;

export class JsonValues {
  /** Open brackets, without that of the array around all records. */
  #depth = 0;
  #isInList = false;
  #isInString = false;
  #isEscaped = false;

  /** Whether the bytes so far end within a record, or within the array of records. */
  get isOpen(): boolean {
    return this.#depth > 0 || this.#isInList || this.#isInString;
  }

  /** Yields one line for each record. Line `n` is record `n`, unless there are blank lines between records. */
  async *toLines(chunks: Chunks): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      const bytes = Uint8Array.from(chunk);
      for (let at = 0; at < bytes.length; at += 1) bytes[at] = this.#next(bytes[at] ?? 0);
      yield bytes;
    }
  }

  /** Returns the byte that replaces the next byte. */
  #next(byte: number): number {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) this.#isInString = false;
      return byte;
    }
    if (this.#depth === 0) {
      // Between records: the array around them opens or ends, or the next record begins.
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
