/** Reads the manifest and files of a model from a folder. */
import { createHash } from "node:crypto";
import { createReadStream, readFileSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { codeOf } from "../../thrown.js";
import { Manifest, MissingFile } from "./manifest.js";

/** Reads the `model.json` of the model in a folder. Throws UsageError if it is missing or not JSON. */
export function readManifest(folder: string): Manifest {
  return new Manifest({
    name: folder,
    read(file) {
      try {
        return readFileSync(join(folder, file));
      } catch (error) {
        throw toMissing(file, error);
      }
    },
    digest: (bytes) => createHash("sha256").update(bytes).digest("hex"),
  });
}

/**
 * Checks the digest of a file that model.json names, as a stream, because encoders can be larger than a gigabyte.
 * Rejects with UsageError if the file cannot be read or has another digest.
 */
export async function checkFile(about: Manifest, folder: string, part: string): Promise<void> {
  const name = about.fileName(part);
  const digest = createHash("sha256");
  try {
    await pipeline(createReadStream(join(folder, name)), digest);
  } catch (error) {
    about.refuse(toMissing(name, error).message);
  }
  about.compare(part, digest.digest("hex"));
}

function toMissing(file: string, error: unknown): MissingFile {
  const reason = codeOf(error) ?? "";
  const says = reason === "ENOENT" ? `there is no ${file} in it` : `its ${file} cannot be read (${reason})`;
  return new MissingFile(says, { cause: error });
}
