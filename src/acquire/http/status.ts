/** Reads the status of an answer. */

/** Whether the answer has what was asked for; the body of any other one only says why it has not. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}
