/** Tells what kept a step of a job from its end, with the exit code that engines go by. */
import { EXIT } from "../../outcome.js";
import { BadShard, explainFailure, TryAgain } from "../../shard/attempt/failures.js";
import { toOneLine, type Io } from "../io.js";

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
export function tellFailure(thrown: unknown, { stderr, signal }: Pick<Io, "stderr" | "signal">): number {
  const error = signal.aborted ? thrown : explainFailure(thrown);
  if (!(error instanceof BadShard || error instanceof TryAgain)) throw error;
  stderr.write(`thresher: ${toOneLine(error.message)}\n`);
  return error instanceof BadShard ? EXIT.badShard : EXIT.tryAgain;
}
