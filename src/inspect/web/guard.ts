/** Checks token, cookie, host and origin of every request, so that only the browser with the address gets in. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { Refusal } from "./refusal.js";

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Returns "" if the header is absent. */
  readonly header: (name: string) => string;
  readonly cookie: (name: string) => string | undefined;
}

/** The answer to the address with the token: a cookie that replaces it, and a redirect. */
export interface Entry {
  readonly cookie: string;
  readonly to: string;
}

export interface Guard {
  /** The query of the address for the first visit. */
  readonly query: string;
  /** Throws Refusal if the request is not allowed; returns an entry for the first visit. */
  check(request: Request): Entry | undefined;
}

const TOKEN = "token";

/**
 * The port is known only when the server listens. Cookies apply to all ports of a host, so their names contain the
 * port.
 */
export function createGuard(readPort: () => number): Guard {
  const token = randomBytes(24).toString("base64url");
  const isToken = (given: string | undefined): boolean =>
    given !== undefined && timingSafeEqual(digest(given), digest(token));
  return {
    query: `?${TOKEN}=${token}`,
    check({ method, path, query, header, cookie }) {
      const port = readPort();
      const name = `thresher-${port}`;
      // Browsers leave out the usual port.
      const hosts = ["127.0.0.1", "localhost"].map((host) => (port === 80 ? host : `${host}:${port}`));
      // Another host name means that a foreign page made its name point here (DNS rebinding).
      if (!hosts.includes(header("Host"))) throw new Refusal(403, "this is not an address of the inspector");
      const origin = header("Origin");
      if (origin !== "" && origin !== `http://${header("Host")}`)
        throw new Refusal(403, "requests of other pages are not allowed");
      if (["cross-site", "same-site"].includes(header("Sec-Fetch-Site")) && method !== "GET")
        throw new Refusal(403, "requests of other pages are not allowed");
      if (method === "GET" && path === "/" && isToken(query.get(TOKEN) ?? undefined))
        return { cookie: `${name}=${token}; Path=/; HttpOnly; SameSite=Strict`, to: "/" };
      if (!isToken(cookie(name)))
        throw new Refusal(403, "open the address that thresher inspect printed; it contains the token");
      // A form of another page cannot send this type.
      if (method === "POST" && !header("Content-Type").startsWith("application/json"))
        throw new Refusal(415, "only JSON is accepted");
      return undefined;
    },
  };
}

/** Makes both tokens equally long, as the comparison requires. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
