import { expect, it } from "vitest";
import { untilFree } from "../../../src/write/files/move-file.js";

/** Returns work that fails the given number of times with a system error code. */
function failing(times: number, code: string): () => Promise<string> {
  let left = times;
  return () => {
    if (left === 0) return Promise.resolve("done");
    left -= 1;
    return Promise.reject(Object.assign(new Error(code), { code }));
  };
}

it("retries on Windows while a program holds the file for a moment", async () => {
  for (const code of ["EPERM", "EACCES", "EBUSY"])
    expect(await untilFree(failing(3, code), "win32")).toBe("done");
});

it("throws at once for errors that waiting cannot solve", async () => {
  await expect(untilFree(failing(1, "ENOENT"), "win32")).rejects.toThrow("ENOENT");
  await expect(untilFree(failing(1, "EPERM"), "linux")).rejects.toThrow("EPERM");
});
