/** Builds `dist/browser/` once, before the tests that load it in browsers. */
import { execFileSync } from "node:child_process";

export default function setup(): void {
  execFileSync(process.execPath, ["bin/build-browser.js"], { stdio: ["ignore", "ignore", "inherit"] });
}
