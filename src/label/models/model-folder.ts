/** Reads models from folders. */
import { createHash } from "node:crypto";
import { createReadStream, readFileSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { codeOf } from "../../thrown.js";
import { Manifest, MissingFile } from "./manifest.js";

/** `model.json` of the model in a folder. Throws UsageError where that is none. */
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

/** Looks whether a file is the one that model.json names, without holding it: encoders can have more than a gigabyte. */
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
