/** Parses object addresses: `s3://bucket/key`, where the key may be a prefix or a glob, and `https://host/path`. */
import { UsageError } from "../../outcome.js";

export interface ObjectAddress {
  /** The bucket; for a server that serves ranges over HTTP, its origin. */
  readonly bucket: string;
  /** The key of an object, or a prefix of keys; "" for the whole bucket. */
  readonly key: string;
}

/** Checks for an S3 address: such a store can list and write objects. */
export function isObjectAddress(input: string): boolean {
  return /^s3:\/\//i.test(input);
}

/** Throws UsageError if no bucket is named. */
export function parseObjectAddress(address: string): ObjectAddress {
  const [, origin, path] = /^(https?:\/\/[^/]+)\/([^]*)$/i.exec(address) ?? [];
  if (origin !== undefined && path !== undefined) return { bucket: origin, key: path };
  const [, bucket, key = ""] = /^s3:\/\/([^/]+)(?:\/([^]*))?$/i.exec(address) ?? [];
  if (bucket === undefined) throw new UsageError(`${address} names no bucket; write it as s3://bucket/name`);
  return { bucket, key };
}

export function formatObjectAddress({ bucket, key }: ObjectAddress): string {
  return bucket.includes("://") ? `${bucket}/${key}` : `s3://${bucket}/${key}`;
}

/** A glob for keys; `prefix` is the text that every matching key begins with. */
export interface KeyPattern {
  readonly prefix: string;
  readonly matches: (key: string) => boolean;
}

/**
 * Parses `*` (matches within one path segment), `**` (matches across slashes) and `?`. Returns undefined if a key has
 * no wildcard and so names one object or prefix.
 */
export function parseKeyPattern(key: string): KeyPattern | undefined {
  const first = key.search(/[*?]/);
  if (first === -1) return undefined;
  const source = key.replace(/\*\*\/|\*+|\?|[^*?]+/g, (part) => {
    if (part === "**/") return "(?:[^]*/)?";
    if (part === "?") return "[^/]";
    if (part.startsWith("*")) return part.length > 1 ? "[^]*" : "[^/]*";
    return part.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  });
  const pattern = new RegExp(`^${source}$`, "u");
  return { prefix: key.slice(0, first), matches: (name) => pattern.test(name) };
}
