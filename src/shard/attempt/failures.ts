/** Tells a shard that can never work from one that is worth another try. */
import { OutputError } from "../../outcome.js";

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
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const isOfSystem = typeof code === "string" && /^E[A-Z0-9]+$/.test(code);
  if (isOfSystem && error instanceof Error) return new TryAgain(error.message, { cause: error });
  return error;
}
