import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { ObjectAddress } from "../../../src/acquire/objects/address.js";
import type { Objects } from "../../../src/acquire/objects/objects.js";
import { TryAgain } from "../../../src/shard/attempt/failures.js";
import { holdObject } from "../../../src/shard/store/object-lock.js";

const scratch = mkdtempSync(join(tmpdir(), "thresher-object-lock-"));
const at: ObjectAddress = { bucket: "results", key: "job/_tmp/00000.lock" };
/** A lock that stays unchanged for 60 of these is taken over. */
const askAgainMs = 20;
const DEAD_MS = 60 * askAgainMs;

/** A store with one object, whose etag is its content. */
let stored: string | undefined;
const unused = (): never => {
  throw new Error("locks do not need this");
};
const objects: Objects = {
  look: () => Promise.resolve(stored === undefined ? undefined : { bytes: stored.length, etag: stored }),
  put(_at, file, how) {
    if (how === "first" ? stored !== undefined : how !== "replace" && stored !== how.etag)
      return Promise.resolve("exists");
    stored = readFileSync(file, "utf8");
    return Promise.resolve("done");
  },
  remove() {
    stored = undefined;
    return Promise.resolve();
  },
  list: unused,
  ask: unused,
  pace: unused,
  close: unused,
};
const hold = (): ReturnType<typeof holdObject> =>
  holdObject(objects, at, { shard: "00000", scratch, askAgainMs });

describe("the lock of a shard in an object store", () => {
  beforeEach(() => {
    stored = undefined;
  });
  afterAll(() => {
    rmSync(scratch, { recursive: true, force: true });
  });

  it("is kept by an attempt whose upload takes longer than others wait for a change", async () => {
    const first = await hold();
    let isTaken = false;
    const second = hold().then((lock) => {
      isTaken = true;
      return lock;
    });
    await sleep(1.5 * DEAD_MS);
    expect(isTaken).toBe(false);
    expect(first.lost?.aborted).toBe(false);
    await first.release();
    await (await second).release();
    expect(stored).toBeUndefined();
    expect(readdirSync(scratch)).toEqual([]);
  });

  it("is taken over from an attempt that died, which then neither goes on nor removes it", async () => {
    const first = await hold();
    stored = "of another attempt";
    await sleep(DEAD_MS / 2);
    expect(() => first.lost?.throwIfAborted()).toThrow(TryAgain);
    await first.release();
    expect(stored).toBe("of another attempt");
    const second = await hold();
    expect(stored).not.toBe("of another attempt");
    await second.release();
    expect(stored).toBeUndefined();
  });

  it("of another attempt stays when the lock was lost just before it was released", async () => {
    const first = await hold();
    stored = "of another attempt";
    await first.release();
    expect(stored).toBe("of another attempt");
  });
});
