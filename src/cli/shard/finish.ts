/** Reports why a step of a job failed, and ends with the exit code that engines use. */
import { EXIT, OutputError } from "../../outcome.js";
import { BadShard, explainFailure, TryAgain } from "../../shard/attempt/failures.js";
import { createSay, type Io } from "../io.js";

/** Passes the exit code of the step, or that of its failure, to `finish`. Rethrows errors for which `isOther` holds. */
export async function finishShard(
  io: Io,
  finish: (code: number) => void,
  work: () => Promise<number>,
  isOther: (error: unknown) => boolean = () => false,
): Promise<void> {
  try {
    finish(await work());
  } catch (error) {
    if (isOther(error)) throw error;
    finish(tellFailure(error, io));
  }
}

/** Like `finishShard`, for a step that writes where the user says: another try cannot help if that cannot be written. */
export function finishWriting(
  io: Io,
  finish: (code: number) => void,
  work: () => Promise<number>,
): Promise<void> {
  return finishShard(io, finish, work, (error) => error instanceof OutputError);
}

/** Returns the exit code. Rethrows errors that are no failure of a shard: wrong usage, a bug. */
export function tellFailure(thrown: unknown, io: Pick<Io, "stderr" | "signal">): number {
  const error = io.signal.aborted ? thrown : explainFailure(thrown);
  if (!(error instanceof BadShard || error instanceof TryAgain)) throw error;
  createSay(io)(error.message);
  return error instanceof BadShard ? EXIT.badShard : EXIT.tryAgain;
}
