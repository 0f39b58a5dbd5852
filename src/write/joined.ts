/** Documents as texts into one stream, a blank line between them. */
import type { Document, LabelledLine } from "../document.js";
import type { Sink, Writer, WriterOptions } from "./writer.js";

interface Joining extends Pick<WriterOptions, "hasBegun"> {
  readonly format: (doc: Document<LabelledLine>) => string;
}

/** A writer for formats whose documents are simply put one after another; a document without text leaves no trace. */
export function createJoinedWriter(name: string, sink: Sink, { format, hasBegun = false }: Joining): Writer {
  let isFirst = !hasBegun;
  return {
    name,
    async write(doc) {
      const text = format(doc);
      if (text === "") return;
      await sink.write(isFirst ? text : `\n${text}`);
      isFirst = false;
    },
    close: () => Promise.resolve(),
  };
}
