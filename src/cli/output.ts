/** `-o` and `--to` into the place where documents and rejects are written. */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { Document, LabelledLine } from "../document.js";
import { OutputError, type Reject } from "../outcome.js";
import { makeFolder } from "../write/folder.js";
import { createNamer } from "../write/names.js";
import { writers, type WriterName } from "../write/registry.js";
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

export interface OutputOptions extends WriterOptions {
  /** A file, a directory (it exists, or the path ends with a slash), or stdout when absent. */
  readonly path?: string;
  readonly to?: WriterName;
  /** Asked once, when the first document comes: whether there can be no second one. */
  readonly isSingle: () => boolean;
}

export async function openOutput(options: OutputOptions, io: Io): Promise<Output> {
  if (options.path !== undefined && isDirectory(options.path)) return openDirectory(options.path, options);
  const sink = options.path === undefined ? openStream(io.stdout, "stdout") : await openFile(options.path);
  return openSingle(sink, options);
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
function openSingle(sink: Sink, options: OutputOptions): Output {
  let writer: Writer | undefined;
  return {
    async write(doc) {
      writer ??= writers[options.to ?? (options.isSingle() ? "text" : "jsonl")].create(sink, options);
      await writer.write(doc);
    },
    async close() {
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
        const writer = create(sink, options);
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
