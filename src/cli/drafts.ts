/** Outcomes into the files of a run that are not final yet: the output, the rejects, and what another run must know of it. */
import type { Document, LabelledLine } from "../document.js";
import type { Outcome } from "../outcome.js";
import type { Account } from "../pipeline.js";
import type { FilePlace } from "../write/place.js";
import type { Io } from "./io.js";
import { openKeptList } from "./kept.js";
import { EMPTY, findFormat, openOutput, type Destination, type OutputOptions } from "./output.js";
import { openRejects, type RejectLog } from "./rejects.js";
import type { SavedRun } from "./resume.js";
import { openTable } from "./table-output.js";

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
  /** Puts all on disk; undefined where nobody could go on from here. */
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
  const output =
    destination.kind === "file" && findFormat(destination.place.name, demanded.to) === "parquet"
      ? await openTable(destination.place, demanded, io)
      : await openOutput(destination, demanded, io);
  const rejects = await openRejectsAt(rejectsAt, marks?.rejects ?? 0).catch(async (error: unknown) => {
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

async function openRejectsAt(place: FilePlace | undefined, length: number): Promise<RejectLog | undefined> {
  return place === undefined ? undefined : openRejects(place, length);
}
