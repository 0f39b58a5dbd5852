import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { openCursor } from "../../../src/shard/attempt/cursor.js";
import type { Store } from "../../../src/shard/store/store.js";

/** A store to which each upload takes a while. */
function openSlowStore(): { readonly store: Store; readonly files: Map<string, string> } {
  const files = new Map<string, string>();
  const unused = (): never => {
    throw new Error("cursors do not need this");
  };
  const store: Store = {
    name: "slow",
    scratch: mkdtempSync(join(tmpdir(), "thresher-cursor-")),
    showsScratch: false,
    async commit(name, file) {
      const content = readFileSync(file, "utf8");
      await sleep(20);
      files.set(name, content);
      return "done";
    },
    remove: (name) => Promise.resolve(void files.delete(name)),
    ...{ read: unused, open: unused, list: unused, hold: unused },
  };
  return { store, files };
}

describe("the cursor of an attempt in an object store", () => {
  it("is gone once it is removed, also while it was being uploaded", async () => {
    const { store, files } = openSlowStore();
    const cursor = openCursor(store, { shard: "00000", attempt: "a" });
    const published = cursor.publish();
    await cursor.remove();
    await published;
    expect([...files.keys()]).toEqual([]);
  });

  it("shows the last state, whatever uploads overlapped", async () => {
    const { store, files } = openSlowStore();
    const cursor = openCursor(store, { shard: "00000", attempt: "a" });
    const uploads = [1, 2, 3].map((done) => {
      cursor.note({ done, begun: done + 1, isAlone: false });
      return cursor.publish();
    });
    await Promise.all(uploads);
    expect(JSON.parse(files.get("_tmp/00000.a.cursor") ?? "")).toMatchObject({ done: 3, begun: 4 });
    await cursor.remove();
    expect(files.size).toBe(0);
    expect(readdirSync(store.scratch).filter((name) => name.endsWith(".cursor"))).toEqual([]);
  });
});
