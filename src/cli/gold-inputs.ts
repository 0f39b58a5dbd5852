/** Reads the annotated documents of a command from files, or from stdin for `-`. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readGold, type GoldRecord } from "../acquire/records/gold.js";
import { chunksUntilAborted } from "../acquire/streams.js";
import { UsageError } from "../outcome.js";
import type { GoldFile } from "../train/model-readme.js";
import type { Io } from "./io.js";
import { messageOf } from "../thrown.js";

/** `onRead` gets the name and SHA-256 of each completely read file. Throws UsageError if a file cannot be read. */
export async function* readGoldInputs(
  gold: readonly string[],
  { stdin, signal }: Pick<Io, "stdin" | "signal">,
  onRead: (file: GoldFile) => void = () => undefined,
): AsyncGenerator<GoldRecord> {
  if (gold.indexOf("-") !== gold.lastIndexOf("-")) throw new UsageError("stdin can be read only once");
  for (const path of gold) {
    const [name, chunks] = path === "-" ? ["stdin", stdin] : [path, createReadStream(path)];
    const hash = createHash("sha256");
    const hashed = async function* (): AsyncGenerator<Uint8Array> {
      // Neither stream has an encoding, so both give bytes.
      for await (const chunk of chunksUntilAborted(chunks as AsyncIterable<Uint8Array>, signal)) {
        hash.update(chunk);
        yield chunk;
      }
      signal.throwIfAborted();
    };
    try {
      yield* readGold(name, hashed());
    } catch (cause) {
      if (cause instanceof UsageError) throw cause;
      throw new UsageError(`cannot read ${name}: ${messageOf(cause)}`, { cause });
    }
    onRead({ file: name.replace(/^.*[/\\]/s, ""), sha256: hash.digest("hex") });
  }
}
