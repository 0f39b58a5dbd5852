/** Checks the token that a client shows, in a time that tells nothing of it. */
import { createHash, timingSafeEqual } from "node:crypto";
import { Problem } from "./problem.js";

/** Takes the header `Authorization`. Throws the problem `no-token`. */
export function createTokenCheck(token: string | undefined): (authorization: string | undefined) => void {
  if (token === undefined) return () => undefined;
  const wanted = digest(token);
  return (authorization = "") => {
    const shown = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
    // Digests are of one length, whatever was shown.
    if (shown !== undefined && timingSafeEqual(digest(shown), wanted)) return;
    throw new Problem("no-token", "send it as Authorization: Bearer TOKEN", { "WWW-Authenticate": "Bearer" });
  };
}

function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
