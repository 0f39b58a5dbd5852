/** Reads the addresses of objects: `s3://bucket/key`, where the key may be a prefix or a glob, and `https://host/path`. */
import { UsageError } from "../../outcome.js";

export interface ObjectAddress {
  /** Of a server that gives ranges over HTTP, its origin. */
  readonly bucket: string;
  /** The name of an object, or what names begin with; "" for all of the bucket. */
  readonly key: string;
}

/** Whether it lies in a store that lists and writes objects. */
export function isObjectAddress(input: string): boolean {
  return /^s3:\/\//i.test(input);
}

/** Throws UsageError where no bucket is named. */
export function parseObjectAddress(address: string): ObjectAddress {
  const [, origin, path] = /^(https?:\/\/[^/]+)\/([^]*)$/i.exec(address) ?? [];
  if (origin !== undefined && path !== undefined) return { bucket: origin, key: path };
  const [, bucket, key = ""] = /^s3:\/\/([^/]+)(?:\/([^]*))?$/i.exec(address) ?? [];
  if (bucket === undefined)
    throw new UsageError(`${address} names no bucket; an address reads s3://bucket/name`);
  return { bucket, key };
}

export function formatObjectAddress({ bucket, key }: ObjectAddress): string {
  return bucket.includes("://") ? `${bucket}/${key}` : `s3://${bucket}/${key}`;
}

/** A pattern for names, and what all that it matches begins with. */
export interface KeyPattern {
  readonly prefix: string;
  readonly matches: (key: string) => boolean;
}

/**
 * Reads `*` (within a part between slashes), `**` (across them) and `?`; undefined where a key has none of them, and so
 * names one thing.
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
