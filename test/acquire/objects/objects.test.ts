import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parseKeyPattern, parseObjectAddress } from "../../../src/acquire/objects/address.js";
import { openHttpObjects } from "../../../src/acquire/objects/http.js";
import type { Objects } from "../../../src/acquire/objects/objects.js";
import { readObject } from "../../../src/acquire/objects/read-object.js";
import { openObjects } from "../../../src/acquire/objects/s3.js";
import { UsageError } from "../../../src/outcome.js";
import {
  awsEnvironment,
  hasServer,
  makeBucket,
  putObject,
  startS3,
  type Fault,
  type S3Server,
} from "../../objects/s3-server.js";
import { collectAll } from "../../collect-all.js";
import { closeAll, serveHttp } from "../http/asking.js";

describe("addresses of objects", () => {
  it("name a bucket and a key", () => {
    expect(parseObjectAddress("s3://b/x/y z?.html")).toEqual({ bucket: "b", key: "x/y z?.html" });
    expect(parseObjectAddress("S3://b")).toEqual({ bucket: "b", key: "" });
    expect(parseObjectAddress("https://host:80/a/b")).toEqual({ bucket: "https://host:80", key: "a/b" });
    expect(() => parseObjectAddress("s3:///x")).toThrow(UsageError);
  });

  it.each([
    ["a/*.html", ["a/x.html", "a/.html"], ["a/b/x.html", "a/x.htm", "a/xhtml"]],
    ["a/**/*.gz", ["a/x.gz", "a/b/c/x.gz"], ["b/x.gz"]],
    ["a/**", ["a/x", "a/b/c"], ["b"]],
    ["p-0000?.jsonl", ["p-00001.jsonl"], ["p-00011.jsonl", "p-0000/.jsonl"]],
    ["(a)[b]*", ["(a)[b]c"], ["ab"]],
  ])("may be globs: %s", (key, those, others) => {
    const pattern = parseKeyPattern(key);
    expect(those.filter((name) => pattern?.matches(name) !== true)).toEqual([]);
    expect(others.filter((name) => pattern?.matches(name) === true)).toEqual([]);
    expect([...those].every((name) => name.startsWith(pattern?.prefix ?? "?"))).toBe(true);
  });

  it("are not globs without a star or a question mark", () => {
    expect(parseKeyPattern("a/{b}[c].html")).toBeUndefined();
  });
});

describe("empty files of HTTP servers", () => {
  afterEach(closeAll);

  it.each([
    ["416, as most servers answer", 416, { "content-range": "bytes */0", etag: '"0"' }, "error"],
    ["416 without an ETag", 416, { "content-range": "bytes */0" }, "error"],
    ["200", 200, { "content-length": "0", etag: '"0"' }, ""],
  ])("are read as such: %s", async (_, status, headers, body) => {
    const port = await serveHttp((_request, response) => {
      response.writeHead(status, headers);
      response.end(body);
    });
    const http = openHttpObjects({ retryEveryMs: 5 });
    const address = parseObjectAddress(`http://127.0.0.1:${port}/empty`);
    try {
      const facts = await http.look(address);
      expect(facts?.bytes).toBe(0);
      expect(await collectAll(readObject(http, address, { etag: facts?.etag ?? "" }))).toEqual([]);
    } finally {
      await http.close();
    }
  });

  it("are not those of which a range is out of bounds", async () => {
    const port = await serveHttp((_request, response) => {
      response.writeHead(416, { "content-range": "bytes */7", etag: '"7"' });
      response.end();
    });
    const http = openHttpObjects({ retryEveryMs: 5 });
    const address = parseObjectAddress(`http://127.0.0.1:${port}/short`);
    try {
      await expect(collectAll(readObject(http, address, { offset: 9 }))).rejects.toMatchObject({
        reason: "unreadable",
      });
    } finally {
      await http.close();
    }
  });
});

const BUCKET = "bucket";
const at = (key: string): { bucket: string; key: string } => ({ bucket: BUCKET, key });
const digest = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const BYTES = randomBytes(700_000);

describe.skipIf(!hasServer)("object stores", { timeout: 60_000 }, () => {
  let server: S3Server;
  let objects: Objects;
  let folder = "";

  beforeAll(async () => {
    server = await startS3();
    Object.assign(process.env, awsEnvironment(server));
    await makeBucket(server, BUCKET);
    await putObject(server, `${BUCKET}/random`, BYTES);
    folder = mkdtempSync(join(tmpdir(), "thresher-objects-"));
    objects = await openObjects({ retryEveryMs: 5, partBytes: 5 << 20 });
  }, 120_000);
  afterAll(async () => {
    await objects.close();
    await server.close();
  });
  beforeEach(() => {
    server.fault = () => undefined;
    server.asked.length = 0;
  });

  /** The first requests fail with these faults; later requests succeed. */
  const failWith = (...faults: Fault[]): void => {
    server.fault = () => faults.shift();
  };
  const read = async (key: string, options = {}): Promise<Buffer> =>
    Buffer.concat(await collectAll(readObject(objects, at(key), options)));
  const fileOf = (name: string, bytes: Uint8Array | string): string => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return path;
  };

  describe("when they are read", () => {
    it("resume at the byte where a connection was cut, and check that the object is the same", async () => {
      server.fault = ({ method }) => (method === "GET" ? { cutAfter: 150_000 } : undefined);
      expect(digest(await read("random"))).toBe(digest(BYTES));
      const ranges = server.asked.map(({ range }) => range);
      expect(ranges[0]).toBeUndefined();
      expect(ranges.slice(1)).toEqual([150_000, 300_000, 450_000, 600_000].map((from) => `bytes=${from}-`));
      expect(new Set(server.asked.slice(1).map(({ ifMatch }) => ifMatch)).size).toBe(1);
      expect(server.asked[1]?.ifMatch).toMatch(/^"\w+"$/);
    });

    it("return a byte range, and resume within it", async () => {
      failWith({ cutAfter: 10 }, { status: 500 }, { cutAfter: 1000 });
      const part = await read("random", { offset: 5000, length: 20_000 });
      expect(part.equals(BYTES.subarray(5000, 25_000))).toBe(true);
      expect(server.asked.map(({ range }) => range)).toEqual([
        "bytes=5000-24999",
        "bytes=5010-24999",
        "bytes=5010-24999",
        "bytes=6010-24999",
      ]);
    });

    it("are retried when the server is busy, but not for ever", async () => {
      failWith({ status: 503, code: "SlowDown" }, { status: 500 });
      expect(digest(await read("random"))).toBe(digest(BYTES));
      expect(server.asked).toHaveLength(3);
      server.asked.length = 0;
      server.fault = () => ({ status: 500 });
      await expect(read("random")).rejects.toMatchObject({ reason: "fetch-failed", retryable: true });
      expect(server.asked).toHaveLength(6);
    });

    it("stop retrying if no more bytes come", async () => {
      server.fault = ({ range }) => ({ cutAfter: range === undefined ? 1000 : 0 });
      await expect(read("random")).rejects.toMatchObject({ reason: "fetch-failed", retryable: true });
      expect(server.asked.length).toBeLessThan(10);
    });

    it("are requested again if the data stops for longer than idleMs", async () => {
      failWith({ stopAfter: 100_000 });
      expect(digest(await read("random", { idleMs: 200 }))).toBe(digest(BYTES));
      expect(server.asked[1]?.range).toBe("bytes=100000-");
    });

    it("close the connection as soon as the reader stops", async () => {
      failWith({ stopAfter: 100_000 });
      const chunks = readObject(objects, at("random"))[Symbol.asyncIterator]();
      await chunks.next();
      const begun = Date.now();
      await chunks.return?.();
      expect(Date.now() - begun).toBeLessThan(5000);
      expect(await chunks.next()).toEqual({ done: true, value: undefined });
    });

    it("are rejected if they change while they are read", async () => {
      await putObject(server, `${BUCKET}/changing`, BYTES);
      server.fault = ({ method }) => (method === "GET" ? { cutAfter: 100_000 } : undefined);
      const chunks = readObject(objects, at("changing"))[Symbol.asyncIterator]();
      await chunks.next();
      await putObject(server, `${BUCKET}/changing`, randomBytes(700_000));
      const rest = async (): Promise<void> => {
        while ((await chunks.next()).done !== true);
      };
      await expect(rest()).rejects.toMatchObject({ reason: "unreadable", retryable: false });
      await expect(rest()).resolves.toBeUndefined();
    });

    it("are rejected if the server returns another etag", async () => {
      failWith({ cutAfter: 100_000 }, { etag: '"other"' });
      await expect(read("random")).rejects.toThrow(/has changed/);
      await expect(read("random", { etag: '"planned"' })).rejects.toThrow(/has changed/);
    });

    it("may be empty, and are reported if they or their bucket do not exist", async () => {
      await putObject(server, `${BUCKET}/empty`, "");
      expect(await read("empty")).toHaveLength(0);
      await expect(read("nothing")).rejects.toMatchObject({ reason: "not-found" });
      expect(await objects.look(at("nothing"))).toBeUndefined();
      await expect(collectAll(objects.list({ bucket: "none", key: "" }))).rejects.toMatchObject({
        retryable: false,
      });
    });

    it("are listed page by page", async () => {
      const keys = ["l/a", "l/b/c", "l/b/d", "l/e", "l/f", "l/ü g"];
      for (const key of keys) await putObject(server, `${BUCKET}/${encodeURI(key)}`, key);
      server.fault = () => ({ query: { "max-keys": "2" } });
      server.asked.length = 0;
      const listed = await collectAll(objects.list(at("l/")));
      expect(listed.map(({ key }) => key)).toEqual(keys);
      expect(listed.map(({ bytes }) => bytes)).toEqual(keys.map((key) => Buffer.byteLength(key)));
      expect(server.asked).toHaveLength(3);
    });

    it("can also be read over plain HTTP if the server supports ranges", async () => {
      const http = openHttpObjects({ retryEveryMs: 5 });
      const address = parseObjectAddress(`${server.endpoint}/${BUCKET}/random`);
      try {
        expect((await http.look(address))?.bytes).toBe(BYTES.length);
        server.asked.length = 0;
        failWith({ status: 503 }, { cutAfter: 1000 });
        const part = Buffer.concat(
          await collectAll(readObject(http, address, { offset: 10, length: 300_000 })),
        );
        expect(part.equals(BYTES.subarray(10, 300_010))).toBe(true);
        expect(server.asked.map(({ range }) => range).at(-1)).toBe("bytes=1010-300009");
        const missing = parseObjectAddress(`${server.endpoint}/${BUCKET}/nothing`);
        expect(await http.look(missing)).toBeUndefined();
      } finally {
        await http.close();
      }
    });
  });

  describe("when they are written", () => {
    it("accept only the first of several concurrent writers, unless asked to replace", async () => {
      const files = Array.from({ length: 8 }, (_, i) => fileOf(`race-${i}`, `writer ${i}`));
      const put = await Promise.all(files.map((file) => objects.put(at("race"), file, "first")));
      const winner = put.indexOf("done");
      expect(put.filter((outcome) => outcome === "done")).toHaveLength(1);
      expect((await read("race")).toString()).toBe(`writer ${winner}`);
      expect(await objects.put(at("race"), fileOf("later", "later"), "replace")).toBe("done");
      expect((await read("race")).toString()).toBe("later");
    });

    it("tell that an object exists, although its writer removes it right after", async () => {
      const file = fileOf("short", "mine");
      expect(await objects.put(at("short"), file, "first")).toBe("done");
      server.fault = ({ method }) => (method === "HEAD" ? { status: 404, code: "NotFound" } : undefined);
      expect(await objects.put(at("short"), file, "first")).toBe("exists");
    });

    it("recognise their own write after its answer was lost", async () => {
      failWith({ isAnswerLost: true });
      expect(await objects.put(at("lost"), fileOf("lost", "mine"), "first")).toBe("done");
      expect(server.asked.filter(({ method }) => method === "PUT").length).toBeGreaterThan(1);
      expect(await objects.put(at("lost"), fileOf("lost-2", "mine"), "first")).toBe("exists");
    });

    it("upload large files in parts, and show nothing before the upload is complete", async () => {
      const large = Buffer.alloc((11 << 20) + 17, BYTES);
      const file = fileOf("large", large);
      let isFirst = true;
      server.fault = ({ method, url }) => {
        if (method !== "PUT" || !url.includes("partNumber=2") || !isFirst) return undefined;
        isFirst = false;
        return { status: 500 };
      };
      expect(await objects.put(at("large"), file, "first")).toBe("done");
      expect(digest(await read("large"))).toBe(digest(large));
      expect(await objects.put(at("large"), file, "first")).toBe("exists");
      server.fault = ({ url }) =>
        url.includes("partNumber=3") ? { status: 403, code: "AccessDenied" } : undefined;
      await expect(objects.put(at("large-2"), file, "first")).rejects.toThrow(/AccessDenied/);
      expect(await objects.look(at("large-2"))).toBeUndefined();
      const uploads = await (await fetch(`${server.endpoint}/${BUCKET}?uploads`)).text();
      expect(uploads).not.toContain("<UploadId>");
    });

    it("replace an object only if its etag is the expected one", async () => {
      await putObject(server, `${BUCKET}/held`, "one");
      const etag = (await objects.look(at("held")))?.etag ?? "";
      expect(await objects.put(at("held"), fileOf("two", "two"), { etag })).toBe("done");
      expect(await objects.put(at("held"), fileOf("three", "three"), { etag })).toBe("exists");
      await objects.remove(at("held"));
      await objects.remove(at("held"));
      expect(await objects.put(at("held"), fileOf("four", "four"), { etag })).toBe("exists");
    });
  });
});
