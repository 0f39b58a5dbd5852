/** Starts a real Chromium that can reach only this machine, and records what else it tries to reach. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type BrowserContext } from "playwright-core";
import { startProxy } from "./host.js";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Returns the path of a Chromium; undefined if there is none, which is an error in CI. */
export function findChromium(): string | undefined {
  const found = PLACES.find((path) => existsSync(path));
  if (found === undefined && process.env["CI"] !== undefined)
    throw new Error(`there is no Chromium at ${PLACES.join(", ")}; .ci/run installs one`);
  return found;
}

/** Hosts that the browser itself contacts for its own updates, whatever page it shows. */
const OWN_HOSTS = /^(?:http:\/\/)?(?:[\w-]+\.)*(?:google|googleapis|gvt1)\.com(?:[:/]|$)/;

export interface Chromium {
  readonly context: BrowserContext;
  /** Requests of any page, frame or worker to addresses outside `local`. */
  readonly foreign: string[];
  close(): Promise<void>;
}

/** `extension` is the folder of an extension to install. Everything except the addresses in `local` goes through a proxy that answers nothing and records the requests. */
export async function startChromium(
  executablePath: string,
  local: readonly string[] = [],
  extension?: string,
): Promise<Chromium> {
  const proxy = await startProxy(OWN_HOSTS);
  const profile = mkdtempSync(join(tmpdir(), "thresher-chromium-"));
  const options = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking";
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    args: [
      ...`${options} --disable-component-update --disable-sync`.split(" "),
      `--proxy-server=127.0.0.1:${proxy.port}`,
      `--proxy-bypass-list=${["<-loopback>", ...local].join(";")}`,
      ...(extension === undefined
        ? []
        : [`--disable-extensions-except=${extension}`, `--load-extension=${extension}`]),
    ],
  });
  return {
    context,
    foreign: proxy.asked,
    async close() {
      await context.close();
      proxy.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
