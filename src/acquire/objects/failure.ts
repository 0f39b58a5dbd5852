/** Explains why an object store failed, and says whether a retry may help. */
import { UsageError, type Reason } from "../../outcome.js";
import { codeOf } from "../../thrown.js";

/** The end of the message if an object has changed since it was found or first read. */
export const CHANGED = "it has changed";

/** An error of an object store; `message` names the object. */
export class ObjectError extends Error {
  override readonly name = "ObjectError";
  readonly reason: Reason;
  /** Whether the same request may succeed later, because the network or the server failed. */
  readonly retryable: boolean;

  constructor(message: string, { reason, retryable, cause }: Failure & { readonly cause?: unknown }) {
    super(message, { cause });
    this.reason = reason;
    this.retryable = retryable;
  }
}

interface Failure {
  readonly reason: Reason;
  readonly retryable: boolean;
}

/** The parts of an S3 client error that we use. */
interface ClientError {
  readonly status: number | undefined;
  readonly name: string;
  readonly message: string;
}

function describe(error: unknown): ClientError {
  if (!(error instanceof Error)) return { status: undefined, name: "", message: String(error) };
  const { $metadata, code } = error as { $metadata?: { httpStatusCode?: unknown }; code?: unknown }; // either may exist
  const status = typeof $metadata?.httpStatusCode === "number" ? $metadata.httpStatusCode : undefined;
  const name = error.name === "Error" && typeof code === "string" ? code : error.name;
  return { status, name, message: error.message };
}

/** Returns the HTTP status of an error, if it has one. */
export function statusOf(error: unknown): number | undefined {
  return describe(error).status;
}

/** Codes for connections that broke or were never made, as Node.js and the client name them. */
const NETWORK =
  /^(?:E(?:CONN\w+|PIPE|TIMEDOUT|NETUNREACH|HOSTUNREACH|AI_AGAIN|NOTFOUND|PROTO)|TimeoutError|ERR_STREAM_PREMATURE_CLOSE|UND_ERR_\w+)$/;

/**
 * Explains a client error. Throws it again if neither the network nor the server caused it, because then it is a bug.
 * Throws UsageError if there are no credentials.
 */
export function explainObjectError(address: string, error: unknown): ObjectError {
  if (error instanceof ObjectError) return error;
  const { status, name, message } = describe(error);
  const tell = (reason: Reason, retryable: boolean, what: string): ObjectError =>
    new ObjectError(`${address}: ${what}`, { reason, retryable, cause: error });
  const said =
    message === "" || message === name || message === "UnknownError" ? name : `${name}: ${message}`;
  if (name === "CredentialsProviderError" || name === "CredentialsError")
    throw new UsageError(
      `there are no credentials for ${address}: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY or AWS_PROFILE, ` +
        `or AWS_NO_SIGN_REQUEST=1 for public data (${message})`,
      { cause: error },
    );
  if (status === 404) return tell("not-found", false, "the object does not exist");
  if (status === 412) return tell("unreadable", false, CHANGED);
  if (status === 429 || (status !== undefined && status >= 500))
    return tell("fetch-failed", true, `HTTP ${status} ${said}`);
  if (status !== undefined && status >= 300) return tell("unreadable", false, `HTTP ${status} ${said}`);
  const code = codeOf(error) ?? name;
  // A 200 response that breaks off, or is not from an object store, has a status too.
  if (NETWORK.test(name) || NETWORK.test(code)) return tell("fetch-failed", true, said);
  if (status !== undefined) return tell("fetch-failed", true, `the answer cannot be read (${said})`);
  throw error;
}

/** Returns the error for a body that ended too early or came too slowly. */
export function brokenBody(address: string, what: string): ObjectError {
  return new ObjectError(`${address}: ${what}`, { reason: "fetch-failed", retryable: true });
}
