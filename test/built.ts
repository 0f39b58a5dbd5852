/** Rebuilds what has changed before the tests run, so that the command does not check again at each start. */
import { spawnSync } from "node:child_process";

export default function build(): void {
  const { status } = spawnSync(process.execPath, ["bin/setup.js"], { stdio: "inherit" });
  if (status !== 0) throw new Error("the command cannot be built");
  process.env["THRESHER_IS_SET_UP"] = "yes";
}
