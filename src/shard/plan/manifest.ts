/** Lists the shards of a job: a row for each, with the inputs that it reads. */
import { createHash } from "node:crypto";
import { resolve } from "node:path";
import type { InputPart } from "../../acquire/parts.js";
import type { InputKind } from "../../acquire/kind.js";
import { isUrl } from "../../acquire/files.js";

/** A file, or a part of one, as it was when the job was planned. */
export interface ShardInput {
  /** A path, or an address; a path that is relative leads on from the root of the job. */
  readonly uri: string;
  /** Of the whole file. */
  readonly bytes: number;
  /** Changes when the file does. */
  readonly etag: string;
  readonly offset: number;
  /** Bytes from there on; null for all. */
  readonly length: number | null;
  /** Of a part: what the whole file is. */
  readonly kind?: InputKind;
  /** Of a part of JSON Lines: the number of its first line. */
  readonly line?: number;
  /** Of a part of an archive: whether a digest before it was right. */
  readonly proven?: boolean;
  /** Of an archive: where the records begin that are wanted, of all those in it. */
  readonly only?: readonly number[];
}

/** One line of the manifest. */
export interface ShardRow {
  readonly shard: string;
  readonly inputs: readonly ShardInput[];
}

/** A row, and which one it is, from 0. */
export interface NumberedRow extends ShardRow {
  readonly index: number;
}

/** The number of the row, and a digest of what it reads: the same inputs have the same name, however many machines there are. */
export function nameShard(index: number, inputs: readonly ShardInput[]): string {
  const digest = createHash("sha256").update(JSON.stringify(inputs)).digest("hex").slice(0, 8);
  return `${String(index).padStart(5, "0")}-${digest}`;
}

/** What reads the input of a row. */
export function toPart(
  { uri, etag, offset, length, kind, line, proven, only }: ShardInput,
  root: string,
): InputPart {
  const isWithin = offset > 0;
  const isArchive = kind === "warc" || kind === "wet";
  return {
    id: uri,
    path: isUrl(uri) ? uri : resolve(root, uri),
    ...(isUrl(uri) && { etag }),
    ...(isWithin && { offset }),
    ...(length !== null && { length }),
    ...(kind && { kind }),
    ...(line !== undefined && { line }),
    ...(only && { only: new Set(only) }),
    ...(isWithin && isArchive && { start: { offset, areDigestsProven: proven === true } }),
  };
}

export function formatRow({ shard, inputs }: ShardRow): string {
  return `${JSON.stringify({ shard, inputs })}\n`;
}

/** The bytes that a row reads. */
export function sizeOfRow({ inputs }: ShardRow): number {
  return inputs.reduce((sum, { bytes, offset, length }) => sum + (length ?? bytes - offset), 0);
}
