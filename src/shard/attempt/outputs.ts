/** Writes the files of a shard beside their places: packed JSON Lines, counted and digested on the way. */
import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { OutputError } from "../../outcome.js";
import { openGrowing } from "../../write/files/growing-file.js";
import { openGzip } from "../../write/files/gzip.js";
import type { Store } from "../store/store.js";
import type { Sink } from "../../write/writer.js";
import { messageOf } from "../../thrown.js";
import { nameUnfinished, type Attempt } from "./cursor.js";

/** A file of a shard, as its receipt states it. */
export interface FileFacts {
  /** The name in the place of the outputs. */
  readonly file: string;
  readonly records: number;
  /** As it lies there. */
  readonly bytes: number;
  readonly plainBytes: number;
  /** Of the unpacked bytes. */
  readonly sha256: string;
}

export interface ShardFile {
  /** Writes one record, with its line end. */
  write(record: string): Promise<void>;
  /** Puts all on disk. */
  finish(): Promise<FileFacts>;
  /** Where it lies until it is put in place as `file`. */
  readonly path: string;
  readonly file: string;
  discard(): Promise<void>;
}

/** `path` is where it lies until it is put in place as `file`. */
export async function openShardFile(path: string, file: string): Promise<ShardFile> {
  const growing = await explained(file, openGrowing(path));
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
      await explained(file, packed.write(plain));
    },
    async finish() {
      await explained(file, packed.close());
      return { file, records, bytes, plainBytes, sha256: digest.digest("hex") };
    },
    async discard() {
      await packed.discard().catch(() => undefined); // the first failure has been thrown already
      await rm(path, { force: true });
    },
  };
}

async function explained<T>(name: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof OutputError) throw cause;
    throw new OutputError(`cannot write ${name}: ${messageOf(cause)}`, {
      cause,
    });
  }
}

/** The files that an attempt at a shard writes. */
export interface ShardFiles {
  readonly text: ShardFile;
  readonly rejects: ShardFile;
  /** Where the job asks for them. */
  readonly signatures: ShardFile | undefined;
  /** Those that are there. */
  readonly all: readonly ShardFile[];
  /** Puts all on disk. */
  finish(): Promise<FactsOfFiles>;
  discard(): Promise<void>;
}

export interface FactsOfFiles {
  readonly text: FileFacts;
  readonly rejects: FileFacts;
  readonly signatures?: FileFacts;
}

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

type OutputKind = "text" | "rejects" | "signatures";

/** The name of an output in its place. Generations after the first have their number in it. */
function nameOutput(kind: OutputKind, shard: string, generation: number): string {
  return `${kind}/${shard}${generation === 1 ? "" : `.${generation}`}.jsonl.gz`;
}
