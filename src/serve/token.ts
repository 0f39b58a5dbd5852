/** Checks the token of a client in constant time, so that timing reveals nothing about it. */
import { createHash, timingSafeEqual } from "node:crypto";
import { Problem } from "./problem.js";

/** The returned function takes the `Authorization` header and throws the problem `no-token`. */
export function createTokenCheck(token: string | undefined): (authorization: string | undefined) => void {
  if (token === undefined) return () => undefined;
  const wanted = digest(token);
  return (authorization = "") => {
    const shown = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
    // Digests have the same length, whatever the client sent.
    if (shown !== undefined && timingSafeEqual(digest(shown), wanted)) return;
    throw new Problem("no-token", "send it as Authorization: Bearer TOKEN", { "WWW-Authenticate": "Bearer" });
  };
}

function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
