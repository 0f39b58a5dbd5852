/** Says why an object store did not do what it was asked for, and whether another try may help. */
import { UsageError, type Reason } from "../../outcome.js";
import { codeOf } from "../../thrown.js";

/** How the message ends where an object is not the one any more that it was. */
export const CHANGED = "it has changed";

/** `message` names the object. */
export class ObjectError extends Error {
  override readonly name = "ObjectError";
  readonly reason: Reason;
  /** Whether the same request may succeed later: the network or the server was at fault. */
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

/** What the parts of the client's errors are called. */
interface ClientError {
  readonly status: number | undefined;
  readonly name: string;
  readonly message: string;
}

function describe(error: unknown): ClientError {
  if (!(error instanceof Error)) return { status: undefined, name: "", message: String(error) };
  const { $metadata, code } = error as { $metadata?: { httpStatusCode?: unknown }; code?: unknown }; // either may be there
  const status = typeof $metadata?.httpStatusCode === "number" ? $metadata.httpStatusCode : undefined;
  const name = error.name === "Error" && typeof code === "string" ? code : error.name;
  return { status, name, message: error.message };
}

/** The status of the answer that an error tells of. */
export function statusOf(error: unknown): number | undefined {
  return describe(error).status;
}

/** Codes of connections that broke or never were, as Node.js and the client name them. */
const NETWORK =
  /^(?:E(?:CONN\w+|PIPE|TIMEDOUT|NETUNREACH|HOSTUNREACH|AI_AGAIN|NOTFOUND|PROTO)|TimeoutError|ERR_STREAM_PREMATURE_CLOSE|UND_ERR_\w+)$/;

/** Explains an error of the client. Throws it again where it is none of the network or the server, and so a bug. */
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
        `or AWS_NO_SIGN_REQUEST=1 for what is public (${message})`,
      { cause: error },
    );
  if (status === 404) return tell("not-found", false, "there is no such object");
  if (status === 412) return tell("unreadable", false, CHANGED);
  if (status === 429 || (status !== undefined && status >= 500))
    return tell("fetch-failed", true, `HTTP ${status} ${said}`);
  if (status !== undefined && status >= 300) return tell("unreadable", false, `HTTP ${status} ${said}`);
  const code = codeOf(error) ?? name;
  // An answer of 200 that breaks off, or is no answer of an object store, has a status too.
  if (NETWORK.test(name) || NETWORK.test(code)) return tell("fetch-failed", true, said);
  if (status !== undefined) return tell("fetch-failed", true, `the answer cannot be read (${said})`);
  throw error;
}

/** An answer that ended too early, or came too slowly. */
export function brokenBody(address: string, what: string): ObjectError {
  return new ObjectError(`${address}: ${what}`, { reason: "fetch-failed", retryable: true });
}
