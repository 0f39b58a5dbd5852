/** Turns an error of an HTTP exchange into a reason and a detail, and says whether a retry may help. */
import type { Reason } from "../../outcome.js";
import { DamagedError } from "../packed/decompress.js";
import { BlockedError, DnsError } from "./addresses.js";
import { codeOf } from "../../thrown.js";

export interface Failure {
  readonly reason: Reason;
  readonly detail: string;
  /** Whether the same request may succeed later, because the network failed and not the URL or its page. */
  readonly retryable: boolean;
}

/** A response or request that we refuse; ends the exchange. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly reason: Reason;
  constructor(reason: Reason, detail: string) {
    super(detail);
    this.reason = reason;
  }
}

const TIMEOUTS: ReadonlyMap<string, string> = new Map([
  ["UND_ERR_CONNECT_TIMEOUT", "no connection in time"],
  ["UND_ERR_HEADERS_TIMEOUT", "the server did not answer in time"],
  ["UND_ERR_BODY_TIMEOUT", "the server stopped sending"],
  ["ETIMEDOUT", "the connection timed out"],
]);

/** Codes of OpenSSL for certificates, and of Node.js and OpenSSL for handshakes. */
const TLS =
  /^(?:ERR_SSL_|ERR_TLS_|CERT_|CRL_|UNABLE_TO_|ERROR_IN_CERT|ERROR_IN_CRL|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_|HOSTNAME_MISMATCH$|EPROTO$)/;

/** DNS error codes for which a retry may help. */
const PASSING_DNS: ReadonlySet<string> = new Set(["EAI_AGAIN", "ESERVFAIL", "ETIMEOUT", "ECONNREFUSED"]);

/** Codes of undici for a response that is not HTTP, and of Node.js for a response that it does not expect. */
const PROTOCOL = /^(?:HPE_|HTTP_PARSER$|ERR_ASSERTION$|ERR_HTTP2_|UND_ERR_INVALID_ARG$)/;

/** Codes that mean that we called an API wrongly. */
const OWN_BUG = /^(?:ERR_INVALID_|UND_ERR_INVALID_ARG$)/;

/** Explains any error. Even a bug that one server triggers ends only one exchange, not a crawl of a million pages. */
export function explainFailure(error: unknown, isProxied = false): Failure {
  if (error instanceof Refusal) return fail(error.reason, error.message, false);
  if (error instanceof DamagedError) return fail("broken-gzip", error.message, false);
  if (error instanceof BlockedError) return fail("blocked-address", error.message, false);
  if (error instanceof DnsError) return fail("dns", describe(error.code, error), PASSING_DNS.has(error.code));
  const code = error instanceof Error && error.name === "HTTPParserError" ? "HTTP_PARSER" : codeOf(error);
  // undici also uses its code for a wrong call if a proxy requires a password.
  if (code === undefined || (OWN_BUG.test(code) && !isProxied)) return fail("crashed", String(error), false);
  const timeout = TIMEOUTS.get(code);
  if (timeout !== undefined) return fail("timeout", `${code}: ${timeout}`, true);
  if (code === "UND_ERR_HEADERS_OVERFLOW") return fail("too-large", "the response header", false);
  if (TLS.test(code)) return fail("tls", describe(code, error), false);
  return fail("fetch-failed", describe(code, error), !PROTOCOL.test(code));
}

export function fail(reason: Reason, detail: string, retryable: boolean): Failure {
  return { reason, detail, retryable };
}

/**
 * Quotes the message. A host that was tried at several addresses fails with an AggregateError, which has no message of
 * its own.
 */
function describe(code: string, error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const message = first instanceof Error ? first.message : "";
  return message === "" ? code : `${code}: ${message}`;
}
