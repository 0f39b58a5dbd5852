/** Writes the output files of a shard in the scratch folder, as gzip JSON Lines, and counts and digests the records. */
import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { openGrowing } from "../../write/files/growing-file.js";
import { openGzip } from "../../write/files/gzip.js";
import type { Hold, Store } from "../store/store.js";
import type { Sink } from "../../write/writer.js";
import { nameUnfinished, type Attempt } from "./cursor.js";
import { explained } from "../../write-error.js";

/** The facts about an output file that its receipt states. */
export interface FileFacts {
  /** The name of the file in the output place. */
  readonly file: string;
  readonly records: number;
  /** Size of the compressed file. */
  readonly bytes: number;
  readonly plainBytes: number;
  /** The SHA-256 of the unpacked bytes. */
  readonly sha256: string;
}

export interface ShardFile {
  /** Writes one record, with its line end. */
  write(record: string): Promise<void>;
  /** Flushes the file to disk and closes it. */
  finish(): Promise<FileFacts>;
  /** The local path before the file is committed as `file`. */
  readonly path: string;
  readonly file: string;
  discard(): Promise<void>;
}

/** Opens a file at the local `path`, to be committed later under the name `file`. */
export async function openShardFile(path: string, file: string): Promise<ShardFile> {
  const growing = await explained(file, () => openGrowing(path));
  let bytes = 0;
  const bare: Sink = {
    write: (chunk) => growing.write(chunk),
    async close() {
      bytes = await growing.sync();
      await growing.close();
    },
    discard: () => growing.close(),
  };
  const packed = openGzip(bare, { member: "block" });
  const digest = createHash("sha256");
  let records = 0;
  let plainBytes = 0;
  return {
    ...{ path, file },
    async write(record) {
      const plain = Buffer.from(record);
      digest.update(plain);
      records += 1;
      plainBytes += plain.length;
      await explained(file, () => packed.write(plain));
    },
    async finish() {
      await explained(file, () => packed.close());
      return { file, records, bytes, plainBytes, sha256: digest.digest("hex") };
    },
    async discard() {
      await packed.discard().catch(() => undefined); // an earlier failure has been thrown already
      await rm(path, { force: true });
    },
  };
}

/** The output files of an attempt. */
export interface ShardFiles {
  readonly text: ShardFile;
  readonly rejects: ShardFile;
  /** Set when the job requests signatures. */
  readonly signatures: ShardFile | undefined;
  /** All open files. */
  readonly all: readonly ShardFile[];
  /** Flushes all files to disk and closes them. */
  finish(): Promise<FactsOfFiles>;
  discard(): Promise<void>;
}

export interface FactsOfFiles {
  readonly text: FileFacts;
  readonly rejects: FileFacts;
  readonly signatures?: FileFacts;
}

/** Opens the output files of an attempt. Throws OutputError, and leaves no file behind then. */
export async function openShardFiles(
  { scratch }: Pick<Store, "scratch">,
  attempt: Attempt,
  { generation, isSigned }: { readonly generation: number; readonly isSigned: boolean },
): Promise<ShardFiles> {
  const all: ShardFile[] = [];
  const open = async (kind: OutputKind): Promise<ShardFile> => {
    const path = join(scratch, nameUnfinished(attempt, kind));
    const file = await openShardFile(path, nameOutput(kind, attempt.shard, generation));
    all.push(file);
    return file;
  };
  const discard = async (): Promise<void> => {
    for (const file of all) await file.discard();
  };
  try {
    const text = await open("text");
    const rejects = await open("rejects");
    const signatures = isSigned ? await open("signatures") : undefined;
    return {
      ...{ text, rejects, signatures, all, discard },
      finish: async () => ({
        text: await text.finish(),
        rejects: await rejects.finish(),
        ...(signatures && { signatures: await signatures.finish() }),
      }),
    };
  } catch (error) {
    await discard();
    throw error;
  }
}

/**
 * Commits the files of a shard, whose receipt may then be written. Throws TryAgain if another attempt has taken over
 * the lock.
 */
export async function commitFiles(store: Store, { all }: ShardFiles, held: Hold): Promise<void> {
  for (const { file, path } of all) {
    held.lost?.throwIfAborted();
    await store.commit(file, path, "replace");
  }
  held.lost?.throwIfAborted();
}

type OutputKind = "text" | "rejects" | "signatures";

/** The name of an output in its place. From the second generation on it contains the generation. */
function nameOutput(kind: OutputKind, shard: string, generation: number): string {
  return `${kind}/${shard}${generation === 1 ? "" : `.${generation}`}.jsonl.gz`;
}
