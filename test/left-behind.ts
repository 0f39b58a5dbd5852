/** Tells what a test leaves among temporary files, beside others that run at the same time. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";

/** Gives `run` a temporary folder of its own; returns the names of what it left there, in order. */
export async function leftBehind(run: (left: () => string[]) => Promise<void> | void): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "thresher-left-"));
  const left = (): string[] => readdirSync(folder).sort();
  vi.stubEnv("TMPDIR", folder);
  try {
    await run(left);
    return left();
  } finally {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  }
}
