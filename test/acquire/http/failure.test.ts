import { describe, expect, it } from "vitest";
import { DamagedError } from "../../../src/acquire/packed/decompress.js";
import { explainFailure, Refusal } from "../../../src/acquire/http/failure.js";
import { BlockedError, DnsError } from "../../../src/acquire/http/addresses.js";

const coded = (code: string, message = "what happened"): Error => Object.assign(new Error(message), { code });

describe("explainFailure", () => {
  it.each([
    [new Refusal("unsupported-type", "image/png"), "unsupported-type", "image/png", false],
    [new DamagedError("incorrect header check"), "broken-gzip", "incorrect header check", false],
    [new BlockedError("127.0.0.1: loopback"), "blocked-address", "127.0.0.1: loopback", false],
    [new DnsError("ENOTFOUND", "getaddrinfo"), "dns", "ENOTFOUND: getaddrinfo", false],
    [new DnsError("EAI_AGAIN", "getaddrinfo"), "dns", "EAI_AGAIN: getaddrinfo", true],
    [coded("UND_ERR_CONNECT_TIMEOUT"), "timeout", "UND_ERR_CONNECT_TIMEOUT: no connection in time", true],
    [coded("ETIMEDOUT"), "timeout", "ETIMEDOUT: the connection timed out", true],
    [coded("UND_ERR_HEADERS_OVERFLOW"), "too-large", "the response header", false],
    [coded("ECONNREFUSED"), "fetch-failed", "ECONNREFUSED: what happened", true],
    [coded("ENETUNREACH", ""), "fetch-failed", "ENETUNREACH", true],
    [coded("HPE_INVALID_CONSTANT"), "fetch-failed", "HPE_INVALID_CONSTANT: what happened", false],
    [coded("ERR_ASSERTION"), "fetch-failed", "ERR_ASSERTION: what happened", false],
    ...[
      "SELF_SIGNED_CERT_IN_CHAIN",
      "DEPTH_ZERO_SELF_SIGNED_CERT",
      "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
      "CERT_HAS_EXPIRED",
      "CERT_REVOKED",
      "CRL_HAS_EXPIRED",
      "HOSTNAME_MISMATCH",
      "INVALID_CA",
      "ERR_TLS_CERT_ALTNAME_INVALID",
      "ERR_SSL_WRONG_VERSION_NUMBER",
      "EPROTO",
    ].map((code) => [coded(code), "tls", `${code}: what happened`, false] as const),
    [new TypeError("x is not a function"), "crashed", "TypeError: x is not a function", false],
    [coded("ERR_INVALID_ARG_TYPE"), "crashed", "Error: what happened", false],
    [coded("UND_ERR_INVALID_ARG"), "crashed", "Error: what happened", false],
    ["a string", "crashed", "a string", false],
  ] as const)("explains %s as %s", (error, reason, detail, retryable) => {
    expect(explainFailure(error)).toEqual({ reason, detail, retryable });
  });

  it("reports the error of the first address if several addresses failed", () => {
    const all = Object.assign(
      new AggregateError([coded("ECONNREFUSED", "connect 127.0.0.1"), coded("ENETUNREACH")]),
      {
        code: "ECONNREFUSED",
      },
    );
    expect(explainFailure(all).detail).toBe("ECONNREFUSED: connect 127.0.0.1");
  });

  it("reports an error that undici raises for a proxy as the proxy's failure", () => {
    expect(explainFailure(coded("UND_ERR_INVALID_ARG", "Proxy Authentication Required (407)"), true)).toEqual(
      {
        reason: "fetch-failed",
        detail: "UND_ERR_INVALID_ARG: Proxy Authentication Required (407)",
        retryable: false,
      },
    );
  });
});
