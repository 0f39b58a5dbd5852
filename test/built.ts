/** Builds before a run of tests what has changed, so that no start of the command has to look for it again. */
import { spawnSync } from "node:child_process";

export default function build(): void {
  const { status } = spawnSync(process.execPath, ["bin/setup.js"], { stdio: "inherit" });
  if (status !== 0) throw new Error("the command cannot be built");
  process.env["THRESHER_IS_SET_UP"] = "yes";
}
