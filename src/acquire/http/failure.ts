/** What went wrong while a server was asked into a reason, its detail, and whether another try may mend it. */
import type { Reason } from "../../outcome.js";
import { DamagedError } from "../packed/decompress.js";
import { codeOf } from "../read-errors.js";
import { BlockedError, DnsError } from "./addresses.js";

export interface Failure {
  readonly reason: Reason;
  readonly detail: string;
  /** Whether the same may go well later: the network was at fault, not the URL or what stands behind it. */
  readonly retryable: boolean;
}

/** An answer that is not taken, thrown to the top of the exchange. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly reason: Reason;
  constructor(reason: Reason, detail: string) {
    super(detail);
    this.reason = reason;
  }
}

const TIMEOUTS: ReadonlySet<string> = new Set([
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
  "ETIMEDOUT",
]);

/** What OpenSSL says of certificates, and Node and OpenSSL of handshakes. */
const TLS =
  /^(?:ERR_SSL_|ERR_TLS_|CERT_|CRL_|UNABLE_TO_|ERROR_IN_CERT|ERROR_IN_CRL|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_|HOSTNAME_MISMATCH$|EPROTO$)/;

/** Names that may be found the next time. */
const PASSING_DNS: ReadonlySet<string> = new Set(["EAI_AGAIN", "ESERVFAIL", "ETIMEOUT", "ECONNREFUSED"]);

/** undici's names for an answer that is no HTTP, and Node's for what it does not expect of one. */
const PROTOCOL = /^(?:HPE_|HTTP_PARSER$|ERR_ASSERTION$|ERR_HTTP2_|UND_ERR_INVALID_ARG$)/;

/** Codes that say that a call of ours was wrong. */
const OWN_BUG = /^(?:ERR_INVALID_|UND_ERR_INVALID_ARG$)/;

/** A bug that one server brings to light ends one exchange, and not a crawl of a million others. */
export function explainFailure(error: unknown, isProxied = false): Failure {
  if (error instanceof Refusal) return fail(error.reason, error.message, false);
  if (error instanceof DamagedError) return fail("broken-gzip", error.message, false);
  if (error instanceof BlockedError) return fail("blocked-address", error.message, false);
  if (error instanceof DnsError) return fail("dns", describe(error.code, error), PASSING_DNS.has(error.code));
  const code = error instanceof Error && error.name === "HTTPParserError" ? "HTTP_PARSER" : codeOf(error);
  // undici gives its code of a wrong call to a proxy that wants a password as well.
  if (code === undefined || (OWN_BUG.test(code) && !isProxied)) return fail("crashed", String(error), false);
  if (TIMEOUTS.has(code)) return fail("timeout", code, true);
  if (code === "UND_ERR_HEADERS_OVERFLOW") return fail("too-large", "the header of the answer", false);
  if (TLS.test(code)) return fail("tls", describe(code, error), false);
  return fail("fetch-failed", describe(code, error), !PROTOCOL.test(code));
}

export function fail(reason: Reason, detail: string, retryable: boolean): Failure {
  return { reason, detail, retryable };
}

/** Names tried at several addresses fail with an error of errors, which says nothing itself. */
function describe(code: string, error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const message = first instanceof Error ? first.message : "";
  return message === "" ? code : `${code}: ${message}`;
}
