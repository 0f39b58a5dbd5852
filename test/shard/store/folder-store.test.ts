import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import os, { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { OutputError } from "../../../src/outcome.js";
import { makeScratch, openFolderStore } from "../../../src/shard/store/folder-store.js";
import { openStore } from "../../../src/shard/store/open-store.js";
import { sweep } from "../../../src/shard/store/sweep.js";
import { collectAll } from "../../collect-all.js";

const work = mkdtempSync(join(tmpdir(), "thresher-store-"));
afterAll(() => {
  rmSync(work, { recursive: true });
});
const store = openFolderStore(join(work, "job"));
const draft = async (text: string): Promise<string> => {
  await makeScratch(store);
  const file = join(store.scratch, `draft-${text}`);
  writeFileSync(file, text);
  return file;
};
const read = (name: string): string => readFileSync(join(work, "job", name), "utf8");

describe("a folder", () => {
  it("accepts the first file of a name and rejects a second one, unless it replaces it", async () => {
    const [one, two, three] = [await draft("one"), await draft("two"), await draft("three")];
    expect(await store.commit("text/a.gz", one, "first")).toBe("done");
    expect(existsSync(one)).toBe(false);
    expect(await store.commit("text/a.gz", two, "first")).toBe("exists");
    expect(read("text/a.gz")).toBe("one");
    expect(existsSync(two)).toBe(true);
    expect(await store.commit("text/a.gz", three, "replace")).toBe("done");
    expect(read("text/a.gz")).toBe("three");
    expect(Buffer.from((await store.read("text/a.gz")) ?? []).toString()).toBe("three");
  });

  it("accepts one of many simultaneous files", async () => {
    const files = await Promise.all(Array.from({ length: 20 }, (_, at) => draft(`racer-${at}`)));
    const put = await Promise.all(files.map((file) => store.commit("receipts/r.json", file, "first")));
    expect(put.filter((one) => one === "done")).toHaveLength(1);
    expect(read("receipts/r.json")).toBe(`racer-${put.indexOf("done")}`);
  });

  it("reports missing files, and lists existing ones", async () => {
    expect(await store.read("text/none.gz")).toBeUndefined();
    expect(await store.open("none/none.gz")).toBeUndefined();
    await store.remove("text/none.gz");
    await store.commit("text/b.gz", await draft("b"), "first");
    expect(await collectAll(store.list("text/"))).toEqual(["text/a.gz", "text/b.gz"]);
    expect(await collectAll(store.list("text/b"))).toEqual(["text/b.gz"]);
    expect(await collectAll(store.list("nothing/"))).toEqual([]);
  });
});

describe("an object store", () => {
  it("opens for a user without an account, as in containers", async () => {
    const userInfo = vi.spyOn(os, "userInfo").mockImplementation(() => {
      throw new Error("uv_os_get_passwd returned ENOENT");
    });
    syncBuiltinESMExports();
    try {
      expect((await openStore("s3://bucket/job")).scratch).toContain(tmpdir());
    } finally {
      userInfo.mockRestore();
      syncBuiltinESMExports();
    }
  });

  it("keeps no local files of attempts that died, once their shard is done", async () => {
    const scratch = join(work, "local", "_tmp");
    mkdirSync(scratch, { recursive: true });
    const now = new Date().toISOString();
    const cursor = { done: 0, begun: 1, isAlone: false, host: os.hostname(), startedAt: now, beatAt: now };
    const living = { ...cursor, shard: "00000-a", attempt: "living", pid: process.ppid };
    writeFileSync(join(scratch, "00000-a.living.cursor"), JSON.stringify(living));
    const files = ["00000-a.dead.text", "00000-a.living.text", "00001-b.other.text"];
    for (const name of files) writeFileSync(join(scratch, name), "");
    await sweep({ ...openFolderStore(join(work, "remote")), scratch, showsScratch: false }, "00000-a");
    expect(readdirSync(scratch).sort()).toEqual(["00000-a.living.cursor", ...files.slice(1)]);
    expect(basename((await openStore("s3://bucket/job")).scratch)).toBe("_tmp");
  });

  it.skipIf(process.platform === "win32")(
    "has a local folder that only its user can enter, and uses none of another user",
    async () => {
      vi.stubEnv("TMPDIR", join(work, "shared"));
      const getuid = vi.spyOn(process, "getuid");
      try {
        const own = await openStore("s3://bucket/job");
        await makeScratch(own);
        await makeScratch(own);
        expect(statSync(dirname(own.scratch)).mode & 0o777).toBe(0o700);
        const linked = await openStore("s3://bucket/linked");
        symlinkSync(work, dirname(linked.scratch));
        await expect(makeScratch(linked)).rejects.toThrow(OutputError);
        getuid.mockReturnValue(Number(process.getuid?.()) + 1);
        const taken = await openStore("s3://bucket/job");
        mkdirSync(dirname(taken.scratch), { recursive: true });
        await expect(makeScratch(taken)).rejects.toThrow("belongs to another user");
      } finally {
        getuid.mockRestore();
        vi.unstubAllEnvs();
      }
    },
  );
});
