/** Opens the output that documents are written to, at its start or where an earlier run ended. */
import { join } from "node:path";
import { OutputError, UsageError } from "../../outcome.js";
import { openGzip } from "../../write/files/gzip.js";
import { besides, createNamer, makeFolder, type FilePlace } from "../../write/files/place.js";
import { openDraft, openFile, openStream, writeWhole } from "../../write/files/sink.js";
import {
  formatDocument,
  isFormatted,
  writers,
  type RecordFormat,
  type WriterName,
} from "../../write/registry.js";
import type { Packer, Sink, Writer, WriterOptions } from "../../write/writer.js";
import type { Io } from "../io.js";
import { messageOf } from "../../thrown.js";
import { findFormat, formatOfName, type Destination } from "./destination.js";

export interface Output {
  readonly write: Writer["write"];
  /** Syncs what was written to disk and returns where to continue; undefined if that is not possible. */
  pause(): Promise<OutputMark | undefined>;
  /** Registers a document that an earlier run wrote. */
  recall(id: string): void;
  /** Writes the end of the file, syncs it to disk, and returns its length in bytes. */
  finish(): Promise<number>;
  /** Leaves unfinished files for another run. */
  leave(): Promise<void>;
  /** Removes unfinished files. */
  discard(): Promise<void>;
}

/** How far an output is written. */
export interface OutputMark {
  readonly bytes: number;
  /** Data that is in no gzip member yet, in base64. */
  readonly held: string;
  /** Whether `bytes` counts records that are packed at the end. */
  readonly isOfRecords?: boolean;
}

export const EMPTY: OutputMark = Object.freeze({ bytes: 0, held: "" });

export interface OutputOptions extends Omit<WriterOptions, "documents" | "hasBegun" | "formatted"> {
  readonly to?: WriterName;
  readonly formattedAs?: RecordFormat;
  /** Returns whether there can be no second document; called when the first one is written, or at the end. */
  readonly isSingle: () => boolean;
  /** Where an earlier run ended. */
  readonly mark: OutputMark;
  /** The path of a document in a directory while it is written. */
  readonly draftAt: string | undefined;
}

/**
 * Like `openOutput`, for a run that can continue after a break in any format: if a file of the format cannot be
 * appended to, documents are written as records first.
 */
export function openRunOutput(destination: Destination, options: OutputOptions, io: Io): Promise<Output> {
  const format = destination.kind === "file" ? findFormat(destination.place.name, options.to) : undefined;
  const pack = format === undefined ? undefined : writers[format].pack;
  return destination.kind === "file" && pack !== undefined
    ? openPacked(destination.place, { ...options, pack }, io)
    : openOutput(destination, options, io);
}

/** Throws UsageError if the format does not fit the destination, and OutputError if that cannot be written. */
export async function openOutput(destination: Destination, options: OutputOptions, io: Io): Promise<Output> {
  const { to } = options;
  switch (destination.kind) {
    case "directory":
      return openDirectory(destination.path, options);
    case "stdout":
      if (to !== undefined && writers[to].gzip === "none" && io.stdout.isTTY === true)
        throw new UsageError(`${writers[to].title} cannot be shown on a terminal; give a file with -o`);
      return openPlain(openStream(io.stdout, "stdout"), to, options);
    case "device":
      return openDevice(destination.path, options, io.signal);
    case "file":
      return openResumable(destination.place, options);
  }
}

interface Writing {
  readonly write: Writer["write"];
  finish(): Promise<void>;
}

interface WritingOptions extends OutputOptions {
  readonly format: WriterName | undefined;
  readonly into: "file" | "stream";
}

/** Writes all documents into one sink. Without a format, a single document becomes text, several JSON Lines. */
function startWriting(sink: Sink, { format, into, ...options }: WritingOptions): Writing {
  const { mark, isSingle } = options;
  const hasBegun = mark.bytes > 0 || mark.held !== "";
  let writer: Writer | undefined;
  const open = (name: WriterName, isMany = !isSingle()): Writer =>
    writers[name].create(sink, { ...options, documents: isMany ? "many" : "one", hasBegun });
  return {
    async write(doc, formatted) {
      const to = format ?? (isSingle() ? "text" : "jsonl");
      writer ??= open(to);
      const isLeft = formatted === undefined && options.formattedAs !== undefined && isFormatted(to);
      await writer.write(doc, isLeft ? formatDocument(doc, { ...options, to }) : formatted);
    },
    async finish() {
      // A format with a frame writes it even around nothing, so that the file can be read.
      if (format !== undefined) writer ??= open(format, !isSingle() || (into === "file" && !hasBegun));
      await writer?.close();
    },
  };
}

/** Opens an output that is sent at once, so no run can continue in the middle of it. */
function openPlain(sink: Sink, format: WriterName | undefined, options: OutputOptions): Output {
  const writing = startWriting(sink, { ...options, format, into: "stream" });
  return {
    write: writing.write,
    pause: () => Promise.resolve(undefined),
    recall: () => undefined,
    async finish() {
      await writing.finish();
      await sink.close();
      return 0;
    },
    leave: () => sink.discard(),
    discard: () => sink.discard(),
  };
}

interface Named {
  readonly format: WriterName | undefined;
  /** What a gzip member holds; absent if the output is not compressed. */
  readonly member?: "block" | "record";
}

/** Throws UsageError if the name asks for gzip and the format compresses its data itself. */
function readName(path: string, { to }: Pick<OutputOptions, "to">): Named {
  const format = to ?? formatOfName(path);
  if (!/\.gz$/i.test(path)) return { format };
  const member = format === undefined ? "block" : writers[format].gzip;
  if (member === "none") throw new UsageError(`${format} compresses its data itself; leave out the .gz`);
  return { format, member };
}

async function openDevice(path: string, options: OutputOptions, signal: AbortSignal): Promise<Output> {
  const { format, member } = readName(path, options);
  const sink = await openFile(path, { signal });
  return openPlain(member === undefined ? sink : openGzip(sink, { member }), format, options);
}

async function openResumable(place: FilePlace, options: OutputOptions): Promise<Output> {
  const { mark } = options;
  const { format, member } = readName(place.name, options);
  const draft = await openDraft(place, mark.bytes);
  // The writer does not close the draft; `finish`, `leave` and `discard` below do.
  const bare: Sink = {
    write: (chunk) => draft.write(chunk),
    close: () => Promise.resolve(),
    discard: () => Promise.resolve(),
  };
  const packed =
    member !== undefined
      ? openGzip(bare, { member, held: Buffer.from(mark.held, "base64"), hasBegun: mark.bytes > 0 })
      : undefined;
  const writing = startWriting(packed ?? bare, { ...options, format, into: "file" });
  return {
    write: writing.write,
    async pause() {
      if (format !== undefined && writers[format].pack !== undefined) return undefined;
      const held = Buffer.from((await packed?.held()) ?? []).toString("base64");
      return { bytes: await draft.sync(), held };
    },
    recall: () => undefined,
    async finish() {
      await writing.finish();
      await packed?.close();
      return draft.finish();
    },
    async leave() {
      await packed?.discard();
      await draft.leave();
    },
    async discard() {
      await packed?.discard();
      await draft.discard();
    },
  };
}

/** Writes a file for each document, which is complete or absent. */
async function openDirectory(path: string, options: OutputOptions): Promise<Output> {
  const { create, extension } = writers[options.to ?? "text"];
  const nameOf = createNamer(extension);
  try {
    await makeFolder(path);
  } catch (cause) {
    throw new OutputError(`cannot make the directory ${path}: ${messageOf(cause)}`, { cause });
  }
  return {
    async write(doc, formatted) {
      await writeWhole(
        await openFile(join(path, nameOf(doc.id)), { draftAt: options.draftAt }),
        async (sink) => {
          const writer = create(sink, { ...options, documents: "one" });
          await writer.write(doc, formatted);
          await writer.close();
        },
      );
    },
    // Each file is on disk when it gets its name.
    pause: () => Promise.resolve(EMPTY),
    recall(id) {
      nameOf(id);
    },
    finish: () => Promise.resolve(0),
    leave: () => Promise.resolve(),
    discard: () => Promise.resolve(),
  };
}

/** Returns the file beside the output where records wait until the run ends and packs them. */
export function recordsOf({ path }: Pick<FilePlace, "path">): FilePlace {
  const beside = besides(path, "records.gz");
  return { name: beside, path: beside, isFile: true, isGrowing: true };
}

interface PackedOptions extends OutputOptions {
  readonly pack: Packer;
}

/** Writes documents as JSON Lines records, from which `finish` makes the file. */
async function openPacked(place: FilePlace, { pack, ...options }: PackedOptions, io: Io): Promise<Output> {
  readName(place.name, options);
  const waiting = recordsOf(place);
  const records = await openOutput({ kind: "file", place: waiting }, { ...options, to: "jsonl" }, io);
  return {
    write: (doc) => records.write(doc),
    async pause() {
      const mark = await records.pause();
      return mark === undefined ? undefined : { ...mark, isOfRecords: true };
    },
    recall(id) {
      records.recall(id);
    },
    async finish() {
      await records.finish();
      return pack({ from: waiting.path, place, signal: io.signal }, options);
    },
    leave: () => records.leave(),
    discard: () => records.discard(),
  };
}
