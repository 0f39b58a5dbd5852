/** Writes a reject as files, streams and answers hold it: a line of JSON. */
import type { Reject } from "../outcome.js";

export function formatReject({ id, url, stage, reason, detail }: Reject): string {
  // JSON leaves out a detail that is undefined.
  return `${JSON.stringify({ id, url, stage, reason, detail })}\n`;
}
