import { Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { fetchPage } from "./fetch-page.js";
import { followRedirects } from "../../../src/acquire/http/fetch.js";
import {
  openTransport,
  type ExchangeResult,
  type Lookup,
  type Transport,
  type TransportOptions,
} from "../../../src/acquire/http/transport.js";
import type { Reason } from "../../../src/outcome.js";
import { listenForNames } from "./dns-server.js";
import { listenRaw, type RawServer } from "./servers.js";

const NEVER = new AbortController().signal;
const PAGE = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 6\r\n\r\nsecret";
/** An address that the tables call public but that no server uses, so that no test contacts another machine. */
const PUBLIC = "2e00::1";

/** A server on all addresses of this machine, which no request may reach, and a list of all connection attempts. */
let trap: RawServer;
const attempts: string[] = [];

beforeAll(async () => {
  trap = await listenRaw((socket) => void socket.end(PAGE), "::");
  // Records the addresses that the sockets really connect to, after name resolution.
  // oxlint-disable-next-line typescript/unbound-method -- it is called with the socket that it belongs to
  const connect = Socket.prototype.connect;
  vi.spyOn(Socket.prototype, "connect").mockImplementation(function (
    this: Socket,
    ...rest: unknown[]
  ): Socket {
    this.on("connectionAttempt", (ip: string) => {
      attempts.push(ip);
    });
    // connect returns the socket itself.
    return Reflect.apply(connect, this, rest) as Socket;
  });
});
afterAll(async () => {
  vi.restoreAllMocks();
  await trap.close();
});
let before = 0;
beforeEach(() => {
  attempts.length = 0;
  before = trap.connections();
});

function expectNoConnection(): void {
  expect(attempts).toEqual([]);
  expect(trap.connections()).toBe(before);
}

/** Replaces `:PORT` in a URL by the port of the trap. */
const withPort = (url: string): string => url.replace(":PORT", `:${trap.port}`);

async function ask(url: string, options: Partial<TransportOptions> = {}): Promise<ExchangeResult> {
  const transport = openTransport({ maxBytes: 1000, timeoutMs: 2000, addresses: "public", ...options });
  try {
    return await transport.exchange({ url: withPort(url) }, NEVER);
  } finally {
    await transport.close();
  }
}

function expectReason(result: ExchangeResult, ...reasons: readonly Reason[]): void {
  if (result.ok) expect.unreachable(`answered ${result.exchange.status}`);
  expect(reasons).toContain(result.failure.reason);
  expect(result.failure.detail).not.toBe("");
}

describe("the trap", () => {
  it("catches a transport that may connect to each of its addresses", async () => {
    for (const [host, address] of [
      ["127.0.0.1", "127.0.0.1"],
      ["0x7f.1", "127.0.0.1"],
      ["[::ffff:127.0.0.1]", "::ffff:7f00:1"],
      ["somewhere.example", "127.0.0.1"],
    ] as const) {
      attempts.length = 0;
      const count = trap.connections();
      const lookup = (): Promise<readonly string[]> => Promise.resolve(["127.0.0.1"]);
      const result = await ask(`http://${host}:PORT/`, { addresses: "any", lookup });
      expect(result.ok, host).toBe(true);
      expect(trap.connections(), host).toBe(count + 1);
      expect(attempts).toEqual([address]);
    }
  });
});

/** Private and special addresses in all spellings that URLs allow. */
const HOSTS = [
  "127.0.0.1",
  "127.1",
  "127.255.255.254",
  "0",
  "0.0.0.0",
  "2130706433",
  "0x7f.1",
  "0x7f000001",
  "0x7f000001.",
  "017700000001",
  "0177.0.0.01",
  "127.0.0.1.",
  "127。0。0。1",
  "１２７.０.０.１",
  "①②⑦.⓪.⓪.①",
  "%31%32%37.0.0.1",
  "127%2E0%2E0%2E1",
  "[::1]",
  "[::]",
  "[0:0:0:0:0:0:0:1]",
  "[0000::0001]",
  "[::ffff:127.0.0.1]",
  "[::FFFF:7F00:1]",
  "[::ffff:10.0.0.1]",
  "[::ffff:8.8.8.8]",
  "[::127.0.0.1]",
  "[::ffff:0:127.0.0.1]",
  "[64:ff9b::127.0.0.1]",
  "[64:ff9b::a9fe:a9fe]",
  "[64:ff9b::10.1.2.3]",
  "[64:ff9b:1::a00:1]",
  "[2002:7f00:1::]",
  "[2002:a9fe:a9fe::1]",
  "[2001:0:7f00:1::1]",
  "[2001:10::1]",
  "[2001:db8::1]",
  "[3fff::1]",
  "[100::1]",
  "[4000::1]",
  "[5f00::1]",
  "[fc00::1]",
  "[fd00:ec2::254]",
  "[fd20:ce::254]",
  "[fe80::1]",
  "[fe80::a9fe:a9fe]",
  "[fec0::1]",
  "[ff02::1]",
  "10.0.0.1",
  "10.255.255.255",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.0.1",
  "169.254.169.254",
  "169.254.170.2",
  "2852039166",
  "0xa9fea9fe",
  "0251.0376.0251.0376",
  "100.64.0.1",
  "100.100.100.200",
  "100.127.255.255",
  "168.63.129.16",
  "192.0.0.192",
  "192.0.2.1",
  "192.88.99.1",
  "198.18.0.1",
  "198.19.255.255",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "239.255.255.255",
  "240.0.0.1",
  "255.255.255.255",
];

describe("an address in a URL", () => {
  it.each(HOSTS)("refuses %s", async (host) => {
    for (const scheme of ["http", "https"])
      expectReason(await ask(`${scheme}://${host}:PORT/`), "blocked-address");
    expectNoConnection();
  });

  it.each([
    "http://public.example@127.0.0.1:PORT/",
    "http://public.example:80@127.0.0.1:PORT/",
    "http://a@b@127.0.0.1:PORT/",
    "http://a:b%40public.example@127.0.0.1:PORT/",
    "http:\\\\127.0.0.1:PORT\\",
    "http:127.0.0.1:PORT",
    "http:////127.0.0.1:PORT/",
    "http://127.0.\t0.1:PORT/",
    " http://127.0.0.1:PORT/\n",
    "HTTP://127.0.0.1:PORT/",
    "http://127.0.0.1:PORT#@public.example/",
    "http://127.0.0.1:PORT?@public.example/",
    "http://127.0.0.1:PORT\\@public.example/",
  ])("is found in %j", async (url) => {
    expectReason(await ask(url), "blocked-address");
    expectNoConnection();
  });

  it.each([
    "http://public.example#@127.0.0.1:PORT/",
    "http://public.example\\@127.0.0.1:PORT/",
    "http://public.example/@127.0.0.1:PORT/",
    "http://127.0.0.1.public.example:PORT/",
    "http://0x7f.1.public.example:PORT/",
  ])("is not found in %j, which contains a host name", async (url) => {
    const asked: string[] = [];
    const lookup: Lookup = (name) => {
      asked.push(name);
      return Promise.resolve([]);
    };
    expectReason(await ask(url, { lookup }), "dns");
    expect(asked[0]).toMatch(/public\.example$/);
    expectNoConnection();
  });
});

describe("a URL that is not a web page's", () => {
  it.each([
    "file:///etc/passwd",
    "file://127.0.0.1/etc/passwd",
    "ftp://127.0.0.1:PORT/",
    "gopher://127.0.0.1:PORT/_GET%20/",
    "dict://127.0.0.1:PORT/stat",
    "ldap://127.0.0.1:PORT/",
    "ws://127.0.0.1:PORT/",
    "data:text/html,<p>Text",
    "javascript:fetch('http://127.0.0.1:PORT/')",
    "blob:http://127.0.0.1:PORT/1",
    "view-source:http://127.0.0.1:PORT/",
    "jar:http://127.0.0.1:PORT/!/",
    "unix:/var/run/docker.sock",
    "http+unix://%2Fvar%2Frun%2Fdocker.sock/",
    "//127.0.0.1:PORT/",
    "127.0.0.1:PORT",
    "http://[fe80::1%25lo]:PORT/",
    "http://[fe80::1%lo]:PORT/",
    "http://[::1]%25lo:PORT/",
    "http://[::1:PORT/",
    "http://256.256.256.256:PORT/",
    "http://1.2.3.4.5:PORT/",
    "http://127.0.0.1%00.public.example:PORT/",
    "http://127.0.0.1 .public.example:PORT/",
    "http://127.0.0.1:99999/",
    "http://",
    "",
  ])("refuses %j", async (url) => {
    expectReason(await ask(url), "bad-url");
    expectNoConnection();
  });
});

describe("a host name", () => {
  it.each([
    ["loopback", ["127.0.0.1"]],
    ["loopback of IPv6", ["::1"]],
    ["a private address", ["10.0.0.7"]],
    ["the metadata service of a cloud", ["169.254.169.254"]],
    ["a mapped address", ["::ffff:127.0.0.1"]],
    ["an address with a zone", ["fe80::1%lo"]],
    ["a public address and a private one", [PUBLIC, "127.0.0.1"]],
    ["a private address and a public one", ["127.0.0.1", PUBLIC]],
    ["many public addresses and a private one", [...Array<string>(100).fill(PUBLIC), "10.0.0.1"]],
    ["the unspecified address", ["0.0.0.0"]],
  ] as const)("is refused if it resolves to %s", async (_, addresses) => {
    const lookup: Lookup = () => Promise.resolve(addresses);
    for (const scheme of ["http", "https"])
      expectReason(await ask(`${scheme}://public.example:PORT/`, { lookup }), "blocked-address");
    expectNoConnection();
  });

  it.each([
    ["no address", []],
    ["text that is not an address", ["localhost"]],
    ["an address in brackets", ["[::1]"]],
    ["an address with a port", ["127.0.0.1:80"]],
    ["an address in a form that only URLs allow", ["0x7f.1"]],
  ] as const)("is not found if it resolves to %s", async (_, addresses) => {
    const lookup: Lookup = () => Promise.resolve(addresses);
    expectReason(await ask("http://public.example:PORT/", { lookup }), "dns");
    expectNoConnection();
  });

  it.each(["localhost", "LOCALHOST", "ｌｏｃａｌｈｏｓｔ", "loc\u00adalhost", "%6cocalhost"])(
    "is refused if it is %s, because the system resolves it to this machine",
    async (name) => {
      expectReason(await ask(`http://${name}:PORT/`), "blocked-address");
      expectNoConnection();
    },
  );

  it.each(["localhost.", "a.localhost", "metadata.google.internal", "localhost.localdomain", "router.local"])(
    "is refused or not found if it is %s",
    async (name) => {
      expectReason(await ask(`http://${name}:PORT/`), "blocked-address", "dns", "timeout");
      expectNoConnection();
    },
  );
});

describe("a name server's changing answer", () => {
  it("cannot pass the check and then change for the connection, because the name is resolved once", async () => {
    let asked = 0;
    const lookup: Lookup = () => {
      asked += 1;
      return Promise.resolve([asked === 1 ? PUBLIC : "127.0.0.1"]);
    };
    const result = await ask("http://public.example:PORT/", { lookup, timeoutMs: 500 });
    expectReason(result, "fetch-failed", "timeout");
    expect(asked).toBe(1);
    expect(attempts).toEqual([PUBLIC]);
    expect(trap.connections()).toBe(before);
  });

  it("is refused on the next connection if the second answer is private", async () => {
    let asked = 0;
    const lookup: Lookup = () => {
      asked += 1;
      return Promise.resolve([asked === 1 ? PUBLIC : "127.0.0.1"]);
    };
    const transport = openTransport({ maxBytes: 1000, timeoutMs: 500, addresses: "public", lookup });
    const url = `http://public.example:${trap.port}/`;
    expectReason(await transport.exchange({ url }, NEVER), "fetch-failed", "timeout");
    attempts.length = 0;
    const second = openTransport({ maxBytes: 1000, timeoutMs: 500, addresses: "public", lookup });
    expectReason(await second.exchange({ url }, NEVER), "blocked-address");
    expectNoConnection();
    await transport.close();
    await second.close();
  });

  it("is refused when a real UDP server sends it with a TTL of zero", async () => {
    const server = await listenForNames((name, count) => {
      if (name === "mixed.example") return ["127.0.0.1", "8.8.8.8"];
      if (name === "changing.example") return [count % 2 === 0 ? "127.0.0.1" : "10.0.0.1"];
      return name === "inside.example" ? ["192.168.1.1"] : [];
    });
    const { lookup } = server;
    for (const name of ["mixed", "changing", "changing", "changing", "inside"])
      expectReason(await ask(`http://${name}.example:PORT/`, { lookup }), "blocked-address");
    expectReason(await ask("http://none.example:PORT/", { lookup }), "dns");
    expect(server.asked()).toBe(6);
    expectNoConnection();
    await server.close();
  });
});

describe("a redirect", () => {
  /** A server whose answers claim to come from a public address, because the tests cannot use a real one. */
  async function openFront(address: string): Promise<{
    readonly url: (to: string) => string;
    readonly transport: Transport;
    readonly close: () => Promise<void>;
  }> {
    const server = await listenRaw((socket, request) => {
      const to = decodeURIComponent(/\?(\S*)/.exec(request)?.[1] ?? "");
      socket.end(`HTTP/1.1 302 Found\r\nlocation: ${to}\r\ncontent-length: 0\r\n\r\n`);
    });
    const inner = openTransport({ maxBytes: 1000, timeoutMs: 2000, addresses: "any" });
    return {
      url: (to) => `http://127.0.0.1:${server.port}/?${encodeURIComponent(to)}`,
      transport: {
        async exchange(request, signal) {
          const result = await inner.exchange(request, signal);
          return result.ok ? { ok: true, exchange: { ...result.exchange, address } } : result;
        },
        close: () => inner.close(),
      },
      close: async () => {
        await inner.close();
        await server.close();
      },
    };
  }

  async function follow(to: string, address: string): Promise<ExchangeResult> {
    const front = await openFront(address);
    const strict = openTransport({ maxBytes: 1000, timeoutMs: 2000, addresses: "public" });
    try {
      const transports = { any: front.transport, public: strict };
      return await followRedirects(front.url(withPort(to)), { transports, signal: NEVER });
    } finally {
      await strict.close();
      await front.close();
    }
  }

  it.each([
    "http://127.0.0.1:PORT/",
    "https://127.0.0.1:PORT/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[fd00:ec2::254]/latest/meta-data/",
    "http://0x7f.1:PORT/",
    "http://2130706433:PORT/",
    "http://[::ffff:127.0.0.1]:PORT/",
    "http://localhost:PORT/",
    "//127.0.0.1:PORT/",
    "http://public.example@127.0.0.1:PORT/",
    "\\\\127.0.0.1:PORT\\",
  ])("is refused if it leads from a public server to %s", async (to) => {
    const result = await follow(to, "93.184.215.14");
    expectReason(result, "blocked-address");
    expect(attempts).toEqual(["127.0.0.1"]); // the server that redirects
    expect(trap.connections()).toBe(before);
  });

  it.each([
    "file:///etc/passwd",
    "ftp://127.0.0.1:PORT/",
    "gopher://127.0.0.1:PORT/",
    "data:text/html,a",
    "http://[",
  ])("is not followed if it leads to %s", async (to) => {
    for (const address of ["93.184.215.14", "127.0.0.1"]) {
      const result = await follow(to, address);
      expectReason(result, "http-status");
      expect(trap.connections()).toBe(before);
    }
  });

  it("is refused if it leads from a server of unknown address to a private one", async () => {
    expectReason(await follow("http://127.0.0.1:PORT/", ""), "blocked-address");
    expect(trap.connections()).toBe(before);
  });

  it("is followed if it leads from a private server that the caller named to another private one", async () => {
    const result = await follow("http://127.0.0.1:PORT/", "127.0.0.1");
    expect(result).toMatchObject({ ok: true, exchange: { status: 200 } });
    expect(trap.connections()).toBe(before + 1);
  });

  it("is checked in the same way by fetchPage", async () => {
    const front = await openFront("127.0.0.1");
    const options = { maxBytes: 1000, timeoutMs: 2000 };
    expect((await fetchPage(front.url(`http://127.0.0.1:${trap.port}/`), options)).ok).toBe(true);
    expect(await fetchPage(front.url("file:///etc/passwd"), options)).toMatchObject({
      reason: "http-status",
    });
    await front.close();
  });
});

describe("a proxy", () => {
  it("is not asked for private addresses, or for names that we resolve to private addresses", async () => {
    const proxy = await listenRaw((socket) => void socket.end(PAGE));
    const options = { proxy: `http://127.0.0.1:${proxy.port}/` };
    for (const url of [
      "http://127.0.0.1:PORT/",
      "https://[::1]:PORT/",
      "http://0x7f.1/",
      "http://169.254.169.254/",
    ])
      expectReason(await ask(url, options), "blocked-address");
    for (const addresses of [["10.0.0.1"], [PUBLIC, "10.0.0.1"]]) {
      const lookup: Lookup = () => Promise.resolve(addresses);
      expectReason(await ask("http://inside.example/", { ...options, lookup }), "blocked-address");
      expectReason(await ask("https://inside.example/", { ...options, lookup }), "blocked-address");
    }
    expect(proxy.connections()).toBe(0);
    expectNoConnection();
    await proxy.close();
  });
});
