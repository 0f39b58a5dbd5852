/** Explains that something cannot be written, by the message of the error that says why. */
import { OutputError } from "./outcome.js";
import { messageOf } from "./thrown.js";

export function cannotWrite(what: string, cause: unknown): OutputError {
  return new OutputError(`cannot write ${what}: ${messageOf(cause)}`, { cause });
}

/** Does the work, and throws its error as an OutputError. */
export async function explained<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw cannotWrite(what, cause);
  }
}
