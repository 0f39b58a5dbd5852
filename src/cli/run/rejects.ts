/** Writes rejects as JSON Lines: id, url, stage, reason, detail. */
import type { Reject } from "../../outcome.js";
import type { FilePlace } from "../../write/files/place.js";
import { openDraft, openFile, type Draft } from "../../write/files/sink.js";

export interface RejectLog extends Omit<Draft, "write"> {
  write(reject: Reject): Promise<void>;
}

/** The first `length` bytes are those of an earlier run. */
export async function openRejects(place: FilePlace, length: number): Promise<RejectLog> {
  const draft = place.isFile ? await openDraft(place, length) : await openThrough(place);
  return {
    ...draft,
    write: ({ id, url, stage, reason, detail }) =>
      // JSON leaves out a detail that is undefined.
      draft.write(`${JSON.stringify({ id, url, stage, reason, detail })}\n`),
  };
}

/** A device or a pipe has no draft: it gets each reject at once. */
async function openThrough({ path }: FilePlace): Promise<Draft> {
  const sink = await openFile(path);
  return {
    write: (chunk) => sink.write(chunk),
    sync: () => Promise.resolve(0),
    async finish() {
      await sink.close();
      return 0;
    },
    publish: () => Promise.resolve(),
    leave: () => sink.discard(),
    discard: () => sink.discard(),
  };
}
