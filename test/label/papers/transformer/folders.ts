import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const FIXTURES = fileURLToPath(new URL("../../../../fixtures/transformer/", import.meta.url));
export const SEQUENCE = join(FIXTURES, "sequence");
export const BAG = join(FIXTURES, "bag");

type Json = Record<string, unknown>;

/** A JSON object of a fixture. */
export function readJson(path: string): Json {
  return JSON.parse(readFileSync(path, "utf8")) as Json;
}

/** Makes a copy of a folder that a test may damage. */
export function copyFolder(from: string = SEQUENCE): string {
  const folder = mkdtempSync(join(tmpdir(), "transformer-"));
  cpSync(from, folder, { recursive: true });
  return folder;
}

/** Makes a copy with another model.json; `change` receives the folder. */
export function withManifest(change: (about: Json, folder: string) => void, from: string = SEQUENCE): string {
  const folder = copyFolder(from);
  const path = join(folder, "model.json");
  const about = readJson(path);
  change(about, folder);
  writeFileSync(path, JSON.stringify(about));
  return folder;
}

/** Makes a copy in which a file has other bytes, with their digest. */
export function withFile(part: string, change: (bytes: Buffer) => string | Uint8Array): string {
  return withManifest((about, folder) => {
    const described = about[part] as { file: string; sha256: string }; // as the training script writes it
    const path = join(folder, described.file);
    const bytes = change(readFileSync(path));
    writeFileSync(path, bytes);
    described.sha256 = createHash("sha256").update(bytes).digest("hex");
  });
}
