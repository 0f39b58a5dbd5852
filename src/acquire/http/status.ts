/** Classifies HTTP status codes. */

/** Checks for a 2xx status. The body of any other response only explains the error. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}
