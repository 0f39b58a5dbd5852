/** Writes zip files for the tests byte by byte, so that they can be wrong on purpose. */
import { crc32, deflateRawSync } from "node:zlib";

export interface MemberSpec {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly isDeflated?: boolean;
  /** Written into the directory instead of the real sizes. */
  readonly claims?: number;
  readonly flags?: number;
  readonly method?: number;
}

interface ZipSpec {
  /** Writes all sizes and offsets of the directory in the fields of zip64. */
  readonly isZip64?: boolean;
}

export function zipBytes(members: readonly MemberSpec[], { isZip64 = false }: ZipSpec = {}): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  const add = (...more: Buffer[]): void => {
    for (const one of more) {
      parts.push(one);
      offset += one.length;
    }
  };
  for (const { name, bytes, isDeflated = false, claims, flags = 0x800, method } of members) {
    const at = offset;
    const stored = isDeflated ? deflateRawSync(bytes) : Buffer.from(bytes);
    const named = Buffer.from(name);
    const how = [20, flags, method ?? (isDeflated ? 8 : 0), 0, 0].map(u16);
    const sizes = [crc32(bytes), claims ?? stored.length, claims ?? bytes.length];
    add(Buffer.from("PK\x03\x04"), ...how, ...sizes.map(u32), u16(named.length), u16(0), named, stored);
    const wide = isZip64 ? [sizes[2] ?? 0, sizes[1] ?? 0, at].map(u64) : [];
    const extra = isZip64 ? Buffer.concat([u16(1), u16(24), ...wide]) : Buffer.alloc(0);
    directory.push(
      Buffer.from("PK\x01\x02"),
      ...[u16(20), ...how, u32(crc32(bytes))],
      ...(isZip64 ? [u32(MAX), u32(MAX)] : [u32(sizes[1] ?? 0), u32(sizes[2] ?? 0)]),
      ...[named.length, extra.length, 0, 0, 0].map(u16),
      ...[u32(0), u32(isZip64 ? MAX : at), named, extra],
    );
  }
  const start = offset;
  add(...directory);
  const [count, size] = [members.length, offset - start];
  if (isZip64) {
    const end = offset;
    add(
      Buffer.from("PK\x06\x06"),
      u64(44),
      u16(45),
      u16(45),
      u32(0),
      u32(0),
      ...[count, count, size, start].map(u64),
    );
    add(Buffer.from("PK\x06\x07"), u32(0), u64(end), u32(1));
  }
  const last = isZip64
    ? [u16(0xffff), u16(0xffff), u32(MAX), u32(MAX)]
    : [u16(count), u16(count), u32(size), u32(start)];
  add(Buffer.from("PK\x05\x06"), u16(0), u16(0), ...last, u16(0));
  return Buffer.concat(parts);
}

const MAX = 0xffffffff;

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
