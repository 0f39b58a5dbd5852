/** Writes a reject as files, streams and answers hold it: a line of JSON. */
import type { Reject } from "../outcome.js";

export function formatReject({ id, url, stage, reason, detail, meta }: Reject): string {
  // JSON leaves out what is undefined.
  return `${JSON.stringify({ id, url, stage, reason, detail, meta })}\n`;
}
