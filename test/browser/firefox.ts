/**
 * Starts a real Firefox that can reach only this machine, and speaks WebDriver BiDi (https://w3c.github.io/webdriver-bidi/)
 * with it. This test needs only five commands: playwright-core drives only its own Firefox, and puppeteer-core needs
 * Node.js 22.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebSocket } from "undici";
import { startProxy } from "./host.js";

const PLACES = ["/usr/bin/firefox-esr", "/usr/bin/firefox"];
/** A busy machine may need half a minute for what takes two seconds on an idle one. */
const START_MS = 90_000;

/** Returns the path of a Firefox; undefined if there is none, which is an error in CI. */
export function findFirefox(): string | undefined {
  const found = PLACES.find((path) => existsSync(path));
  if (found === undefined && process.env["CI"] !== undefined)
    throw new Error(`there is no Firefox at ${PLACES.join(", ")}; .ci/run installs one`);
  return found;
}

/** Hosts that the browser itself contacts, whatever page it shows. */
const OWN_HOSTS = /^(?:http:\/\/)?(?:[\w-]+\.)*(?:mozilla|firefox)\.(?:com|net|org)(?:[:/]|$)/;

/** Firefox's message for a request or a stream that fails, even if the page's code handles it. */
const NOTES = /^(?:Cross-Origin Request Blocked|Failed to read data from the ReadableStream)/;

/** Everything goes through the proxy except the port of `local`; nothing is requested from Mozilla if a setting can prevent it. */
function preferences(proxy: number, local: string): Readonly<Record<string, string | number | boolean>> {
  return {
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": proxy,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": proxy,
    "network.proxy.allow_hijacking_localhost": true,
    "network.proxy.no_proxies_on": local,
    "network.captive-portal-service.enabled": false,
    "network.connectivity-service.enabled": false,
    "app.normandy.enabled": false,
    "app.update.disabledForTesting": true,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": false,
    "media.gmp-manager.updateEnabled": false,
    "messaging-system.rsexperimentloader.enabled": false,
    "services.settings.server": "data:,none",
  };
}

export interface Firefox {
  /** Requests of any page, frame or worker to the proxy. */
  readonly foreign: string[];
  /** The addresses that the page requested, and its unhandled errors. */
  readonly asked: string[];
  readonly crashes: string[];
  open(url: string): Promise<void>;
  /** Returns the value of an expression as JSON, and awaits it if it is a promise. */
  evaluate<T>(expression: string): Promise<T>;
  /** Chooses a file as a person does in the dialogue of `<input type="file">`. */
  choose(selector: string, file: string): Promise<void>;
  close(): Promise<void>;
}

export async function startFirefox(executable: string, local: string): Promise<Firefox> {
  const proxy = await startProxy(OWN_HOSTS);
  const profile = mkdtempSync(join(tmpdir(), "thresher-firefox-"));
  const lines = Object.entries(preferences(proxy.port, local)).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  writeFileSync(join(profile, "user.js"), lines.join("\n"));
  const child = spawn(
    executable,
    ["--headless", "--remote-debugging-port=0", "--profile", profile, "about:blank"],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  const ended = new Promise<void>((resolve) =>
    child.once("close", () => {
      resolve();
    }),
  );
  const stop = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
    proxy.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const { send, on } = await connect(`${await addressOf(child)}/session`);
    await send("session.new", { capabilities: {} });
    await send("session.subscribe", { events: ["network.beforeRequestSent", "log.entryAdded"] });
    const { contexts } = await send<{ readonly contexts: readonly { readonly context: string }[] }>(
      "browsingContext.getTree",
    );
    const context = contexts[0]?.context;
    const [asked, crashes]: [string[], string[]] = [[], []];
    on("network.beforeRequestSent", ({ request }: { readonly request: { readonly url: string } }) => {
      asked.push(request.url);
    });
    on(
      "log.entryAdded",
      (entry: { readonly type: string; readonly level: string; readonly text: string }) => {
        if (entry.type === "javascript" && entry.level === "error" && !NOTES.test(entry.text))
          crashes.push(entry.text);
      },
    );
    const evaluate = async (expression: string): Promise<Remote> => {
      const told = await send<Evaluated>("script.evaluate", {
        expression,
        target: { context },
        awaitPromise: true,
        userActivation: true,
      });
      if (told.type === "exception") throw new Error(told.exceptionDetails.text);
      return told.result;
    };
    return {
      foreign: proxy.asked,
      asked,
      crashes,
      async open(url) {
        await send("browsingContext.navigate", { context, url, wait: "complete" });
      },
      async evaluate<T>(expression: string) {
        const { value } = await evaluate(`(async () => JSON.stringify([await (${expression})]))()`);
        const [result] = JSON.parse(value ?? "[]") as [T]; // as the page wrote it a moment ago
        return result;
      },
      async choose(selector, file) {
        const { sharedId } = await evaluate(`document.querySelector(${JSON.stringify(selector)})`);
        await send("input.setFiles", { context, element: { sharedId }, files: [file] });
      },
      close: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Remote {
  readonly value?: string;
  readonly sharedId?: string;
}
type Evaluated =
  | { readonly type: "success"; readonly result: Remote }
  | { readonly type: "exception"; readonly exceptionDetails: { readonly text: string } };

/** Waits until Firefox says on stderr where it listens. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    const fail = (why: string): void => {
      reject(new Error(`Firefox ${why}: ${said}`));
    };
    const timer = setTimeout(fail, START_MS, "did not start in time");
    child.once("error", reject);
    child.once("close", () => {
      fail("ended");
    });
    child.stderr?.on("data", (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-5000);
      const [, address] = /WebDriver BiDi listening on (ws:\S+)/.exec(said) ?? [];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    });
  });
}

type Said =
  | { readonly type: "event"; readonly method: string; readonly params: never }
  | { readonly type: "success"; readonly id: number; readonly result: unknown }
  | { readonly type: "error"; readonly id: number; readonly error: string; readonly message: string };

interface Connection {
  readonly send: <T>(method: string, params?: object) => Promise<T>;
  readonly on: (method: string, hear: (params: never) => void) => void;
}

async function connect(url: string): Promise<Connection> {
  const socket = new WebSocket(url);
  const waiting = new Map<
    number,
    { readonly resolve: (result: never) => void; readonly reject: (error: Error) => void }
  >();
  const heard = new Map<string, (params: never) => void>();
  let count = 0;
  socket.addEventListener("message", ({ data }) => {
    const said = JSON.parse(String(data)) as Said; // by the protocol
    if (said.type === "event") return heard.get(said.method)?.(said.params);
    const one = waiting.get(said.id);
    waiting.delete(said.id);
    if (said.type === "error") one?.reject(new Error(`${said.error}: ${said.message}`));
    else one?.resolve(said.result as never); // the caller states its type
  });
  socket.addEventListener("close", () => {
    for (const { reject } of waiting.values()) reject(new Error("Firefox has gone"));
  });
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => {
      resolve();
    });
    socket.addEventListener("error", () => {
      reject(new Error(`no connection to ${url}`));
    });
  });
  return {
    send: (method, params = {}) =>
      new Promise((resolve, reject) => {
        count += 1;
        waiting.set(count, { resolve, reject });
        socket.send(JSON.stringify({ id: count, method, params }));
      }),
    on: (method, hear) => heard.set(method, hear),
  };
}
