/** Makes writers of formats whose documents follow each other in a file: apart by a blank line, or inside of a frame. */
import type { Formatter, Sink, Writer, WriterOptions } from "./writer.js";

interface Joining extends WriterOptions {
  readonly format: Formatter;
}

/** A writer of documents one after another, with a blank line between them; it leaves out those without text. */
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
  /** What is before the first document. */
  readonly opening: string;
  /** What is behind the last one; a file without documents is left empty where this is undefined. */
  readonly closing: string | undefined;
}

/** A writer of documents between an opening and a closing; the opening is not written again where a file is gone on with. */
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
