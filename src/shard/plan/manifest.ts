/** Defines the manifest of a job: one row for each shard, with the inputs that it reads. */
import { createHash } from "node:crypto";
import { resolve } from "node:path";
import type { InputPart } from "../../acquire/parts.js";
import type { InputKind } from "../../acquire/kind.js";
import { isUrl } from "../../acquire/files.js";

/** A file, or a part of one, as it was when the job was planned. */
export interface ShardInput {
  /** A URL or a path; a relative path starts from the root of the job. */
  readonly uri: string;
  /** Size of the whole file. */
  readonly bytes: number;
  /** Changes when the file does. */
  readonly etag: string;
  readonly offset: number;
  /** Number of bytes from `offset` on; null for all of them. */
  readonly length: number | null;
  /** The kind of the whole file, if this is a part of it. */
  readonly kind?: InputKind;
  /** The number of the first line of a part of JSON Lines. */
  readonly line?: number;
  /** Whether a digest before this part of an archive was right: only then do wrong digests count. */
  readonly proven?: boolean;
  /** The offsets of the records to read from an archive, if not all are wanted. */
  readonly only?: readonly number[];
}

/** One line of the manifest. */
export interface ShardRow {
  readonly shard: string;
  readonly inputs: readonly ShardInput[];
}

/** A row with its index, from 0. */
export interface NumberedRow extends ShardRow {
  readonly index: number;
}

/**
 * Names a shard by its index and a digest of its inputs: the same inputs get the same name on any number of machines.
 */
export function nameShard(index: number, inputs: readonly ShardInput[]): string {
  const digest = createHash("sha256").update(JSON.stringify(inputs)).digest("hex").slice(0, 8);
  return `${String(index).padStart(5, "0")}-${digest}`;
}

/** Finds the name of a shard at the start of a file name. */
export const SHARD_NAME = /^\d{5,}-[\da-f]{8}(?=\.)/;

/** Converts an input of a row to the form that the reader takes. */
export function toPart(
  { uri, etag, offset, length, kind, line, proven, only }: ShardInput,
  root: string,
): InputPart {
  const isWithin = offset > 0;
  const isArchive = kind === "warc" || kind === "wet" || kind === "wacz";
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

/** The number of bytes that a row reads. */
export function sizeOfRow({ inputs }: ShardRow): number {
  return inputs.reduce((sum, { bytes, offset, length }) => sum + (length ?? bytes - offset), 0);
}
