/** Reads pages from a WACZ file: a zip file with the WARC files of one crawl, or with the WACZ files of several. */
import type { Page } from "../../document.js";
import { reject, type Outcome } from "../../outcome.js";
import { kindOfName } from "../kind.js";
import { listMembers, ZipError, type ZipBytes, type ZipMember } from "../packed/zip.js";
import { toReject } from "../read-errors.js";
import { chunksUntilAborted, peek, type Chunks } from "../streams.js";
import { packingOf, PACKED_BYTES, readWarc, type WarcOptions } from "./warc.js";

export interface WaczOptions extends Omit<WarcOptions, "packing"> {
  readonly signal: AbortSignal;
  /** The offset in the file before which the last record begins; the end of the file when absent. */
  readonly end?: number;
  /** Called with the offset in the file up to which it was read. */
  readonly onRead: (offset: number) => void;
}

/**
 * Reads the WARC files in the order in which the file holds them. All offsets of starts are those in the WACZ file. If
 * its directory is damaged, the whole file is searched for records that are packed with gzip.
 */
export async function* readWacz(file: ZipBytes, options: WaczOptions): AsyncGenerator<Outcome<Page>> {
  const { input, start, end = file.size, onRead } = options;
  const from = start?.offset ?? 0;
  const of = { id: input, url: "" };
  try {
    const archives = await listArchives(file);
    if (archives.length === 0) yield reject(of, "acquire", "empty", "no WARC files in this zip file");
    for (const archive of archives)
      if (from < archive.end && archive.start < end) yield* readArchive(file, archive, options);
  } catch (error) {
    if (!(error instanceof ZipError)) {
      yield toReject(of, error);
      return;
    }
    const detail = `the directory at the end of ${input} cannot be read (${error.message}); its records are searched for`;
    if (start === undefined) yield reject(of, "acquire", "broken-warc", detail);
    const chunks = counted(chunksUntilAborted(await file.open(from, end), options.signal), from, onRead);
    yield* readWarc(chunks, { ...options, packing: "gzip" });
  }
  onRead(end);
}

async function* readArchive(
  file: ZipBytes,
  { name, start: first, end: last, isStored, open }: ZipMember,
  options: WaczOptions,
): AsyncGenerator<Outcome<Page>> {
  const { input, start, end = last, signal, onRead, onStart, ...rest } = options;
  const id = `${input}/${name}`;
  if (open === undefined) {
    const detail = "it is encrypted, or packed in an unusual way; unpack the file first: unzip FILE -d DIR";
    yield reject({ id, url: "" }, "acquire", "binary", detail);
    return;
  }
  const offset = Math.max(0, (start?.offset ?? 0) - first);
  const bytes = isStored ? await file.open(first + offset, Math.min(last, end)) : await open();
  const stored = counted(
    chunksUntilAborted(bytes, signal),
    first + offset,
    isStored ? onRead : () => undefined,
  );
  const { head, chunks } = await peek(stored, PACKED_BYTES);
  yield* readWarc(chunks, {
    ...rest,
    ...packingOf(head),
    input: id,
    ...(start && offset > 0 && { start: { ...start, offset } }),
    // Reading cannot start within a member that is compressed.
    ...(isStored &&
      onStart && {
        onStart: (at) => {
          onStart({ ...at, offset: first + at.offset });
        },
      }),
  });
}

async function* counted(
  chunks: Chunks,
  from: number,
  onRead: (offset: number) => void,
): AsyncGenerator<Uint8Array> {
  let at = from;
  for await (const chunk of chunks) {
    at += chunk.length;
    onRead(at);
    yield chunk;
  }
}

/** Lists the WARC files, also those in WACZ files within the file. Throws ZipError, and the error of the file. */
async function listArchives(file: ZipBytes): Promise<ZipMember[]> {
  const archives: ZipMember[] = [];
  for (const member of await listMembers(file, isArchive)) {
    if (kindOfName(member.name) !== "wacz") archives.push(member);
    else if (!member.isStored) archives.push({ ...member, open: undefined });
    else archives.push(...(await listInner(file, member)));
  }
  return archives;
}

async function listInner(file: ZipBytes, { name, start, end }: ZipMember): Promise<ZipMember[]> {
  const inner = {
    size: end - start,
    open: (from: number, to: number) => file.open(start + from, start + to),
  };
  const members = await listMembers(inner, (one) => isArchive(one) && kindOfName(one) !== "wacz");
  return members.map((one) => ({
    ...one,
    name: `${name}/${one.name}`,
    start: start + one.start,
    end: start + one.end,
  }));
}

/**
 * Skips hidden files, among them those that macOS adds. In the folder for WARC files, a file of an unknown kind is one
 * whose name is damaged: the zip format has no checksum of names.
 */
function isArchive(name: string): boolean {
  const kind = kindOfName(name) ?? (/^archive\/[^/]+$/.test(name) ? "warc" : undefined);
  return (kind === "warc" || kind === "wacz") && !/(?:^|\/)\.[^/]*$/.test(name);
}
