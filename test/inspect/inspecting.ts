/** Starts the real inspector, and drives it with a real browser. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Browser, type Page } from "playwright-core";
import { BIN } from "../cli/run.js";

export interface Inspecting {
  /** The address with the token. */
  readonly url: string;
  readonly origin: string;
  readonly child: ChildProcess;
  readonly stderr: () => string;
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>;
}

const running = new Set<ChildProcess>();

export function inspect(...args: readonly string[]): Promise<Inspecting> {
  return inspectIn(process.cwd(), args);
}

export async function inspectIn(cwd: string, args: readonly string[]): Promise<Inspecting> {
  const child = spawn(process.execPath, [BIN, "inspect", "-j", "1", ...args], {
    cwd,
    stdio: ["ignore", "ignore", "pipe"],
  });
  running.add(child);
  const ended = once(child, "close").then(() => running.delete(child));
  let said = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      const [, address] = /open (http\S+)\n/.exec(said) ?? [];
      if (address !== undefined) resolve(address);
    });
    void ended.then(() => {
      reject(new Error(`it ended: ${said}`));
    });
  });
  return {
    ...{ url, origin: new URL(url).origin, child, stderr: () => said },
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      await ended;
    },
  };
}

export function stopAll(): void {
  for (const child of running) child.kill("SIGKILL");
}

const CHROMIUM = "/usr/bin/chromium";
/** Whether there is a browser; without one, tests of the page are skipped, but never in CI. */
export const hasBrowser = existsSync(CHROMIUM) || process.env["CI"] !== undefined;

export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      ...["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
      ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
    ],
  });
}

export interface Window {
  readonly page: Page;
  /** The errors in it. */
  readonly problems: string[];
}

/** Opens a window with its own storage. */
export async function openWindow(browser: Browser, url: string): Promise<Window> {
  const page = await (await browser.newContext()).newPage();
  const problems: string[] = [];
  page.on("pageerror", ({ message }) => problems.push(message));
  await page.goto(url);
  await page.waitForSelector(".entry");
  return { page, problems };
}

/** Opens a document of the list, and waits until its lines have the focus. */
export async function openDocument(page: Page, at: number): Promise<void> {
  await page.click(`#entry-${at}`);
  await page.waitForSelector("#lines:focus");
}

const MOST_LOOKS = 600;

/** Waits until an expression is true in the page, whose rules forbid libraries to evaluate it there repeatedly. */
export async function until(page: Page, expression: string): Promise<void> {
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    if ((await page.evaluate(`Boolean(${expression})`)) === true) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`it did not come true: ${expression}`);
}

/** Presses keys one by one, and waits until the last is saved. */
export async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
  await until(page, `document.getElementById("status").textContent !== "Saving …"`);
}

/** Returns the marks of the first lines, or their proposed marks. Code that runs in the page is text, since this program has no DOM types. */
export async function readMarks(page: Page, count: number): Promise<unknown> {
  return page.evaluate(`[...document.querySelectorAll("#lines li .mark")].slice(0, ${count})
    .map((mark) => mark.textContent + (mark.classList.contains("own") ? "?" : ""))`);
}

const work = mkdtempSync(join(tmpdir(), "thresher-inspect-test-"));
let files = 0;
/** Returns a path that no other test uses. */
export function freshPath(end: string): string {
  files += 1;
  return join(work, `${files}${end}`);
}

export interface Scored {
  readonly id: string;
  readonly title?: string;
  readonly lang?: string;
  readonly url?: string;
  readonly lines: readonly (readonly [text: string, score: number])[];
}

/** Makes a record as a cleaning with all lines writes it. */
export function toRecord({ lines, ...of }: Scored): string {
  return JSON.stringify({
    ...{ url: "", meta: {}, source: "text", notes: [], fingerprint: "0" },
    ...of,
    condition: {
      name: "raw",
      probability: 1,
      doubtful: false,
      cut: 0.5,
      cuts: { precision: 0.8, balanced: 0.5, recall: 0.2 },
    },
    lines: lines.map(([text, score]) => ({
      ...{ text, score, label: score >= 0.5 ? "content" : "boilerplate" },
      ...{ block: "text", path: "", linkChars: 0, breakBefore: "line" },
    })),
  });
}

export const TEA: readonly (readonly [string, number])[] = [
  ["Home | About | Contact", 0.04],
  ["Tea is a drink that people make by pouring hot water over leaves.", 0.97],
  ["It came to Europe on ships, and only the rich could afford it.", 0.93],
  ["Anna: I like it with milk.", 0.46],
  ["Imprint and privacy", 0.02],
];
