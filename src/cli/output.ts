/** `-o` and `--to` into the place where documents and rejects are written. */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { Document, LabelledLine } from "../document.js";
import { OutputError, UsageError, type Reject } from "../outcome.js";
import { makeFolder } from "../write/folder.js";
import { openGzip } from "../write/gzip.js";
import { createNamer } from "../write/names.js";
import { writers, type Format, type WriterName } from "../write/registry.js";
import { openFile, openStream } from "../write/sink.js";
import type { Sink, Writer, WriterOptions } from "../write/writer.js";
import type { Io } from "./io.js";

export interface Output {
  write(doc: Document<LabelledLine>): Promise<void>;
  /** Makes what was written final. */
  close(): Promise<void>;
  /** Leaves no half-written file behind. */
  discard(): Promise<void>;
}

export interface OutputOptions extends Omit<WriterOptions, "documents"> {
  /** A file, a directory (it exists, or the path ends with a slash), or stdout when absent. */
  readonly path?: string;
  readonly to?: WriterName;
  /** Asked once, when the first document comes: whether there can be no second one. */
  readonly isSingle: () => boolean;
}

export async function openOutput(options: OutputOptions, io: Io): Promise<Output> {
  const { path, to } = options;
  if (path !== undefined && isDirectory(path)) return openDirectory(path, options);
  const format = to ?? (path === undefined ? undefined : formatOfName(path));
  if (path === undefined) {
    if (format === "parquet" && io.stdout.isTTY === true)
      throw new UsageError("Parquet is no text for a terminal; name a file with -o");
    return openSingle(openStream(io.stdout, "stdout"), format, options);
  }
  if (!/\.gz$/i.test(path)) return openSingle(await openFile(path), format, options);
  const member = format === undefined ? "block" : writers[format].gzip;
  if (member === "none") throw new UsageError(`${format} packs its data itself: leave out the .gz`);
  return openSingle(openGzip(await openFile(path), member), format, options);
}

/** What the name of a file asks for. `.txt` asks for nothing: it is also where records of many documents go. */
function formatOfName(path: string): WriterName | undefined {
  const name = path.toLowerCase().replace(/\.gz$/, "");
  const found = Object.entries<Format>(writers).find(
    ([format, { extension }]) => format !== "text" && name.endsWith(extension),
  );
  // The keys of the table are the names of the writers.
  return found?.[0] as WriterName | undefined;
}

function isDirectory(path: string): boolean {
  if (/[/\\]$/.test(path)) return true;
  try {
    return statSync(path).isDirectory();
  } catch {
    return false; // not there, or not reachable: opening it says why
  }
}

/** All documents into one sink: text for a single document, JSON Lines where there may be many. */
function openSingle(sink: Sink, format: WriterName | undefined, options: OutputOptions): Output {
  let writer: Writer | undefined;
  const open = (name: WriterName): Writer =>
    writers[name].create(sink, { ...options, documents: options.isSingle() ? "one" : "many" });
  return {
    async write(doc) {
      writer ??= open(format ?? (options.isSingle() ? "text" : "jsonl"));
      await writer.write(doc);
    },
    async close() {
      // A format with a frame has one around nothing, too.
      if (format !== undefined) writer ??= open(format);
      await writer?.close();
      await sink.close();
    },
    discard: () => sink.discard(),
  };
}

/** One file for each document, each whole or not there. */
async function openDirectory(path: string, options: OutputOptions): Promise<Output> {
  const { create, extension } = writers[options.to ?? "text"];
  const nameOf = createNamer(extension);
  try {
    await makeFolder(path);
  } catch (cause) {
    throw new OutputError(`cannot make the directory ${path}: ${String(cause)}`, { cause });
  }
  return {
    async write(doc) {
      const sink = await openFile(join(path, nameOf(doc.id)));
      try {
        const writer = create(sink, { ...options, documents: "one" });
        await writer.write(doc);
        await writer.close();
        await sink.close();
      } catch (error) {
        await sink.discard();
        throw error;
      }
    },
    close: () => Promise.resolve(),
    discard: () => Promise.resolve(),
  };
}

export interface RejectLog {
  write(reject: Reject): Promise<void>;
  close(): Promise<void>;
  discard(): Promise<void>;
}

/** Rejects as JSON Lines: id, url, stage, reason, detail. */
export async function openRejects(path: string): Promise<RejectLog> {
  const sink = await openFile(path);
  return {
    write: ({ id, url, stage, reason, detail }) =>
      // JSON leaves out a detail that is undefined.
      sink.write(`${JSON.stringify({ id, url, stage, reason, detail })}\n`),
    close: () => sink.close(),
    discard: () => sink.discard(),
  };
}
