/** Turns the errors that bad inputs cause during reading into rejects. */
import { reject, type Reject, type PageName } from "../outcome.js";
import { ObjectError } from "./objects/failure.js";
import { DamagedError } from "./packed/decompress.js";
import { NoZstdError } from "./packed/zstd.js";
import { codeOf } from "../thrown.js";

/** Error codes for a path where no file exists. */
const NO_SUCH_FILE: ReadonlySet<string> = new Set([
  "ENOENT",
  "ENOTDIR",
  "ENAMETOOLONG",
  "ERR_INVALID_ARG_VALUE",
]);

/** Why a file whose name is not UTF-8 cannot be read. */
export const NOT_UTF8 = "its name is not UTF-8; rename it";

/** Codes of Node.js itself that an input can cause; its other codes mean that our call was wrong. */
const STREAM_ERRORS: ReadonlySet<string> = new Set(["ERR_INVALID_ARG_VALUE", "ERR_STREAM_PREMATURE_CLOSE"]);

/** Returns the reject for an error that a bad input causes. Throws any other error again, because it is a bug. */
export function toReject(of: PageName, error: unknown, where?: string): Reject {
  const suffix = where === undefined ? "" : ` (${where})`;
  if (error instanceof DamagedError) return reject(of, "acquire", "broken-gzip", `${error.message}${suffix}`);
  if (error instanceof NoZstdError) return reject(of, "acquire", "no-decoder", error.message);
  if (error instanceof ObjectError) return reject(of, "acquire", error.reason, error.message);
  const code = codeOf(error);
  if (code === undefined || (code.startsWith("ERR_") && !STREAM_ERRORS.has(code))) throw error;
  // Node.js has replaced the bytes of the name that are not UTF-8, so no path opens the file.
  if (code === "ENOENT" && of.id.includes("\ufffd")) return reject(of, "acquire", "unreadable", NOT_UTF8);
  if (NO_SUCH_FILE.has(code)) return reject(of, "acquire", "not-found");
  return reject(of, "acquire", "unreadable", `${code}${suffix}`);
}
