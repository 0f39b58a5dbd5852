import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";

const OWN = `const { measureOwnPeakMb } = await import(${JSON.stringify(new URL("../dist/usage.js", import.meta.url).href)});
process.stdout.write(String(measureOwnPeakMb()));`;

/** A process that uses much memory and starts another process. */
const PARENT = `const { execFileSync } = require("node:child_process");
Buffer.alloc(400_000_000, 1);
process.stdout.write(execFileSync(process.execPath, ["--input-type=module", "-e", ${JSON.stringify(OWN)}]));`;

it.runIf(process.platform === "linux")("does not count the memory of the parent process", () => {
  const peak = Number(execFileSync(process.execPath, ["-e", PARENT], { encoding: "utf8" }));
  expect(peak).toBeGreaterThan(20);
  expect(peak).toBeLessThan(200);
});
