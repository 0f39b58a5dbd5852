/** Chooses the proxy for a URL, and reads the environment variables that curl, wget and Python read for this. */
import { isIP } from "node:net";
import { UsageError } from "../../outcome.js";
import { parseUrl, parseWebUrl, withoutUser } from "../../parse-url.js";
import { toBlockTest, withoutBrackets } from "./addresses.js";

/** URLs of http or https proxies. */
export interface Proxies {
  /** For http URLs. */
  readonly http?: string;
  /** For https URLs. */
  readonly https?: string;
  /**
   * Hosts to connect to without a proxy, separated by commas or spaces: names (which include their subdomains),
   * addresses, blocks of addresses such as 10.0.0.0/8, or * for all. A port may follow.
   */
  readonly direct?: string;
}

type Variables = Readonly<Record<string, string | undefined>>;

function valueOf(env: Variables, name: string): string {
  return (env[name] ?? env[name.toUpperCase()] ?? "").trim();
}

/** Whether a variable names a proxy, for programs that do not use one. */
export function namesProxy(env: Variables): boolean {
  return ["http_proxy", "https_proxy", "all_proxy"].some((name) => valueOf(env, name) !== "");
}

/**
 * Reads HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY; their names in lower case come first. Undefined if no proxy is
 * set. Throws UsageError if a value is not the URL of an http or https proxy.
 */
export function readProxies(env: Variables): Proxies | undefined {
  // In a CGI program, whoever sends a request with the header "Proxy" sets HTTP_PROXY.
  const isCgi = env["REQUEST_METHOD"] !== undefined && env["http_proxy"] === undefined;
  const find = (name: string): string | undefined => {
    const used = [name, "all_proxy"].find((variable) => valueOf(env, variable) !== "");
    return used === undefined ? undefined : toProxy(used.toUpperCase(), valueOf(env, used));
  };
  const http = isCgi ? undefined : find("http_proxy");
  const https = find("https_proxy");
  if (http === undefined && https === undefined) return undefined;
  return {
    ...(http === undefined ? {} : { http }),
    ...(https === undefined ? {} : { https }),
    direct: valueOf(env, "no_proxy"),
  };
}

function toProxy(variable: string, value: string): string {
  const url = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (parseWebUrl(url) !== undefined) return url;
  const { protocol } = parseUrl(url) ?? { protocol: "" };
  throw new UsageError(
    `the variable ${variable} is not the URL of an http or https proxy, such as http://proxy.example:3128${
      protocol.startsWith("socks") ? " (SOCKS is not supported)" : ""
    }`,
  );
}

/** Returns a function that returns the URL of the proxy for a URL; undefined if there is none. */
export function createProxyChooser(proxies: string | Proxies | undefined): (url: URL) => string | undefined {
  if (proxies === undefined) return () => undefined;
  if (typeof proxies === "string") return () => proxies;
  const { http, https, direct = "" } = proxies;
  const tests = direct
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .map(toHostTest);
  return ({ protocol, hostname, port }) => {
    const host = toBareHost(hostname);
    const wanted = port === "" ? DEFAULT_PORTS[protocol] : port;
    if (tests.some((isOne) => isOne(host, wanted))) return undefined;
    return protocol === "https:" ? https : http;
  };
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

/** Matches an entry with at most one colon, or with brackets around its address. */
const HOST = /^(?:\[(?<bracketed>[^\]]*)\]|(?<plain>[^:]*))(?::(?<port>\d+))?$/;

function toHostTest(entry: string): (host: string, port: string | undefined) => boolean {
  const { bracketed, plain, port } = HOST.exec(entry)?.groups ?? { plain: entry };
  const name = toBareHost(bracketed ?? plain ?? "").replace(/^\*?\./, "");
  const isHost = name === "*" ? () => true : (toAddressTest(name) ?? toNameTest(name));
  return (host, wanted) => (port === undefined || port === wanted) && isHost(host);
}

/** Undefined if it is not a block of addresses. */
function toAddressTest(block: string): ((host: string) => boolean) | undefined {
  const [, start = "", bits = ""] = /^(.+)\/(\d{1,3})$/.exec(block) ?? [];
  const family = isIP(start);
  if (family === 0 || Number(bits) > (family === 4 ? 32 : 128)) return undefined;
  const isInBlock = toBlockTest(block, family === 4 ? "ipv4" : "ipv6");
  return (host) => isIP(host) === family && isInBlock(host);
}

function toNameTest(name: string): (host: string) => boolean {
  return (host) => host === name || host.endsWith(`.${name}`);
}

function toBareHost(hostname: string): string {
  return withoutBrackets(hostname).replace(/\.$/, "").toLowerCase();
}

/** Describes proxies in one string, without passwords. */
export function describeProxies(proxies: string | Proxies): string {
  if (typeof proxies === "string") return withoutUser(proxies);
  const { http = "", https = "", direct = "" } = proxies;
  return JSON.stringify([withoutUser(http), withoutUser(https), direct]);
}
