/** Starts a headless Chromium for tests, and controls it over its debugging pipe. */
import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];
const FLAGS = [
  ...["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage"],
  ...["--disable-extensions", "--no-proxy-server", "--remote-debugging-pipe"],
];

export interface View {
  readonly width: number;
  readonly height: number;
  readonly scheme: "light" | "dark";
}

export interface Opened {
  /** Console messages of warning or error level, exceptions, and blocked or broken loads. */
  readonly complaints: readonly string[];
  /** All requests of the page, including itself. */
  readonly requests: readonly string[];
  evaluate(expression: string): Promise<unknown>;
  /** Returns a PNG of the whole page, or of a part. */
  screenshot(clip?: { readonly y: number; readonly height: number }): Promise<Buffer>;
}

export interface Browser {
  open(url: string, view: View): Promise<Opened>;
  close(): Promise<void>;
}

/** Returns the command of an installed Chromium, or undefined. */
export function findChromium(): string | undefined {
  return NAMES.find((name) => spawnSync(name, ["--version"]).status === 0);
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly sessionId?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
}

type Send = (
  method: string,
  params?: Readonly<Record<string, unknown>>,
  sessionId?: string,
) => Promise<Readonly<Record<string, unknown>>>;

export async function startChromium(command: string): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), "report-browser-"));
  const child = spawn(command, [...FLAGS, `--user-data-dir=${profile}`], {
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
  });
  const input = child.stdio[3] as Writable; // the third pipe is written to, the fourth read: the protocol says so
  const output = child.stdio[4] as Readable;
  const waiting = new Map<
    number,
    { resolve(value: Readonly<Record<string, unknown>>): void; reject(error: Error): void }
  >();
  const listeners = new Set<(message: Message) => void>();
  let [rest, next] = ["", 0];
  output.setEncoding("utf8").on("data", (chunk: string) => {
    const parts = (rest + chunk).split("\0");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const message = JSON.parse(part) as Message; // Chromium's own protocol
      const waiter = message.id === undefined ? undefined : waiting.get(message.id);
      if (message.error !== undefined) waiter?.reject(new Error(message.error.message));
      else waiter?.resolve(message.result ?? {});
      for (const listener of listeners) listener(message);
    }
  });
  const send: Send = (method, params = {}, sessionId) => {
    next += 1;
    const id = next;
    input.write(
      `${JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) })}\0`,
    );
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
    });
  };
  return {
    open: (url, view) => openPage({ send, listeners }, url, view),
    async close() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      await send("Browser.close").catch(() => child.kill());
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

interface Wire {
  readonly send: Send;
  readonly listeners: Set<(message: Message) => void>;
}

async function openPage({ send, listeners }: Wire, url: string, view: View): Promise<Opened> {
  const { targetId } = await send("Target.createTarget", { url: "about:blank" });
  const { sessionId } = (await send("Target.attachToTarget", { targetId, flatten: true })) as {
    sessionId: string;
  };
  const call = (method: string, params?: Readonly<Record<string, unknown>>) =>
    send(method, params, sessionId);
  const [complaints, requests]: [string[], string[]] = [[], []];
  const loaded = new Promise<void>((resolve) => {
    listeners.add(({ sessionId: from, method, params = {} }) => {
      if (from !== sessionId) return;
      if (method === "Page.loadEventFired") resolve();
      if (method === "Network.requestWillBeSent") requests.push((params["request"] as { url: string }).url);
      const isComplaint =
        method === "Runtime.exceptionThrown" ||
        method === "Runtime.consoleAPICalled" ||
        method === "Log.entryAdded" ||
        method === "Network.loadingFailed";
      if (isComplaint) complaints.push(`${method} ${JSON.stringify(params)}`);
    });
  });
  for (const domain of ["Page", "Network", "Runtime", "Log"]) await call(`${domain}.enable`);
  await call("Emulation.setDeviceMetricsOverride", {
    ...{ width: view.width, height: view.height, deviceScaleFactor: 1, mobile: view.width < 600 },
  });
  await call("Emulation.setEmulatedMedia", {
    features: [{ name: "prefers-color-scheme", value: view.scheme }],
  });
  await call("Page.navigate", { url });
  await loaded;
  return {
    complaints,
    requests,
    async evaluate(expression) {
      const { result } = await call("Runtime.evaluate", {
        expression,
        returnByValue: true,
        awaitPromise: true,
      });
      return (result as { value?: unknown }).value;
    },
    async screenshot(clip) {
      const { data } = await call("Page.captureScreenshot", {
        captureBeyondViewport: true,
        ...(clip === undefined ? {} : { clip: { x: 0, width: view.width, scale: 1, ...clip } }),
      });
      return Buffer.from(String(data), "base64");
    },
  };
}
