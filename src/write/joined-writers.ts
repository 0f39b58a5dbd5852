/** Creates writers for formats that put documents one after another: separated by a blank line, or inside a frame. */
import type { Formatter, Sink, Writer, WriterOptions } from "./writer.js";

interface Joining extends WriterOptions {
  readonly format: Formatter;
}

/** Creates a writer that puts a blank line between documents; it skips documents without text. */
export function createJoinedWriter(name: string, sink: Sink, joining: Joining): Writer {
  let isFirst = joining.hasBegun !== true;
  return {
    name,
    async write(doc, formatted = joining.format(doc, joining)) {
      if (formatted === "") return;
      await sink.write(isFirst ? formatted : `\n${formatted}`);
      isFirst = false;
    },
    close: () => Promise.resolve(),
  };
}

interface Framing extends Joining {
  /** Written before the first document. */
  readonly opening: string;
  /** Written after the last document. When undefined, a file without documents stays empty. */
  readonly closing: string | undefined;
}

/**
 * Creates a writer that puts documents between an opening and a closing; the opening is not repeated when a file is
 * continued.
 */
export function createFramedWriter(name: string, sink: Sink, framing: Framing): Writer {
  const { opening, closing } = framing;
  let hasBegun = framing.hasBegun === true;
  const begin = async (): Promise<void> => {
    if (hasBegun) return;
    hasBegun = true;
    await sink.write(opening);
  };
  return {
    name,
    async write(doc, formatted = framing.format(doc, framing)) {
      await begin();
      await sink.write(formatted);
    },
    async close() {
      if (closing === undefined) return;
      await begin();
      if (closing !== "") await sink.write(closing);
    },
  };
}
