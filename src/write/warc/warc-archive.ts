/**
 * Writes HTTP exchanges to numbered WARC 1.1 files in a folder: starts a new file when one is full, and can continue
 * after an interruption.
 */
import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { openGrowing, type GrowingFile } from "../files/growing-file.js";
import { packInfo, type PackedExchange } from "./warc-exchange.js";
import type { Field } from "./warc-record.js";
import { explained } from "../../write-error.js";

/** The position up to which the archive is written: a plain object, which the caller stores. */
export interface WarcMark {
  /** The number of the current file. */
  readonly file: number;
  /** The length of that file. */
  readonly bytes: number;
}

export interface WarcPlace {
  readonly file: string;
  /** The offset of the gzip member with the response. */
  readonly offset: number;
}

export interface WarcArchive {
  append(exchange: PackedExchange): Promise<WarcPlace>;
  /** Flushes everything to disk and returns the position. */
  sync(): Promise<WarcMark>;
  /** Closing again does nothing. */
  close(): Promise<void>;
}

interface WarcOptions {
  readonly dir: string;
  /** A file with this many bytes is closed and the next one begins. */
  readonly maxBytes: number;
  /** The fields of the `warcinfo` record that opens each file. */
  readonly info: readonly Field[];
  /** The position that `sync` last returned and the caller stored: anything after it is removed. */
  readonly mark: WarcMark;
}

function nameWarc(number: number): string {
  return `thresher-${String(number).padStart(5, "0")}.warc.gz`;
}

/** The position to start from in a folder, so that no existing file is overwritten. */
export function firstWarc(dir: string): WarcMark {
  let file = 1;
  while (existsSync(join(dir, nameWarc(file)))) file += 1;
  return { file, bytes: 0 };
}

/**
 * Opens an archive; a file is only created when there is something to write. Throws OutputError, now and on later
 * calls.
 */
export async function openWarc(options: WarcOptions): Promise<WarcArchive> {
  const { dir, maxBytes, info } = options;
  const what = `the archive in ${dir}`;
  const pathOf = (number: number): string => join(dir, nameWarc(number));
  let mark = options.mark;
  let file: GrowingFile | undefined;
  const add = async (to: GrowingFile, bytes: Uint8Array): Promise<void> => {
    await to.write(bytes);
    mark = { ...mark, bytes: mark.bytes + bytes.length };
  };
  const closeFile = async (): Promise<void> => {
    await file?.sync();
    await file?.close();
    file = undefined;
    mark = { file: mark.file + 1, bytes: 0 };
  };
  const open = async (): Promise<GrowingFile> => {
    // The user may have moved the file away: continue with the next number, which leaves it alone.
    if (mark.bytes > 0 && !existsSync(pathOf(mark.file))) mark = { file: mark.file + 1, bytes: 0 };
    const opened = await openGrowing(pathOf(mark.file), mark.bytes);
    if (mark.bytes === 0) await add(opened, await packInfo(nameWarc(mark.file), info));
    return opened;
  };
  await explained(what, async () => {
    await mkdir(dir, { recursive: true });
    if (mark.bytes > 0) file = await open();
    // Files after the mark hold exchanges that the caller has not recorded, so they are removed.
    const first = mark.bytes > 0 ? mark.file + 1 : mark.file;
    for (let number = first; existsSync(pathOf(number)); number += 1) await rm(pathOf(number));
  });
  return {
    append: ({ members }) =>
      explained(what, async () => {
        if (mark.bytes >= maxBytes) await closeFile();
        file ??= await open();
        const place = { file: nameWarc(mark.file), offset: mark.bytes };
        for (const member of members) await add(file, member);
        return place;
      }),
    sync: () =>
      explained(what, async () => {
        await file?.sync();
        return mark;
      }),
    close: () =>
      explained(what, async () => {
        await file?.close();
        file = undefined;
      }),
  };
}
