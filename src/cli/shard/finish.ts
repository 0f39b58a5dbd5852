/** Tells what kept a step of a job from its end, with the exit code that engines go by. */
import { EXIT } from "../../outcome.js";
import { BadShard, explainFailure, TryAgain } from "../../shard/attempt/failures.js";
import { createSay, type Io } from "../io.js";

export async function finishShard(
  io: Io,
  finish: (code: number) => void,
  work: () => Promise<number>,
): Promise<void> {
  try {
    finish(await work());
  } catch (error) {
    finish(tellFailure(error, io));
  }
}

/** Throws what is no failure of a shard: a wrong call, a bug. */
export function tellFailure(thrown: unknown, io: Pick<Io, "stderr" | "signal">): number {
  const error = io.signal.aborted ? thrown : explainFailure(thrown);
  if (!(error instanceof BadShard || error instanceof TryAgain)) throw error;
  createSay(io)(error.message);
  return error instanceof BadShard ? EXIT.badShard : EXIT.tryAgain;
}
