/** Finds the temporary files that a test leaves behind, even when other tests run at the same time. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";

/** Gives `run` its own temporary folder; returns the sorted names of what `run` left there. */
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
