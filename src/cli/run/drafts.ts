/** Writes outcomes into the files of a run that are not final yet: output, rejects, and what another run must know of it. */
import { createReadStream } from "node:fs";
import type { Document, LabelledLine } from "../../document.js";
import { type Outcome, OutputError } from "../../outcome.js";
import type { Account } from "../../pipeline.js";
import { openGrowing, type GrowingFile, readLines } from "../../write/files/growing-file.js";
import type { FilePlace } from "../../write/files/place.js";
import type { Io } from "../io.js";
import type { Destination } from "./destination.js";
import { EMPTY, openRunOutput, type OutputOptions } from "./output.js";
import { openRejects, type RejectLog } from "./rejects.js";
import type { SavedRun } from "./resume.js";
import { messageOf } from "../../thrown.js";

/** How far each file is. */
export type Marks = Pick<SavedRun, "output" | "rejects" | "kept">;

/** What the user wants; the rest follows from where it goes. */
export type OutputDemands = Omit<OutputOptions, "mark" | "draftAt">;

export interface DraftsOptions {
  readonly destination: Destination;
  readonly rejectsAt: FilePlace | undefined;
  /** Where the list of kept documents lies; undefined where no other run can go on. */
  readonly keptAt: string | undefined;
  /** Where each document of a directory lies until it is whole. */
  readonly draftAt: string | undefined;
  /** Where an earlier run ended. */
  readonly marks: Marks | undefined;
  readonly output: OutputDemands;
  readonly io: Io;
}

export interface Drafts {
  /** The traces of documents that were kept before. */
  recall(): AsyncIterable<string>;
  write(outcome: Outcome<Document<LabelledLine>>, account: Account): Promise<void>;
  /** Puts all on disk; undefined where no run could go on from here. */
  pause(): Promise<Marks | undefined>;
  /** Puts all on disk, with what ends it. */
  finish(): Promise<Marks>;
  /** Leaves what is there for another run. */
  leave(): Promise<void>;
  discard(): Promise<void>;
}

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
      // The names of files in a directory depend on those before.
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

/** What a run keeps in a list beside its output for the run that goes on: the name of a document, and its trace. */
interface KeptDocument {
  readonly id: string;
  /** What finds its duplicates, where those are looked for. */
  readonly entry?: string;
}

export interface KeptList {
  /** Those of the earlier run. */
  read(): AsyncGenerator<KeptDocument>;
  add(document: KeptDocument): Promise<void>;
  /** Puts all on disk and says how many bytes that are. */
  sync(): Promise<number>;
  close(): Promise<void>;
}

/** The first `length` bytes are those of the earlier run. The file is made when there is something to write. */
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
      await file?.close().catch(() => undefined); // it is not needed any more, nor are its last lines
    },
  };
}

async function explained<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new OutputError(`cannot write ${path}: ${messageOf(cause)}`, { cause });
  }
}
