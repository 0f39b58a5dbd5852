/** Formats a reject as a line of JSON, for files, streams and HTTP responses. */
import type { Reject } from "../outcome.js";

/** Returns the line with its line break. */
export function formatReject({ id, url, stage, reason, detail, meta }: Reject): string {
  // JSON.stringify omits undefined fields.
  return `${JSON.stringify({ id, url, stage, reason, detail, meta })}\n`;
}
