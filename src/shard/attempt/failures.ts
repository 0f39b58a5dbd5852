/** Defines errors that separate shards that can never succeed from shards that are worth a retry. */
import { OutputError } from "../../outcome.js";
import { codeOf, messageOf } from "../../thrown.js";

/** Thrown when a retry cannot help: another model, a changed input. `message` says what to do. */
export class BadShard extends Error {
  override readonly name = "BadShard";
}

/** Thrown when an output file is missing or does not match its receipt: the shard must be run again. */
export class BadOutput extends BadShard {}

/** Thrown when a retry may help: a full disk, a network that is down. */
export class TryAgain extends Error {
  override readonly name = "TryAgain";
}

/**
 * Converts errors of the system (a full disk, a broken connection, a process that cannot be started) to TryAgain,
 * because a retry may help.
 */
export function explainFailure(error: unknown): unknown {
  if (error instanceof OutputError) return new TryAgain(error.message, { cause: error });
  const isOfSystem = /^E[A-Z0-9]+$/.test(codeOf(error) ?? "");
  return isOfSystem ? new TryAgain(messageOf(error), { cause: error }) : error;
}
