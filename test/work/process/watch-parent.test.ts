import { fork } from "node:child_process";
import { on, once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { OPTIONS } from "../cleaner-options.js";

const BODY = fileURLToPath(new URL("../../../dist/command/process-body.js", import.meta.url));
/** Keeps the process endlessly busy at a page; it listens only after the process does, which would otherwise miss its options. */
const BUSY = `data:text/javascript,
  const hang = (question) => { if ("page" in question) { process.send("busy"); for (;;); } };
  const listen = (name) => { if (name === "message") { process.off("newListener", listen); process.on("message", hang); } };
  process.on("newListener", listen);`;

it("ends a cleaning process with the one that started it, however busy it is", async () => {
  const child = fork(BODY, {
    execArgv: ["--import", BUSY],
    serialization: "advanced",
    stdio: ["pipe", "ignore", "inherit", "ipc"],
  });
  const end = once(child, "exit");
  const answers = on(child, "message");
  const next = async (): Promise<unknown> => ((await answers.next()).value as [unknown])[0]; // each event has one value
  child.send({ options: OPTIONS });
  expect(await next()).toEqual({ hasStarted: true });
  child.send({ page: { id: "x", url: "", content: { kind: "text", text: "x" } } });
  expect(await next()).toBe("busy");
  // The death of this process would have this effect on the other one.
  child.disconnect();
  child.stdin?.destroy();
  expect(await end).toEqual([null, "SIGKILL"]);
});
