/** Documents as texts into one stream, a blank line between them. */
import type { Formatter, Sink, Writer, WriterOptions } from "./writer.js";

interface Joining extends WriterOptions {
  readonly format: Formatter;
}

/** A writer for formats whose documents are simply put one after another; a document without text leaves no trace. */
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
