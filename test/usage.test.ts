import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";

const OWN = `const { measureOwnPeakMb } = await import(${JSON.stringify(new URL("../dist/usage.js", import.meta.url).href)});
process.stdout.write(String(measureOwnPeakMb()));`;

/** A process with so much memory, which starts another one. */
const PARENT = `const { execFileSync } = require("node:child_process");
Buffer.alloc(400_000_000, 1);
process.stdout.write(execFileSync(process.execPath, ["--input-type=module", "-e", ${JSON.stringify(OWN)}]));`;

it.runIf(process.platform === "linux")("is without the memory of the process that started this one", () => {
  const peak = Number(execFileSync(process.execPath, ["-e", PARENT], { encoding: "utf8" }));
  expect(peak).toBeGreaterThan(20);
  expect(peak).toBeLessThan(200);
});
