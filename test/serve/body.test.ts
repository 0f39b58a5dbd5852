/** Tests reading the body of a stream until the reader stops or a line comes too late. */
import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { expect, it, vi } from "vitest";
import { streamBody } from "../../src/serve/request/body.js";

/** Noise, so that it is long when compressed, too. */
const LINES = Buffer.from(`${randomBytes(100_000).toString("hex")}\n`);

it.each([
  { coding: "identity", bytes: LINES },
  { coding: "gzip", bytes: gzipSync(LINES) },
])("leaves the request when the reader stops early: $coding", async ({ coding, bytes }) => {
  const request = Object.assign(new PassThrough(), { headers: { "content-encoding": coding } });
  request.write(bytes);
  // Only the headers and the bytes of the request are read.
  for await (const chunk of streamBody(request as unknown as IncomingMessage, 60_000)) {
    expect(chunk.length).toBeGreaterThan(0);
    break;
  }
  await vi.waitFor(() => {
    expect(request.listenerCount("readable")).toBe(0);
  });
  expect(request.destroyed).toBe(false);
});

it("leaves the request when a line has come too late, as soon as more of it comes", async () => {
  const request = Object.assign(new PassThrough(), { headers: {} });
  request.write("{");
  const read = async (): Promise<void> => {
    for await (const chunk of streamBody(request as unknown as IncomingMessage, 50))
      expect(String(chunk)).toBe("{");
  };
  await expect(read()).rejects.toThrow("a line of its body took too long");
  await pause(10);
  request.write("}");
  await vi.waitFor(() => {
    expect(request.listenerCount("readable")).toBe(0);
  });
});
