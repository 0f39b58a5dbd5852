/** Writes outcomes into the unfinished files of a run: output, rejects, and the list that a resumed run needs. */
import { createReadStream } from "node:fs";
import type { Document, LabelledLine } from "../../document.js";
import type { Outcome } from "../../outcome.js";
import type { Account } from "../../pipeline.js";
import { openGrowing, type GrowingFile, readLines } from "../../write/files/growing-file.js";
import type { FilePlace } from "../../write/files/place.js";
import type { Io } from "../io.js";
import type { Destination } from "./destination.js";
import { EMPTY, openRunOutput, type OutputOptions } from "./output.js";
import { openRejects, type RejectLog } from "./rejects.js";
import type { SavedRun } from "./resume.js";
import { explained } from "../../write-error.js";

/** How far each file is written. */
export type Marks = Pick<SavedRun, "output" | "rejects" | "kept">;

/** Options that the user chooses; the others follow from the destination. */
export type OutputDemands = Omit<OutputOptions, "mark" | "draftAt">;

export interface DraftsOptions {
  readonly destination: Destination;
  readonly rejectsAt: FilePlace | undefined;
  /** Path of the list of kept documents; undefined if no other run can continue. */
  readonly keptAt: string | undefined;
  /** Path of each document of a directory until it is complete. */
  readonly draftAt: string | undefined;
  /** Where an earlier run ended. */
  readonly marks: Marks | undefined;
  readonly output: OutputDemands;
  readonly io: Io;
}

export interface Drafts {
  /** Yields the deduplication entries of documents that were kept before. */
  recall(): AsyncIterable<string>;
  write(outcome: Outcome<Document<LabelledLine>>, account: Account): Promise<void>;
  /** Syncs all files to disk; returns undefined if no run could continue from here. */
  pause(): Promise<Marks | undefined>;
  /** Ends all files and syncs them to disk. */
  finish(): Promise<Marks>;
  /** Closes the files and leaves them for another run. */
  leave(): Promise<void>;
  discard(): Promise<void>;
}

/** Throws UsageError if the format does not fit the destination, and OutputError if a file cannot be written. */
export async function openDrafts(options: DraftsOptions): Promise<Drafts> {
  const { destination, rejectsAt, keptAt, marks, io } = options;
  const demanded = { ...options.output, mark: marks?.output ?? EMPTY, draftAt: options.draftAt };
  const output = await openRunOutput(destination, demanded, io);
  const rejects = await openRejectsAt(rejectsAt, marks?.rejects ?? 0, io).catch(async (error: unknown) => {
    await (marks === undefined ? output.discard() : output.leave());
    throw error;
  });
  const kept = keptAt === undefined ? undefined : openKeptList(keptAt, marks?.kept ?? 0);
  return {
    async *recall() {
      for await (const { id, entry } of kept?.read() ?? []) {
        output.recall(id);
        if (entry !== undefined) yield entry;
      }
    },
    async write(outcome, { entry, formatted }) {
      if (!outcome.ok) return rejects?.write(outcome);
      const { id } = outcome.value;
      await output.write(outcome.value, formatted);
      // File names in a directory depend on the documents before, so their ids are kept.
      if (destination.kind === "directory" || entry !== undefined)
        await kept?.add({ id, ...(entry === undefined ? {} : { entry }) });
    },
    async pause() {
      const mark = await output.pause();
      if (mark === undefined) return undefined;
      return { output: mark, rejects: (await rejects?.sync()) ?? 0, kept: (await kept?.sync()) ?? 0 };
    },
    async finish() {
      const bytes = await output.finish();
      const ended = { output: { bytes, held: "" }, rejects: (await rejects?.finish()) ?? 0, kept: 0 };
      await kept?.close();
      return ended;
    },
    async leave() {
      await output.leave();
      await rejects?.leave();
      await kept?.close();
    },
    async discard() {
      await output.discard();
      await rejects?.discard();
      await kept?.close();
    },
  };
}

async function openRejectsAt(
  place: FilePlace | undefined,
  length: number,
  io: Io,
): Promise<RejectLog | undefined> {
  return place === undefined ? undefined : openRejects(place, length, io);
}

/** An entry of the list beside the output, for a run that continues: a document's id and deduplication entry. */
interface KeptDocument {
  readonly id: string;
  /** Finds its duplicates, if duplicates are looked for. */
  readonly entry?: string;
}

export interface KeptList {
  /** Yields the documents of the earlier run. */
  read(): AsyncGenerator<KeptDocument>;
  add(document: KeptDocument): Promise<void>;
  /** Syncs the list to disk and returns its length in bytes. */
  sync(): Promise<number>;
  close(): Promise<void>;
}

/** The first `length` bytes are from the earlier run. The file is created with the first entry. */
export function openKeptList(path: string, length: number): KeptList {
  let file: GrowingFile | undefined;
  const open = async (): Promise<GrowingFile> => (file ??= await openGrowing(path, length));
  return {
    async *read() {
      if (length === 0) return;
      const text = createReadStream(path, { end: length - 1, encoding: "utf8" }) as AsyncIterable<string>;
      for await (const line of readLines(text)) yield JSON.parse(line) as KeptDocument; // as `add` wrote it
    },
    add: (document) =>
      explained(path, async () => {
        await (await open()).write(`${JSON.stringify(document)}\n`);
      }),
    sync: () => explained(path, async () => (file === undefined ? length : file.sync())),
    async close() {
      await file?.close().catch(() => undefined); // the list and its last lines are no longer needed
    },
  };
}
