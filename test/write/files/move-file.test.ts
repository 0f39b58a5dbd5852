import { expect, it } from "vitest";
import { untilFree } from "../../../src/write/files/move-file.js";

/** Work that fails so often with a code of the system. */
function failing(times: number, code: string): () => Promise<string> {
  let left = times;
  return () => {
    if (left === 0) return Promise.resolve("done");
    left -= 1;
    return Promise.reject(Object.assign(new Error(code), { code }));
  };
}

it("waits on Windows for a program that holds the file for a moment", async () => {
  for (const code of ["EPERM", "EACCES", "EBUSY"])
    expect(await untilFree(failing(3, code), "win32")).toBe("done");
});

it("throws at once what does not end by waiting", async () => {
  await expect(untilFree(failing(1, "ENOENT"), "win32")).rejects.toThrow("ENOENT");
  await expect(untilFree(failing(1, "EPERM"), "linux")).rejects.toThrow("EPERM");
});
