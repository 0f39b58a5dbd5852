import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { OutputError } from "../../../src/outcome.js";
import { takeLock } from "../../../src/write/files/lock.js";

const newPath = (): string => join(mkdtempSync(join(tmpdir(), "thresher-lock-")), "out.lock");
/** Returns the number of a process that has ended. */
const deadPid = (): number => spawnSync(process.execPath, ["-e", ""]).pid;
const owner = (pid: number, host = hostname(), more = {}): string => JSON.stringify({ pid, host, ...more });
const age = (path: string, seconds: number): void => {
  const time = Date.now() / 1000 - seconds;
  utimesSync(path, time, time);
};

describe("takeLock", () => {
  it("leaves no file behind after release, and can lock again", async () => {
    const path = newPath();
    for (let times = 0; times < 2; times += 1) {
      const lock = await takeLock(path, "out");
      expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ pid: process.pid, host: hostname() });
      await lock.release();
      expect(readdirSync(join(path, ".."))).toEqual([]);
    }
  });

  it("refuses if a living process holds the lock, and names that process", async () => {
    const path = newPath();
    writeFileSync(path, owner(process.ppid));
    await expect(takeLock(path, "out.jsonl")).rejects.toThrow(
      `out.jsonl is being written by process ${process.ppid} on ${hostname()}; if it is not, delete ${path}`,
    );
    await expect(takeLock(path, "out.jsonl")).rejects.toBeInstanceOf(OutputError);
    expect(readFileSync(path, "utf8")).toBe(owner(process.ppid));
  });

  it("takes over the lock of a dead process, even if another process has its number now", async () => {
    const left = [owner(deadPid()), owner(process.pid)];
    if (existsSync("/proc/self/stat")) left.push(owner(process.ppid, hostname(), { born: "1" }));
    for (const text of left) {
      const path = newPath();
      writeFileSync(path, text);
      const lock = await takeLock(path, "out");
      expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ pid: process.pid });
      await lock.release();
      expect(readdirSync(join(path, ".."))).toEqual([]);
    }
  });

  it("takes over a lock without a start time that has not been touched for minutes", async () => {
    const path = newPath();
    writeFileSync(path, owner(process.ppid));
    age(path, 60);
    await expect(takeLock(path, "out")).rejects.toThrow("is being written");
    age(path, 300);
    await (await takeLock(path, "out")).release();
  });

  it.skipIf(process.platform !== "linux")(
    "takes over the lock of a killed process whose parent has not waited for it",
    async () => {
      // The shell replaces itself with a program that never waits for the inherited child.
      const parent = spawn("sh", ["-c", "sleep 60 & echo $!; exec sleep 60"]);
      try {
        const [chunk] = (await once(parent.stdout, "data")) as [Buffer];
        const pid = Number(chunk.toString());
        // A shell would wait for the child.
        const isProgram = (): boolean => readFileSync(`/proc/${parent.pid}/comm`, "utf8") === "sleep\n";
        await vi.waitUntil(isProgram, { timeout: 20_000 });
        process.kill(pid, "SIGKILL");
        await vi.waitFor(
          () => {
            expect(readFileSync(`/proc/${pid}/stat`, "utf8")).toContain(") Z ");
          },
          { timeout: 20_000 },
        );
        const path = newPath();
        writeFileSync(path, owner(pid));
        await (await takeLock(path, "out")).release();
        expect(readdirSync(join(path, ".."))).toEqual([]);
      } finally {
        parent.kill("SIGKILL");
      }
    },
  );

  it("respects the lock of a process on another machine until the lock is too old", async () => {
    const path = newPath();
    writeFileSync(path, owner(1, "elsewhere"));
    age(path, 60);
    await expect(takeLock(path, "out")).rejects.toThrow("process 1 on elsewhere");
    age(path, 300);
    await (await takeLock(path, "out")).release();
  });

  it("respects an incomplete lock file for a moment, and then takes it over", async () => {
    for (const text of ["", "{", "null", '{"pid":"1"}']) {
      const path = newPath();
      writeFileSync(path, text);
      await expect(takeLock(path, "out")).rejects.toThrow("another process");
      age(path, 60);
      await (await takeLock(path, "out")).release();
    }
  });

  it("lets at least one of many processes succeed, and the others fail properly", async () => {
    const path = newPath();
    writeFileSync(path, owner(deadPid()));
    const tries = await Promise.allSettled(Array.from({ length: 20 }, () => takeLock(path, "out")));
    // All tries are in one process and see their own number, so the test only checks that none fails in another way.
    for (const tried of tries)
      if (tried.status === "rejected") expect(tried.reason).toBeInstanceOf(OutputError);
    expect(tries.some(({ status }) => status === "fulfilled")).toBe(true);
  });

  it("throws if it cannot write the lock file", async () => {
    await expect(takeLock(join(newPath(), "below", "out.lock"), "out")).rejects.toThrow("cannot write out");
  });
});
