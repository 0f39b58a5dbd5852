import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { OutputError } from "../../../src/outcome.js";
import { ClosedPipe, openFile, openStream } from "../../../src/write/files/sink.js";

const folder = (): string => mkdtempSync(join(tmpdir(), "thresher-sink-"));

describe("openFile", () => {
  it("shows the file only after it is closed, and leaves no other file behind", async () => {
    const dir = folder();
    const path = join(dir, "sub", "out.txt");
    const sink = await openFile(path);
    await sink.write("x".repeat(100_000));
    expect(existsSync(path)).toBe(false);
    await sink.write("ä");
    await sink.close();
    expect(readFileSync(path, "utf8")).toBe(`${"x".repeat(100_000)}ä`);
    expect(readdirSync(join(dir, "sub"))).toEqual(["out.txt"]);
  });

  it("leaves the old file unchanged if the work is discarded", async () => {
    const dir = folder();
    const path = join(dir, "out.txt");
    writeFileSync(path, "old");
    const sink = await openFile(path);
    await sink.write("new");
    await sink.discard();
    expect(readFileSync(path, "utf8")).toBe("old");
    expect(readdirSync(dir)).toEqual(["out.txt"]);
  });

  it("reports why it cannot write", async () => {
    const dir = folder();
    writeFileSync(join(dir, "file"), "");
    await expect(openFile(dir)).rejects.toThrow(/is a directory/);
    await expect(openFile(join(dir, "file", "out"))).rejects.toBeInstanceOf(OutputError);
  });

  it("writes the file that a link leads to, and accepts the longest names", async () => {
    const dir = folder();
    writeFileSync(join(dir, "real.txt"), "old");
    symlinkSync("real.txt", join(dir, "link.txt"));
    const long = "长".repeat(84);
    for (const name of ["link.txt", long]) {
      const sink = await openFile(join(dir, name));
      await sink.write("new");
      await sink.close();
    }
    expect(lstatSync(join(dir, "link.txt")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(dir, "real.txt"), "utf8")).toBe("new");
    expect(readdirSync(dir).sort()).toEqual(["link.txt", "real.txt", long]);
  });

  it("creates the file that links lead to if it does not exist", async () => {
    const dir = folder();
    mkdirSync(join(dir, "disk"));
    symlinkSync("disk/second.txt", join(dir, "first.txt"));
    mkdirSync(join(dir, "other"));
    symlinkSync("../other", join(dir, "disk", "linked"));
    symlinkSync("linked/../real.txt", join(dir, "disk", "second.txt"));
    const sink = await openFile(join(dir, "first.txt"));
    await sink.write("new");
    await sink.close();
    expect(lstatSync(join(dir, "first.txt")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(dir, "real.txt"), "utf8")).toBe("new");
    symlinkSync("loop.txt", join(dir, "loop.txt"));
    await expect(openFile(join(dir, "loop.txt"))).rejects.toThrow(/cannot write .*links/);
  });

  it.skipIf(!existsSync("/proc/self"))("throws for a folder that cannot be created", async () => {
    await expect(openFile("/proc/none/out.txt")).rejects.toBeInstanceOf(OutputError);
  });

  it("writes to a device instead of replacing it", async () => {
    const dir = folder();
    symlinkSync("/dev/null", join(dir, "null"));
    const sink = await openFile(join(dir, "null"));
    await sink.write("gone");
    await sink.close();
    expect(readdirSync(dir)).toEqual(["null"]);
  });

  it("reports a full disk", async () => {
    if (!existsSync("/dev/full")) return;
    const dir = folder();
    symlinkSync("/dev/full", join(dir, "full"));
    const sink = await openFile(join(dir, "full"));
    await sink.write("x");
    await expect(sink.close()).rejects.toThrow(/ENOSPC/);
  });

  it.runIf(existsSync("/dev/fd"))("adds to the file that an open stream leads to (>> file)", async () => {
    const path = join(folder(), "stream.txt");
    writeFileSync(path, "before\n");
    const stream = openSync(path, "a");
    try {
      const sink = await openFile(`/dev/fd/${stream}`);
      await sink.write("now\n");
      await sink.close();
      writeSync(stream, "after\n");
    } finally {
      closeSync(stream);
    }
    expect(readFileSync(path, "utf8")).toBe("before\nnow\nafter\n");
  });
});

describe("openStream", () => {
  it("leaves no listeners on a stream that is often full", async () => {
    const stream = new Writable({
      highWaterMark: 1,
      write: (_chunk, _encoding, done) => void setImmediate(done),
    });
    const sink = openStream(stream, "slow");
    const count = (): number[] => ["drain", "close", "error"].map((event) => stream.listenerCount(event));
    const before = count();
    for (let i = 0; i < 20; i += 1) await sink.write("xx");
    expect(count()).toEqual(before);
  });

  it("waits for a slow reader", async () => {
    const chunks: string[] = [];
    const slow = new Writable({
      highWaterMark: 4,
      write(chunk: Buffer, _encoding, done) {
        chunks.push(chunk.toString());
        setTimeout(done, 5);
      },
    });
    const sink = openStream(slow, "out");
    for (const word of ["alpha", "beta", "gamma"]) {
      await sink.write(word);
      expect(slow.writableLength).toBeLessThanOrEqual(10);
    }
    await sink.close();
    expect(chunks.join("")).toBe("alphabetagamma");
  });

  it.each(["EPIPE", "EOF"])("distinguishes a closed pipe from other errors: %s", async (code) => {
    const failing = (why: string): Writable =>
      new Writable({
        write: (_chunk, _encoding, done) => {
          done(Object.assign(new Error(why), { code: why }));
        },
      });
    const gone = openStream(failing(code), "stdout");
    await expect(
      gone
        .write("x")
        .then(() => gone.write("y"))
        .then(() => gone.close()),
    ).rejects.toBeInstanceOf(ClosedPipe);
    const full = openStream(failing("ENOSPC"), "stdout");
    await expect(
      full
        .write("x")
        .then(() => full.write("y"))
        .then(() => full.close()),
    ).rejects.toBeInstanceOf(OutputError);
  });
});
