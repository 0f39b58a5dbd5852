/** Writes rejects as JSON Lines: id, url, stage, reason, detail, and what the page says about itself. */
import type { Reject } from "../../outcome.js";
import { findPlace, type FilePlace } from "../../write/files/place.js";
import { openDraft, openFile, openStream, type Draft } from "../../write/files/sink.js";
import { formatReject } from "../../write/reject-record.js";
import type { Io } from "../io.js";

export interface RejectLog extends Omit<Draft, "write"> {
  write(reject: Reject): Promise<void>;
}

/** The value of `--rejects` that puts each reject among the records, in order. */
export const AMONG_RECORDS = "-";

/** Returns where the rejects go; undefined if they are not wanted. Throws OutputError for a directory. */
export async function findRejects(path: string | undefined): Promise<FilePlace | undefined> {
  if (path === undefined) return undefined;
  return path === AMONG_RECORDS ? { name: "stdout", path, isFile: false } : findPlace(path);
}

/** The first `length` bytes are from an earlier run. */
export async function openRejects(
  place: FilePlace,
  length: number,
  io: Pick<Io, "stdout" | "signal">,
): Promise<RejectLog> {
  const draft = place.isFile ? await openDraft(place, length) : await openThrough(place, io);
  return {
    ...draft,
    write: (reject) => draft.write(formatReject(reject)),
  };
}

/** A device or a pipe has no draft, so each reject is written at once. */
async function openThrough({ name, path }: FilePlace, io: Pick<Io, "stdout" | "signal">): Promise<Draft> {
  const sink =
    path === AMONG_RECORDS ? openStream(io.stdout, name) : await openFile(path, { signal: io.signal });
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
