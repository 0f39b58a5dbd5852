/** Tells a shard that can never work from one that is worth another try. */
import { OutputError } from "../../outcome.js";
import { codeOf, messageOf } from "../../thrown.js";

/** Thrown where no further try can do better: another model, an input that has changed. `message` says what to do. */
export class BadShard extends Error {
  override readonly name = "BadShard";
}

/** A file is not there, or not that of its receipt: its shard has to be made anew. */
export class BadOutput extends BadShard {}

/** Thrown where another try may do better: a disk that is full, a network that is down. */
export class TryAgain extends Error {
  override readonly name = "TryAgain";
}

/** What a full disk, a cut connection or a process that cannot be started is to an engine: another try may work. */
export function explainFailure(error: unknown): unknown {
  if (error instanceof OutputError) return new TryAgain(error.message, { cause: error });
  const isOfSystem = /^E[A-Z0-9]+$/.test(codeOf(error) ?? "");
  return isOfSystem ? new TryAgain(messageOf(error), { cause: error }) : error;
}
