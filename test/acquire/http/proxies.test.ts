import { describe, expect, it } from "vitest";
import { createProxyChooser, readProxies } from "../../../src/acquire/http/proxies.js";

const PROXY = "http://proxy.example:3128";

/** Whether the URL is fetched directly if NO_PROXY has this value. */
function isDirect(url: string, direct: string): boolean {
  return createProxyChooser({ http: PROXY, https: PROXY, direct })(new URL(url)) === undefined;
}

describe("the variables that name proxies", () => {
  it("are read in lower case before upper case, and ALL_PROXY last; an empty one names none", () => {
    expect(readProxies({})).toBeUndefined();
    expect(readProxies({ http_proxy: "", HTTP_PROXY: PROXY })).toBeUndefined();
    expect(readProxies({ HTTP_PROXY: PROXY, NO_PROXY: "a.example" })).toEqual({
      http: PROXY,
      direct: "a.example",
    });
    expect(readProxies({ http_proxy: "http://a:1", HTTP_PROXY: PROXY, HTTPS_PROXY: "https://b:2" })).toEqual({
      http: "http://a:1",
      https: "https://b:2",
      direct: "",
    });
    expect(readProxies({ all_proxy: PROXY, https_proxy: "http://b:2" })).toMatchObject({
      http: PROXY,
      https: "http://b:2",
    });
  });

  it("may leave out http://", () => {
    expect(readProxies({ http_proxy: "proxy.example:3128" })?.http).toBe(PROXY);
    expect(readProxies({ http_proxy: "user:word@proxy.example" })?.http).toBe(
      "http://user:word@proxy.example",
    );
  });

  it("are refused without their value, which may hold a password", () => {
    const wrong = "is not the URL of an http or https proxy";
    for (const value of ["socks5://user:word@a:1", "http://", "ftp://a", "http://a:b:word"])
      expect(() => readProxies({ HTTPS_PROXY: value })).toThrow(`the variable HTTPS_PROXY ${wrong}`);
    expect(() => readProxies({ all_proxy: "socks5://user:word@a:1" })).toThrow(
      /ALL_PROXY is not (?!.*word).*SOCKS is not/,
    );
    expect(readProxies({ http_proxy: PROXY, https_proxy: PROXY, all_proxy: "socks5://a" })?.https).toBe(
      PROXY,
    );
  });

  it("do not take HTTP_PROXY from the header of a request to a CGI program", () => {
    expect(readProxies({ REQUEST_METHOD: "GET", HTTP_PROXY: PROXY })).toBeUndefined();
    expect(readProxies({ REQUEST_METHOD: "GET", http_proxy: PROXY })?.http).toBe(PROXY);
  });
});

describe("the proxy for a URL", () => {
  it("is that of its scheme", () => {
    const choose = createProxyChooser({ http: PROXY });
    expect(choose(new URL("http://a.example/"))).toBe(PROXY);
    expect(choose(new URL("https://a.example/"))).toBeUndefined();
  });

  it("is none for hosts and subdomains in NO_PROXY", () => {
    for (const entry of [
      "a.example",
      ".a.example",
      "*.a.example",
      "A.Example.",
      "x, a.example",
      "x a.example",
    ]) {
      expect(isDirect("http://a.example/", entry), entry).toBe(true);
      expect(isDirect("https://b.a.example:8443/", entry), entry).toBe(true);
      expect(isDirect("http://ba.example/", entry), entry).toBe(false);
    }
    expect(isDirect("http://a.example/", "*")).toBe(true);
    expect(isDirect("http://a.example/", "b.example,*")).toBe(true);
    expect(isDirect("http://a.example./", "a.example")).toBe(true);
    for (const entry of ["", " , ", ".", "example.org"])
      expect(isDirect("http://a.example/", entry), entry).toBe(false);
  });

  it("is none for addresses and blocks of addresses in NO_PROXY", () => {
    expect(isDirect("http://10.1.2.3/", "10.0.0.0/8")).toBe(true);
    expect(isDirect("http://11.1.2.3/", "10.0.0.0/8")).toBe(false);
    expect(isDirect("http://127.0.0.1:80/", "127.0.0.1")).toBe(true);
    expect(isDirect("http://[::1]/", "::1")).toBe(true);
    expect(isDirect("http://[::1]/", "[::1]")).toBe(true);
    expect(isDirect("http://[fd00::5]/", "fd00::/8")).toBe(true);
    expect(isDirect("http://[::ffff:10.1.2.3]/", "10.0.0.0/8")).toBe(false);
    for (const entry of ["10.0.0.0/33", "10.0.0.0/x", "a/8", "[", "]:", ":80", "::1:80:"])
      expect(isDirect("http://10.1.2.3/", entry), entry).toBe(false);
  });

  it("is none only for the port that follows a host in NO_PROXY", () => {
    expect(isDirect("http://a.example/", "a.example:80")).toBe(true);
    expect(isDirect("https://a.example/", "a.example:80")).toBe(false);
    expect(isDirect("http://[::1]:8080/", "[::1]:8080")).toBe(true);
    expect(isDirect("http://[::1]/", "[::1]:8080")).toBe(false);
  });
});
